/** Users whose rows are held while what signs them in changes. */
import type { Row } from '../rows.ts';
import { directory, isDirectory } from './directories.ts';
import { first, type Steps } from './steps.ts';

/** Holds a user until the end of the transaction, so that nothing that signs the user in is added or taken away meanwhile. */
export function* holdUser(accountId: string | null, userId: string): Steps<Row | undefined> {
  // No row: no such directory or user.
  return yield* first(
    `SELECT directory_id, email_key, password_hash, reset_at FROM users
     WHERE directory_id = ${directory} AND user_id = $2 AND ${isDirectory} FOR UPDATE`,
    [accountId, userId],
  );
}
