/** Passkeys. */
import type { DatabaseSync } from 'node:sqlite';
import type { PasskeyStore } from '../../passkey-store.ts';
import { passkeyColumns, toPasskey } from '../../sign-in-method-rows.ts';
import { statement } from '../directory/database.ts';
import type { Parts } from '../parts.ts';
import { smallCommandCharacters } from '../writer/changes.ts';
import type { Commands } from '../writer/commands.ts';
import { directoryNumber } from './directories.ts';

/** Returns the methods of the store that passkeys need. */
export function createPasskeys({ queue, reader }: Pick<Parts, 'queue' | 'reader'>): PasskeyStore {
  return {
    addPasskey: (passkey, passkeysMax) => queue.submit(smallCommandCharacters, 'addPasskey', passkey, passkeysMax),
    findPasskey({ accountId, credentialId }) {
      // No row: the directory has no such passkey, or its account is gone.
      const row = reader.get(
        `SELECT ${passkeyColumns} FROM passkeys WHERE directory_number = ${directoryNumber} AND credential_id = ?2`,
        accountId,
        credentialId,
      );
      return row && toPasskey(accountId, row);
    },
    listPasskeys(accountId, userId) {
      // Any number of rows.
      const rows = reader.all(
        `SELECT ${passkeyColumns} FROM passkeys WHERE directory_number = ${directoryNumber} AND user_id = ?2
         ORDER BY created_at, passkey_number`,
        accountId,
        userId,
      );
      return rows.map((row) => toPasskey(accountId, row));
    },
    usePasskey: ({ accountId, credentialId }, counter, usedAt) =>
      queue.submit(smallCommandCharacters, 'usePasskey', accountId, credentialId, counter, usedAt),
  };
}

/** The writes of passkeys, on the writer thread. */
export function passkeyWrites(database: DatabaseSync): Pick<Commands, 'addPasskey' | 'usePasskey'> {
  return { ...additions(database), ...uses(database) };
}

function uses(database: DatabaseSync): Pick<Commands, 'usePasskey'> {
  // No change: no such passkey, or its counter does not go forward.
  const use = statement(
    database,
    `UPDATE passkeys SET counter = ?3, last_used_at = ?4
     WHERE directory_number = ${directoryNumber} AND credential_id = ?2 AND (counter < ?3 OR (counter = 0 AND ?3 = 0))`,
  );
  // No row: no such passkey.
  const find = statement(
    database,
    `SELECT 1 FROM passkeys WHERE directory_number = ${directoryNumber} AND credential_id = ?2`,
  );
  return {
    usePasskey(accountId, credentialId, counter, usedAt) {
      if (use.changes(accountId, credentialId, counter, usedAt) > 0) return 'used';
      return find.get(accountId, credentialId) === undefined ? 'absent' : 'stale';
    },
  };
}

function additions(database: DatabaseSync): Pick<Commands, 'addPasskey'> {
  // No row: the account or the user is gone, or the user has no password, or a newer one.
  const findUser = statement(
    database,
    `SELECT directory_number FROM users
     WHERE directory_number = ${directoryNumber} AND user_id = ?2 AND email_key IS NOT NULL
       AND (reset_at IS NULL OR reset_at < ?3)`,
  );
  // One row, always.
  const count = statement(database, 'SELECT count(*) AS count FROM passkeys WHERE directory_number = ? AND user_id = ?');
  // No change: the directory holds the credential already.
  const insert = statement(
    database,
    `INSERT INTO passkeys (directory_number, credential_id, user_id, counter, created_at, last_used_at, transports, public_key)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  return {
    addPasskey({ accountId, credentialId, userId, counter, createdAt, lastUsedAt, transports, publicKey }, passkeysMax) {
      const directory = findUser.get(accountId, userId, createdAt)?.directory_number as number | undefined;
      if (directory === undefined) return 'no_user';
      if ((count.get(directory, userId)?.count as number) >= passkeysMax) return 'too_many';
      const values = [counter, createdAt, lastUsedAt, JSON.stringify(transports), publicKey];
      return insert.changes(directory, credentialId, userId, ...values) === 0 ? 'already_exists' : 'added';
    },
  };
}
