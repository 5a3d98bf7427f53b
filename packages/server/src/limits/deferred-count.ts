/** Counts of requests towards limits that are chosen by their outcome. */
import type { Awaitable } from '../common/async/awaitable.ts';

export type CountServiceAccount = (of: { readonly accountId: string; readonly subject: string }) => Promise<void>;

/**
 * Counts a request late, when its outcome shows for what: for the service account or the token family that gets a token; for its address if it
 * gets none, and for a guest. For a service account or an address, rejects with `rate_limited` if the request is one too many.
 */
export interface DeferredCount {
  /** For a service account, whose id is the subject. */
  readonly serviceAccount: CountServiceAccount;
  /** For the address that the request comes from. */
  readonly address: () => Promise<void>;
  /** Throws `rate_limited` if a token family has used up its limit. */
  readonly checkFamily: (familyId: string) => void;
  /** For a token family that has received tokens. Does not refuse the request. */
  readonly family: (familyId: string) => Awaitable<void>;
}
