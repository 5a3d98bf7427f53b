/** Which store methods write for a request, and therefore check its permit. */
import { requirePermits } from '../access/permit.ts';
import { type SharedVerbName, writingVerbs } from '../storage/sql/verbs.ts';
import type { Store } from '../storage/store.ts';

/** The methods that are not verbs, and whether they write what a request asks for. A new one must be listed for this to compile. */
const engineMethods = {
  writePublicState: true,
  writeUserState: true,
  consumeRefreshToken: true,
  readPublicState: false,
  recallPublicState: false,
  readPublicStateVersion: false,
  listPublicStateHistory: false,
  listPublicStateVersions: false,
  currentPublicVersions: false,
  readUserState: false,
  listUserStates: false,
  currentUserVersions: false,
  // Counting is the service's own write.
  takeFromWindow: false,
  returnToWindow: false,
  publishOpenStreams: false,
  readOpenStreams: false,
  countRecords: false,
  measureBytes: false,
  marks: false,
  isUpgradeFinished: false,
  checkReady: false,
  onAccessChange: false,
  onTokensRevoked: false,
  close: false,
} as const satisfies Readonly<Record<Exclude<keyof Store, SharedVerbName>, boolean>>;

/** A spent ticket proves something about a write not evaluated yet, so the permit is checked here, and again at the write. */
const preparations: readonly (keyof Store)[] = ['spendTicket'];

/** The methods that write what a request asks for. */
export const requestWrites: readonly (keyof Store)[] = [
  ...Object.entries(engineMethods).flatMap(([name, isWrite]) => (isWrite ? [name as keyof typeof engineMethods] : [])),
  ...writingVerbs.map(({ name }) => name as SharedVerbName),
];

/** Returns the store, which begins no write for a request without its permit. */
export const withPermits = (store: Store): Store =>
  requirePermits(store, {
    preparations,
    writes: requestWrites.filter((name) => !preparations.includes(name)),
  });
