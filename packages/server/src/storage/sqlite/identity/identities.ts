/** Users of the built-in identity provider, and the sweep of unfinished sign-ups and resets. */
import type { DatabaseSync } from 'node:sqlite';
import { toUser } from '../../identity-rows.ts';
import type { IdentityStore, User } from '../../identity-store.ts';
import { encodeText } from '../../rows.ts';
import { statement } from '../directory/database.ts';
import type { Parts } from '../parts.ts';
import type { Reader } from '../reader.ts';
import { smallCommandCharacters } from '../writer/changes.ts';
import type { Commands } from '../writer/commands.ts';
import { directoryNumber, userColumns } from './directories.ts';

type Identities = Pick<IdentityStore, 'findUser' | 'findUserByEmail' | 'replacePasswordHash' | 'sweepExpiredIdentities'>;

/** Returns the methods of the store that keep users with a password. */
export function createIdentities({ queue, reader }: Pick<Parts, 'queue' | 'reader'>): Identities {
  return {
    findUser: (accountId, userId) => findUser(reader, accountId, userId),
    findUserByEmail(accountId, emailKey) {
      // No row: no such directory, or nobody in it with that address and a password.
      const row = reader.get(
        `SELECT ${userColumns} FROM users WHERE directory_number = ${directoryNumber} AND email_key = ?2`,
        accountId,
        encodeText(emailKey),
      );
      return row && toUser(row, accountId);
    },
    replacePasswordHash: ({ accountId, userId }, expected, next) =>
      queue.submit(smallCommandCharacters, 'replacePasswordHash', accountId, userId, expected, next),
    sweepExpiredIdentities: (now) => queue.submit(smallCommandCharacters, 'sweepExpiredIdentities', now),
  };
}

/** Returns a user of a directory, undefined when there is none. */
export function findUser(reader: Reader, accountId: string | null, userId: string): User | undefined {
  // No row: no such directory or user.
  const row = reader.get(
    `SELECT ${userColumns} FROM users WHERE directory_number = ${directoryNumber} AND user_id = ?2`,
    accountId,
    userId,
  );
  return row && toUser(row, accountId);
}

/** The writes of users with a password, on the writer thread. */
export function identityWrites(database: DatabaseSync): Pick<Commands, 'replacePasswordHash' | 'sweepExpiredIdentities'> {
  return { ...passwordHashes(database), ...expiry(database) };
}

function passwordHashes(database: DatabaseSync): Pick<Commands, 'replacePasswordHash'> {
  // No change: no such user, or the password is another one by now.
  const replace = statement(
    database,
    `UPDATE users SET password_hash = ?4
     WHERE directory_number = ${directoryNumber} AND user_id = ?2 AND password_hash = ?3`,
  );
  return {
    replacePasswordHash: (accountId, userId, expected, next) =>
      replace.changes(accountId, userId, expected, next) === 0 ? 'superseded' : 'replaced',
  };
}

/** Rows of each kind that one sweep deletes at most. */
const sweepRowsMax = 250;

function expiry(database: DatabaseSync): Pick<Commands, 'sweepExpiredIdentities'> {
  // Any number of rows each, up to the bound.
  const removals = (
    [
      ['pending_sign_ups', 'sign_up_number'],
      ['password_resets', 'password_reset_number'],
    ] as const
  ).map(([table, number]) =>
    statement(
      database,
      `DELETE FROM ${table} WHERE ${number} IN
         (SELECT ${number} FROM ${table} WHERE expires_at <= ? ORDER BY expires_at LIMIT ${sweepRowsMax})`,
    ),
  );
  return {
    sweepExpiredIdentities: (now) => removals.reduce((removed, removal) => removed + removal.changes(now), 0),
  };
}
