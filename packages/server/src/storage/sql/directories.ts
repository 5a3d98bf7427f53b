/** Directories of users: an account's, named by its id, and the developers'. How statements name a directory, and read its users. */

/** The name of the developers' directory, which is no account's id. */
export const developersDirectory = '';

/** SQL: the directory of the account id in `$1`; null: the developers'. */
export const directory = `coalesce(CAST($1 AS text), '${developersDirectory}')`;

/** SQL: whether the account with the id in `$1` exists. */
export const isAccount = 'EXISTS (SELECT 1 FROM accounts WHERE accounts.account_id = $1)';

/** SQL: whether the directory of the account id in `$1` exists: not if the account was deleted. */
export const isDirectory = `(CAST($1 AS text) IS NULL OR ${isAccount})`;

/** SQL: the account id of a row's directory; null for the developers'. */
export const accountOfDirectory = `nullif(directory_id, '${developersDirectory}') AS account_id`;

export const userColumns = 'user_id, created_at, email, email_key, name, password_hash, reset_at';
