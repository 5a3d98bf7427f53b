/** Turns rows of the built-in identity provider into records. */
import type { PasswordReset, PendingSignUp, User } from './identity-store.ts';
import { decodeOptional, decodeText, type Row } from './rows.ts';

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

export const toPasswordReset = (row: Row): PasswordReset => ({
  accountId: row.account_id as string | null,
  userId: row.user_id as string,
  expiresAt: row.expires_at as number,
  returnQuery: decodeText(row.return_query),
});
