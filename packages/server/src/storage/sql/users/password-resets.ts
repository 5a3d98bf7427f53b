/** Password resets: mailed links. */

import type { PasswordReset, User } from '../../contract/identity.ts';
import { optionalTextAt, textAt } from '../../rows/columns.ts';
import { toPasswordReset, toUser } from '../../rows/identity-rows.ts';
import { encodeText } from '../../rows/stored-texts.ts';
import { ownerExists } from '../schema/tables.ts';
import { revokeTokensOf } from '../sign-in/revoked-tokens.ts';
import { endSignIns } from '../sign-in/user-sign-ins.ts';
import { all, first, type Steps } from '../steps.ts';
import { type Setting, smallRead, write } from '../verb.ts';
import { accountOfDirectory, developersDirectory, directory, isDirectory, userColumns } from './directories.ts';
import { removePasskeys } from './passkeys.ts';
import { isProtected } from './second-factors.ts';
import { removeSignUps } from './sign-ups.ts';

function* add(
  _: Setting,
  tokenHash: Uint8Array,
  { accountId, userId, expiresAt, returnQuery }: PasswordReset,
): Steps<'added' | 'no_user'> {
  // The user is locked until the end, so that it is not deleted in the meantime. No row: no such user, or one without a password.
  const user = yield* first(
    `SELECT directory_id FROM users
     WHERE directory_id = ${directory} AND user_id = $2 AND email_key IS NOT NULL AND ${isDirectory} FOR UPDATE`,
    [accountId, userId],
  );
  if (user === undefined) return 'no_user';
  // Two resets with the same hash are a fault of the caller and fail.
  yield* all(
    'INSERT INTO password_resets (token_hash, directory_id, user_id, expires_at, return_query) VALUES ($1, $2, $3, $4, $5)',
    [tokenHash, textAt(user, 'directory_id'), userId, expiresAt, encodeText(returnQuery)],
  );
  return 'added';
}

function* find(
  _: Setting,
  tokenHash: Uint8Array,
  now: number,
): Steps<{ readonly reset: PasswordReset; readonly user: User } | undefined> {
  // No row: no such reset, it expired, or its account or user was deleted.
  const row = yield* first(
    `SELECT ${accountOfDirectory}, ${userColumns}, expires_at, return_query
     FROM password_resets JOIN users USING (directory_id, user_id)
     WHERE token_hash = $1 AND expires_at > $2 AND ${ownerExists('password_resets')}`,
    [tokenHash, now],
  );
  return row && { reset: toPasswordReset(row), user: toUser(row, optionalTextAt(row, 'account_id')) };
}

/**
 * The first statement lets one of several uses through. The second locks the user until the end of the transaction: a passkey being added
 * is either deleted here, or finds that it was begun before the reset.
 */
function* redeem(setting: Setting, tokenHash: Uint8Array, passwordHash: string, now: number): Steps<User | undefined> {
  // No row: no such reset, it expired or was redeemed, or its account was deleted.
  const reset = yield* first(
    `DELETE FROM password_resets WHERE token_hash = $1 AND expires_at > $2 AND ${ownerExists('password_resets')}
     RETURNING ${accountOfDirectory}, user_id`,
    [tokenHash, now],
  );
  if (reset === undefined) return undefined;
  const accountId = optionalTextAt(reset, 'account_id');
  const [directoryId, userId] = [accountId ?? developersDirectory, textAt(reset, 'user_id')];
  // No row: the user was deleted.
  const row = yield* first(
    `UPDATE users SET password_hash = $3, reset_at = $4
     WHERE directory_id = $1 AND user_id = $2 AND email_key IS NOT NULL RETURNING ${userColumns}`,
    [directoryId, userId, passwordHash, now],
  );
  if (row === undefined) return undefined;
  yield* removeResets(directoryId, userId);
  yield* removeSignUps(directoryId, textAt(row, 'email_key'));
  if (!(yield* isProtected(directoryId, userId))) yield* removePasskeys(directoryId, userId);
  yield* revokeTokensOf(setting, yield* endSignIns(setting.engine, directoryId, userId), now);
  return toUser(row, accountId);
}

/** Deletes all resets of a user. */
export function* removeResets(directoryId: string, userId: string): Steps<void> {
  // Any number of rows.
  yield* all('DELETE FROM password_resets WHERE directory_id = $1 AND user_id = $2', [directoryId, userId]);
}

export const passwordResetVerbs = {
  /** `tokenHash` is the SHA-256 of the token. `no_user` if there is no such user with a proven address. */
  addPasswordReset: write(add),
  /** An unexpired reset, with its user. The reset is not used up. */
  findPasswordReset: smallRead(find),
  /**
   * Sets the password. In the same step it deletes every reset of the user, every passkey unless a second factor protects them (a second
   * factor itself stays), and every sign-up of the address, and ends earlier sign-ins: the refresh-token families and unspent codes of the
   * user in every project of the account, or those of the developer. Of parallel uses, exactly one gets the user; the rest get undefined.
   */
  redeemPasswordReset: write(redeem),
};
