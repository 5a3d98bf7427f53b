/** Turns rows of the built-in identity provider into records. */

import type { PasswordReset, PendingSignUp, User } from '../contract/identity.ts';
import {
  bytesAt,
  decodedTextAt,
  integerAt,
  optionalDecodedTextAt,
  optionalIntegerAt,
  optionalTextAt,
  type Row,
  textAt,
} from './columns.ts';

export const toUser = (row: Row, accountId: string | null): User => ({
  accountId,
  userId: textAt(row, 'user_id'),
  email: optionalDecodedTextAt(row, 'email'),
  emailKey: optionalDecodedTextAt(row, 'email_key'),
  name: optionalDecodedTextAt(row, 'name'),
  passwordHash: optionalTextAt(row, 'password_hash'),
  resetAt: optionalIntegerAt(row, 'reset_at'),
  createdAt: integerAt(row, 'created_at'),
});

export const toSignUp = (row: Row): PendingSignUp => ({
  accountId: optionalTextAt(row, 'account_id'),
  email: decodedTextAt(row, 'email'),
  emailKey: decodedTextAt(row, 'email_key'),
  name: optionalDecodedTextAt(row, 'name'),
  passwordHash: textAt(row, 'password_hash'),
  codeHash: bytesAt(row, 'code_hash'),
  attemptsLeft: integerAt(row, 'attempts_left'),
  createdAt: integerAt(row, 'created_at'),
  expiresAt: integerAt(row, 'expires_at'),
});

export const toPasswordReset = (row: Row): PasswordReset => ({
  accountId: optionalTextAt(row, 'account_id'),
  userId: textAt(row, 'user_id'),
  expiresAt: integerAt(row, 'expires_at'),
  returnQuery: decodedTextAt(row, 'return_query'),
});
