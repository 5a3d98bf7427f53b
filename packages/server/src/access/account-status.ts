/** The message for clients of an account that the operator has suspended. @see docs/contract.md §3.8 */
import { Refusal } from '../common/refusal.ts';

/** For the client. */
export const suspendedText = 'the account is suspended: ask the operator of the service';

/** The refusal of every request for a suspended account. */
export const suspendedAccount = (): Refusal => new Refusal('forbidden', suspendedText);
