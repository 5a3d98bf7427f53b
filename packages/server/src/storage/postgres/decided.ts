import { StoreUnavailable } from '../store.ts';

/** Far more often than anybody can be overtaken. */
const looksMax = 100;

/**
 * Repeats `look` until it decides, and returns its decision. It is undecided only when somebody else has changed what it looked
 * at, and has then written nothing. Throws `StoreUnavailable` when that never ends.
 */
export async function decided<Decision>(look: () => Promise<Decision | undefined>): Promise<Decision> {
  for (let looks = 0; looks < looksMax; looks++) {
    const decision = await look();
    if (decision !== undefined) return decision;
  }
  throw new StoreUnavailable('a record kept changing while it was looked at');
}
