/** How rows of the built-in identity provider are tied to their directory. */

/** The directory of the developers. */
export const developersDirectory = '';

/** The directory of the account id in `$1`, that of the developers for null. */
export const directory = `coalesce($1::text, '${developersDirectory}')`;

/** Whether there is a directory of the account id in `$1`: not when the account is gone. */
export const isDirectory = '($1::text IS NULL OR EXISTS (SELECT 1 FROM accounts WHERE accounts.account_id = $1))';

/** Whether the directory that a row of `table` lies in still exists. */
export const isInDirectory = (table: 'pending_sign_ups' | 'password_resets'): string => `
  (${table}.directory_id = '${developersDirectory}'
   OR EXISTS (SELECT 1 FROM accounts WHERE accounts.account_id = ${table}.directory_id))`;

/** The account id of a row's directory, null for that of the developers. */
export const accountOfDirectory = (table: 'pending_sign_ups' | 'password_resets'): string =>
  `nullif(${table}.directory_id, '${developersDirectory}') AS account_id`;

export const userColumns = 'user_id, created_at, email, email_key, name, password_hash, reset_at';
