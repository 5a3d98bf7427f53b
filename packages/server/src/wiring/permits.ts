/** Which methods of the store write for a request, and so ask for its permit. */
import { demandPermits } from '../common/permit.ts';
import { type SharedVerbName, writingVerbs } from '../storage/sql/verbs.ts';
import type { Store } from '../storage/store.ts';

/** The methods that are no verbs, and whether they write what a request asks for. A new one has to say so before this compiles. */
const engineMethods = {
  writePublicState: true,
  writeUserState: true,
  consumeRefreshToken: true,
  readPublicState: false,
  readPublicStateVersion: false,
  listPublicStateHistory: false,
  listPublicStateVersions: false,
  currentPublicVersions: false,
  readUserState: false,
  listUserStates: false,
  currentUserVersions: false,
  // What is counted is of the service.
  takeFromWindow: false,
  returnToWindow: false,
  tellOpenStreams: false,
  readOpenStreams: false,
  countRecords: false,
  measureBytes: false,
  marks: false,
  isUpgradeFinished: false,
  checkReady: false,
  onAccessChange: false,
  onTokensEnded: false,
  close: false,
} as const satisfies Readonly<Record<Exclude<keyof Store, SharedVerbName>, boolean>>;

/** A spent ticket proves something about a write that is still to be evaluated: the permit is asked for, and asked for again. */
const preparations: readonly (keyof Store)[] = ['spendTicket'];

/** The methods that write what a request asks for. */
export const requestWrites: readonly (keyof Store)[] = [
  ...Object.entries(engineMethods).flatMap(([name, isWrite]) => (isWrite ? [name as keyof typeof engineMethods] : [])),
  ...writingVerbs.map(({ name }) => name as SharedVerbName),
];

/** Returns the store that begins no write of a request without its permit. */
export const withPermits = (store: Store): Store =>
  demandPermits(store, {
    preparations,
    writes: requestWrites.filter((name) => !preparations.includes(name)),
  });
