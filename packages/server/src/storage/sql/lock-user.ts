/** Locks users while their sign-in methods change. */

import type { Row } from '../rows/rows.ts';
import { directory, isDirectory } from './directories.ts';
import { first, type Steps } from './steps.ts';

/** Locks a user until the end of the transaction, so that no sign-in method is added or removed in the meantime. */
export function* lockUser(accountId: string | null, userId: string): Steps<Row | undefined> {
  // No row: no such directory or user.
  return yield* first(
    `SELECT directory_id, email_key, password_hash, reset_at FROM users
     WHERE directory_id = ${directory} AND user_id = $2 AND ${isDirectory} FOR UPDATE`,
    [accountId, userId],
  );
}
