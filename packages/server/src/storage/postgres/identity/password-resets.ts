/** Password resets: links that were mailed. */
import { toPasswordReset, toUser } from '../../identity-rows.ts';
import type { IdentityStore, User } from '../../identity-store.ts';
import { encodeText } from '../../rows.ts';
import type { Query } from '../connection/query.ts';
import type { Parts } from '../parts.ts';
import {
  accountOfDirectory,
  deletePasskeysOfUser,
  deleteResetsOfUser,
  deleteSignUpsOfAddress,
  developersDirectory,
  directory,
  endSignIns,
  isDirectory,
  isInDirectory,
  userColumns,
} from './directories.ts';

type PasswordResets = Pick<IdentityStore, 'addPasswordReset' | 'findPasswordReset' | 'redeemPasswordReset'>;

/** Returns the methods of the store that keep password resets. */
export function createPasswordResets({ database }: Pick<Parts, 'database'>): PasswordResets {
  return {
    async addPasswordReset(tokenHash, { accountId, userId, expiresAt, returnQuery }) {
      // No row: no such user, or one without a password. Two resets of one hash are a fault of the caller and fail.
      const added = await database.query(
        `INSERT INTO password_resets (token_hash, directory_id, user_id, expires_at, return_query)
         SELECT $3, directory_id, user_id, $4, $5 FROM users
         WHERE directory_id = ${directory} AND user_id = $2 AND email_key IS NOT NULL AND ${isDirectory}
         RETURNING token_hash`,
        [accountId, userId, tokenHash, expiresAt, encodeText(returnQuery)],
      );
      return added.length === 0 ? 'no_user' : 'added';
    },
    async findPasswordReset(tokenHash, now) {
      // No row: no such reset, it expired, or its account or user is gone.
      const [row] = await database.query(
        `SELECT ${accountOfDirectory('password_resets')}, ${userColumns}, expires_at, return_query
         FROM password_resets JOIN users USING (directory_id, user_id)
         WHERE token_hash = $1 AND expires_at > $2 AND ${isInDirectory('password_resets')}`,
        [tokenHash, now],
      );
      return row && { reset: toPasswordReset(row), user: toUser(row, row.account_id as string | null) };
    },
    redeemPasswordReset: (tokenHash, passwordHash, now) =>
      database.transaction('read committed', (query) => redeem(query, tokenHash, passwordHash, now)),
  };
}

/**
 * The first statement lets one of several uses through. The second locks the user until the end of the transaction: a
 * passkey that is being added is either deleted here, or finds that it was begun before the reset.
 */
async function redeem(query: Query, tokenHash: Uint8Array, passwordHash: string, now: number): Promise<User | undefined> {
  // No row: no such reset, it expired or was redeemed, or its account is gone.
  const [reset] = await query(
    `DELETE FROM password_resets
     WHERE token_hash = $1 AND expires_at > $2 AND ${isInDirectory('password_resets')}
     RETURNING ${accountOfDirectory('password_resets')}, user_id`,
    [tokenHash, now],
  );
  if (reset === undefined) return undefined;
  const accountId = reset.account_id as string | null;
  const [directoryId, userId] = [accountId ?? developersDirectory, reset.user_id as string];
  // No row: the user is gone.
  const [row] = await query(
    `UPDATE users SET password_hash = $3, reset_at = $4
     WHERE directory_id = $1 AND user_id = $2 AND email_key IS NOT NULL RETURNING ${userColumns}`,
    [directoryId, userId, passwordHash, now],
  );
  if (row === undefined) return undefined;
  await query(deleteResetsOfUser, [directoryId, userId]);
  await query(deleteSignUpsOfAddress, [directoryId, row.email_key as string]);
  await query(deletePasskeysOfUser, [directoryId, userId]);
  await endSignIns(query, directoryId, userId);
  return toUser(row, accountId);
}
