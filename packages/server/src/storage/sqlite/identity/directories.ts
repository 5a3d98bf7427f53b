/** How rows of the built-in identity provider are tied to their directory. */

/** The directory number of developers. Accounts are numbered from 1. */
export const developersNumber = 0;

/** The directory number of the account id in `?1`, that of developers for NULL, and no number for an account that is gone. */
export const directoryNumber = `
  (CASE WHEN ?1 IS NULL THEN ${developersNumber} ELSE (SELECT account_number FROM accounts WHERE account_id = ?1) END)`;

/** Rows of a table whose directory still exists, with its `account_id`; more conditions follow after AND. */
export const ofTheLiving = (table: 'pending_sign_ups' | 'password_resets'): string => `
  ${table} LEFT JOIN accounts ON account_number = ${table}.directory_number
  WHERE (${table}.directory_number = ${developersNumber} OR account_number IS NOT NULL)`;

export const userColumns =
  'user_id, users.created_at, users.email, users.email_key, users.name, users.password_hash, users.reset_at';

export const signUpColumns = `
  account_id, email, email_key, pending_sign_ups.name, password_hash, code_hash, attempts_left,
  pending_sign_ups.created_at, expires_at`;

export const resetColumns = 'account_id, user_id, expires_at, return_query';
