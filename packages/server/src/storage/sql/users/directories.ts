/** Directories of users: an account's, named by its id, and the developers'. SQL that names a directory and reads its users. */
import { createHash } from 'node:crypto';

/** The name of the developers' directory, which is never an account id. */
export const developersDirectory = '';

/** SQL: the directory of the account id in `$1`; null for the developers' directory. */
export const directory = `coalesce(CAST($1 AS text), '${developersDirectory}')`;

/** SQL: whether the account with the id in `$1` exists. */
export const isAccount = 'EXISTS (SELECT 1 FROM accounts WHERE accounts.account_id = $1)';

/** SQL: whether the directory of the account id in `$1` exists: false if the account was deleted. */
export const isDirectory = `(CAST($1 AS text) IS NULL OR ${isAccount})`;

/** SQL: the account id of a row's directory; null for the developers' directory. */
export const accountOfDirectory = `nullif(directory_id, '${developersDirectory}') AS account_id`;

export const userColumns = 'user_id, created_at, email, email_key, name, password_hash, reset_at';

/** The SHA-256 of issuer and subject. */
export const developerHash = (issuer: string, subject: string): Uint8Array =>
  createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest();
