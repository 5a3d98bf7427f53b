/** Rows that are locked until the end of a transaction. */
import type { Row } from '../rows/columns.ts';
import { first, type Steps } from './steps.ts';
import { directory, isDirectory } from './users/directories.ts';

/** Locks an account until the end of the transaction. Returns its row; undefined if there is no such account. */
export function* lockAccount(accountId: string): Steps<Row | undefined> {
  return yield* first('SELECT projects, projects_max FROM accounts WHERE account_id = $1 FOR UPDATE', [accountId]);
}

/** Locks a user until the end of the transaction, so that no sign-in method is added or removed in the meantime. */
export function* lockUser(accountId: string | null, userId: string): Steps<Row | undefined> {
  // No row: no such directory or user.
  return yield* first(
    `SELECT directory_id, email_key, password_hash, reset_at FROM users
     WHERE directory_id = ${directory} AND user_id = $2 AND ${isDirectory} FOR UPDATE`,
    [accountId, userId],
  );
}
