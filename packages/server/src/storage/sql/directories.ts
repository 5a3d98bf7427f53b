/**
 * Directories of users: that of an account, named by its id, and that of the developers. How statements name a directory, and what they
 * read of its users.
 */

/** The name of the directory of the developers, which no account has as its id. */
export const developersDirectory = '';

/** SQL: the directory of the account id in `$1`; that of the developers for null. */
export const directory = `coalesce(CAST($1 AS text), '${developersDirectory}')`;

/** SQL: whether the account with the id in `$1` exists. */
export const isAccount = 'EXISTS (SELECT 1 FROM accounts WHERE accounts.account_id = $1)';

/** SQL: whether there is a directory of the account id in `$1`: not when the account is gone. */
export const isDirectory = `(CAST($1 AS text) IS NULL OR ${isAccount})`;

/** SQL: the account id of a row's directory; null for that of the developers. */
export const accountOfDirectory = `nullif(directory_id, '${developersDirectory}') AS account_id`;

export const userColumns = 'user_id, created_at, email, email_key, name, password_hash, reset_at';
