/**
 * What the status of an account means: while the operator has suspended it, nothing of it is served; and its owners may require that its
 * developers sign in with a second factor.
 *
 * Each rule stands beside its form in SQL, which the store applies in the step that uses a sign-in or sends an event, so that nothing can
 * change in between.
 *
 * @see docs/contract.md §3.8
 */

/** The operator's decisions about an account, as times in milliseconds since the epoch; null: none. */
interface Decisions {
  readonly suspendedAt: number | null;
  readonly signedOutAt: number | null;
}

/** Whether the operator has suspended an account. */
export const isSuspended = ({ suspendedAt }: Pick<Decisions, 'suspendedAt'>): boolean => suspendedAt !== null;

/** SQL: whether the account in the row is suspended, or may be served. */
export const isSuspendedSql = 'suspended_at IS NOT NULL';
export const isServedSql = 'suspended_at IS NULL';

/** What the operator's decisions mean for requests. */
export interface Standing {
  readonly isSuspended: boolean;
  /** Access tokens issued up to this time, in milliseconds since the epoch, are refused; 0 if no sessions were ended. */
  readonly signedOutAt: number;
}

/** The standing of most accounts. */
export const goodStanding: Standing = { isSuspended: false, signedOutAt: 0 };

/** Returns the standing of an account. */
export const standingOf = (account: Decisions): Standing =>
  account.suspendedAt === null && account.signedOutAt === null
    ? goodStanding
    : { isSuspended: isSuspended(account), signedOutAt: account.signedOutAt ?? 0 };

/** Replaces the RFC 8176 values if an outside issuer or the operator, not the built-in provider, decides what must be proven. */
export const outsideAmr = 'outside';

/** The RFC 8176 value of a sign-in with a second factor, or with a method that needs none. No other value in use contains it. */
const secondFactor = 'mfa';

/** Whether these RFC 8176 values include a second factor, or a method that needs none. */
export const hasSecondFactor = (amr: readonly string[]): boolean => amr.includes(secondFactor);

/**
 * Whether a sign-in had a second factor, or its requirements were decided outside the built-in provider. `amr` is what a grant has: RFC
 * 8176 values separated by spaces; undefined if unknown.
 */
export const isStrong = (amr: string | undefined): boolean =>
  amr !== undefined && (amr === outsideAmr || hasSecondFactor(amr.split(' ')));

/** SQL: the same for the column `amr`; null if that is null. */
const isStrongSql = (amr: string): string => `(${amr} LIKE '%${secondFactor}%' OR ${amr} = '${outsideAmr}')`;

/** Whether a developer has to sign in to an account again, with a second factor. */
export const isTooWeak = (
  { requireSecondFactor }: { readonly requireSecondFactor: boolean },
  amr: string | undefined,
): boolean => requireSecondFactor && !isStrong(amr);

/**
 * SQL: whether the account in the row is served, and the sign-in in a row of `table` is not too weak for it: only sign-ins of developers,
 * which have no project, can be. Null or false if not.
 */
export const admitsSignInSql = (table: string): string =>
  `${isServedSql} AND (require_second_factor = 0 OR ${table}.project_id IS NOT NULL OR ${isStrongSql(`${table}.amr`)})`;

/** SQL: whether a sign-in is one of a developer of the account `$1`, without a second factor. */
export const isWeakOfDeveloperSql = `account_id = $1 AND project_id IS NULL AND ${isStrongSql('amr')} IS NOT TRUE`;
