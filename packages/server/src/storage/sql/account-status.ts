/**
 * The effect of an account's status, as SQL for both engines: the rules of access/account-status.ts, applied in the step that uses a sign-in
 * or sends an event, so that nothing can change in between.
 */
import { outsideAmr } from '../contract/sign-ins.ts';

/** SQL: whether a sign-in had or did not need a second factor; null if the column `amr` is null. No other value in use contains `mfa`. */
const isStrong = (amr: string): string => `(${amr} LIKE '%mfa%' OR ${amr} = '${outsideAmr}')`;

/**
 * SQL: whether the account in the row is not suspended, and the sign-in in a row of `table` is as strong as the account requires of its
 * developers, whose sign-ins have no project; null or false if not.
 */
export const admitsSignIn = (table: string): string =>
  `${isServed} AND (require_second_factor = 0 OR ${table}.project_id IS NOT NULL OR ${isStrong(`${table}.amr`)})`;

/** SQL: whether the account in the row is suspended, or may be served. */
export const isSuspended = 'suspended_at IS NOT NULL';
export const isServed = 'suspended_at IS NULL';

/** SQL: whether a sign-in is one of a developer of the account `$1`, without a second factor. */
export const isWeakOfDeveloper = `account_id = $1 AND project_id IS NULL AND ${isStrong('amr')} IS NOT TRUE`;
