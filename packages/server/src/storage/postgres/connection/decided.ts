import { StoreUnavailable } from '../../store.ts';

/** Far more often than a write can lose against others in a row. */
const looksMax = 100;

/**
 * Repeats `look` until it decides, and returns its decision. It is undecided (undefined) only when another write has changed what
 * it looked at; it has then written nothing. Throws `StoreUnavailable` when that goes on for 100 looks.
 */
export async function decided<Decision>(look: () => Promise<Decision | undefined>): Promise<Decision> {
  for (let looks = 0; looks < looksMax; looks++) {
    const decision = await look();
    if (decision !== undefined) return decision;
  }
  throw new StoreUnavailable('a record kept changing while it was looked at');
}
