/**
 * What the status of an account means: while the operator has suspended it, nothing of it is served; and its owners may require that its
 * developers sign in with a second factor.
 *
 * The store applies the same rules to sign-ins, in the step that uses them (storage/sql/account-status.ts).
 *
 * @see docs/contract.md §3.8
 */
import { Refusal } from '../common/refusal.ts';
import { outsideAmr } from '../storage/contract/sign-ins.ts';
import type { Account } from '../storage/store.ts';

/** Whether the operator has suspended an account. */
export const isSuspended = ({ suspendedAt }: Pick<Account, 'suspendedAt'>): boolean => suspendedAt !== null;

/** For clients of a suspended account. */
export const suspendedText = 'the account is suspended: ask the operator of the service';

/** The refusal of every request for a suspended account. */
export const suspendedAccount = (): Refusal => new Refusal('forbidden', suspendedText);

/** The operator's decisions about an account. */
export interface Standing {
  readonly isSuspended: boolean;
  /** Access tokens issued up to this time, in milliseconds since the epoch, are refused; 0 if no sessions were ended. */
  readonly signedOutAt: number;
}

/** The standing of most accounts. */
export const goodStanding: Standing = { isSuspended: false, signedOutAt: 0 };

/** Returns the standing of an account. */
export const standingOf = (account: Account): Standing =>
  account.suspendedAt === null && account.signedOutAt === null
    ? goodStanding
    : { isSuspended: isSuspended(account), signedOutAt: account.signedOutAt ?? 0 };

/** Whether these RFC 8176 values include a second factor, or a method that needs none. */
export const hasSecondFactor = (amr: readonly string[]): boolean => amr.includes('mfa');

/**
 * Whether a sign-in had a second factor, or its requirements were decided outside the built-in provider. `amr` is what a grant has: RFC
 * 8176 values separated by spaces; undefined if unknown.
 */
export const isStrong = (amr: string | undefined): boolean =>
  amr !== undefined && (amr === outsideAmr || hasSecondFactor(amr.split(' ')));

/** Whether a developer has to sign in to an account again, with a second factor. */
export const isTooWeak = (
  { requireSecondFactor }: Pick<Account, 'requireSecondFactor'>,
  amr: string | undefined,
): boolean => requireSecondFactor && !isStrong(amr);
