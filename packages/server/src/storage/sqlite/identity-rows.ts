/** Rows of the built-in identity provider as the records they stand for, and how they are tied to their directory. */
import type { SQLOutputValue } from 'node:sqlite';
import type { PasswordReset, PendingSignUp, User } from '../identity-store.ts';
import { decodeText, encodeText } from './text.ts';

type Row = Record<string, SQLOutputValue>;

/** The directory number of developers. Accounts are numbered from 1. */
export const developersNumber = 0;

/** The directory number of the account id in `?1`, that of developers for NULL, and no number for an account that is gone. */
export const directoryNumber = `
  (CASE WHEN ?1 IS NULL THEN ${developersNumber} ELSE (SELECT account_number FROM accounts WHERE account_id = ?1) END)`;

/** Rows of a table whose directory still exists, with its `account_id`; more conditions follow after AND. */
export const ofTheLiving = (table: 'pending_sign_ups' | 'password_resets'): string => `
  ${table} LEFT JOIN accounts ON account_number = ${table}.directory_number
  WHERE (${table}.directory_number = ${developersNumber} OR account_number IS NOT NULL)`;

export const encodeOptional = (value: string | null) => (value === null ? null : encodeText(value));
export const decodeOptional = (text: SQLOutputValue | undefined) => (text === null ? null : decodeText(text));

export const userColumns =
  'user_id, users.created_at, users.email, users.email_key, users.name, users.password_hash, users.reset_at';

export const toUser = (row: Row, accountId: string | null): User => ({
  accountId,
  userId: row.user_id as string,
  email: decodeOptional(row.email),
  emailKey: decodeOptional(row.email_key),
  name: decodeOptional(row.name),
  passwordHash: row.password_hash as string | null,
  resetAt: row.reset_at as number | null,
  createdAt: row.created_at as number,
});

export const signUpColumns = `
  account_id, email, email_key, pending_sign_ups.name, password_hash, code_hash, attempts_left,
  pending_sign_ups.created_at, expires_at`;

export const toSignUp = (row: Row): PendingSignUp => ({
  accountId: row.account_id as string | null,
  email: decodeText(row.email),
  emailKey: decodeText(row.email_key),
  name: decodeOptional(row.name),
  passwordHash: row.password_hash as string,
  codeHash: row.code_hash as Uint8Array,
  attemptsLeft: row.attempts_left as number,
  createdAt: row.created_at as number,
  expiresAt: row.expires_at as number,
});

export const resetColumns = 'account_id, user_id, expires_at, return_query';

export const toPasswordReset = (row: Row): PasswordReset => ({
  accountId: row.account_id as string | null,
  userId: row.user_id as string,
  expiresAt: row.expires_at as number,
  returnQuery: decodeText(row.return_query),
});
