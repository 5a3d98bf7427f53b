/** Records that a deleted account has left, and that must go before an account with its id is created. */
import { StoreUnavailable } from '../../contract/errors.ts';

/**
 * The outcome of a creation that has changed nothing, since a deleted account with the same id has left records that would belong to the
 * new one. The engine clears them, which may take many transactions, and repeats the call.
 */
export interface Uncleared {
  readonly kind: 'uncleared';
  readonly accountId: string;
}

export const uncleared = (accountId: string): Uncleared => ({ kind: 'uncleared', accountId });

/** Even repeated deletions of the account interfere far less often than this. */
const clearingsMax = 20;

/** Repeats `call` until no remains must be cleared first. Throws `StoreUnavailable` if remains keep appearing. */
export async function whenCleared(
  call: () => Promise<unknown>,
  clear: (accountId: string) => Promise<unknown>,
): Promise<unknown> {
  for (let clearings = 0; clearings < clearingsMax; clearings++) {
    const outcome = (await call()) as Partial<Uncleared> | null | undefined;
    if (outcome?.kind !== 'uncleared') return outcome;
    await clear(outcome.accountId as string);
  }
  throw new StoreUnavailable('an account was deleted repeatedly while it was being created');
}
