/** Password resets: links that were mailed. */
import type { DatabaseSync } from 'node:sqlite';
import { toPasswordReset, toUser } from '../../identity-rows.ts';
import type { IdentityStore } from '../../identity-store.ts';
import { encodeText } from '../../rows.ts';
import { statement } from '../directory/database.ts';
import type { Parts } from '../parts.ts';
import { smallCommandCharacters } from '../writer/changes.ts';
import type { Commands } from '../writer/commands.ts';
import { deleteSignUpsOfAddress, directoryNumber, ofTheLiving, signInEnds, userColumns } from './directories.ts';
import { findUser } from './identities.ts';

type PasswordResets = Pick<IdentityStore, 'addPasswordReset' | 'findPasswordReset' | 'redeemPasswordReset'>;

/** Returns the methods of the store that keep password resets. */
export function createPasswordResets({ queue, reader }: Pick<Parts, 'queue' | 'reader'>): PasswordResets {
  return {
    addPasswordReset: (tokenHash, reset) => queue.submit(smallCommandCharacters, 'addPasswordReset', tokenHash, reset),
    findPasswordReset(tokenHash, now) {
      // No row: no such reset, it expired, or its account is gone.
      const row = reader.get(
        `SELECT account_id, user_id, expires_at, return_query FROM ${ofTheLiving('password_resets')}
         AND token_hash = ? AND expires_at > ?`,
        tokenHash,
        now,
      );
      const reset = row && toPasswordReset(row);
      const user = reset && findUser(reader, reset.accountId, reset.userId);
      return reset && user && { reset, user };
    },
    redeemPasswordReset: (tokenHash, passwordHash, now) =>
      queue.submit(smallCommandCharacters, 'redeemPasswordReset', tokenHash, passwordHash, now),
  };
}

/** The writes of password resets, on the writer thread. */
export function passwordResetWrites(database: DatabaseSync): Pick<Commands, 'addPasswordReset' | 'redeemPasswordReset'> {
  // No change: no such user, or one without a password. Two resets of one hash are a fault of the caller and fail.
  const insertReset = statement(
    database,
    `INSERT INTO password_resets (token_hash, directory_number, user_id, expires_at, return_query)
     SELECT ?3, directory_number, user_id, ?4, ?5 FROM users
     WHERE directory_number = ${directoryNumber} AND user_id = ?2 AND email_key IS NOT NULL`,
  );
  return {
    addPasswordReset: (tokenHash, { accountId, userId, expiresAt, returnQuery }) =>
      insertReset.changes(accountId, userId, tokenHash, expiresAt, encodeText(returnQuery)) === 0 ? 'no_user' : 'added',
    ...redemptions(database),
  };
}

function redemptions(database: DatabaseSync): Pick<Commands, 'redeemPasswordReset'> {
  // No row: no such reset, it expired or was redeemed, or its account is gone.
  const find = statement(
    database,
    `SELECT account_id, password_resets.directory_number, user_id
     FROM ${ofTheLiving('password_resets')} AND token_hash = ?1 AND expires_at > ?2`,
  );
  // No row: the user is gone.
  const change = statement(
    database,
    `UPDATE users SET password_hash = ?3, reset_at = ?4
     WHERE directory_number = ?1 AND user_id = ?2 AND email_key IS NOT NULL
     RETURNING ${userColumns.replaceAll('users.', '')}`,
  );
  // Any number of rows, at least the one that was found.
  const clear = statement(database, 'DELETE FROM password_resets WHERE directory_number = ?1 AND user_id = ?2');
  const clearSignUps = statement(database, deleteSignUpsOfAddress);
  // Any number of rows: somebody who knew the password may have added one.
  const clearPasskeys = statement(database, 'DELETE FROM passkeys WHERE directory_number = ?1 AND user_id = ?2');
  const end = signInEnds(database);
  return {
    redeemPasswordReset(tokenHash, passwordHash, now) {
      const found = find.get(tokenHash, now);
      if (found === undefined) return undefined;
      const [directory, userId] = [found.directory_number as number, found.user_id as string];
      clear.changes(directory, userId);
      const row = change.get(directory, userId, passwordHash, now);
      if (row === undefined) return undefined;
      clearSignUps.changes(directory, row.email_key as string);
      clearPasskeys.changes(directory, userId);
      end(directory, userId);
      return toUser(row, found.account_id as string | null);
    },
  };
}
