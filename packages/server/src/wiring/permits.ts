/** Which methods of the store write for a request, and so ask for its permit. */
import { demandPermits } from '../common/permit.ts';
import { type ColdVerbName, writingVerbs } from '../storage/cold/verbs.ts';
import type { Store } from '../storage/store.ts';

/** Writes that each engine has in a form of its own. */
const hotWrites = ['writePublicState', 'writeUserState', 'consumeRefreshToken'] as const satisfies readonly (keyof Store)[];

/** A spent ticket proves something about a write that is still to be evaluated: the permit is asked for, and asked for again. */
const preparations: readonly (keyof Store)[] = ['spendTicket'];

const writes: readonly (keyof Store)[] = [...hotWrites, ...writingVerbs.map(({ name }) => name as ColdVerbName)];

/** Returns the store that begins no write of a request without its permit. */
export const withPermits = (store: Store): Store =>
  demandPermits(store, {
    preparations,
    writes: writes.filter((name) => !preparations.includes(name)),
  });
