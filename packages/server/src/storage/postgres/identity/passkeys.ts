/** Passkeys. */
import type { Passkey, PasskeyStore } from '../../passkey-store.ts';
import { passkeyColumns, toPasskey } from '../../sign-in-method-rows.ts';
import { clockMicros, type Query } from '../connection/query.ts';
import type { Parts } from '../parts.ts';
import { directory, isDirectory } from './directories.ts';

/** Returns the methods of the store that passkeys need. */
export function createPasskeys({ database }: Pick<Parts, 'database'>): PasskeyStore {
  return {
    addPasskey: (passkey, passkeysMax) =>
      database.transaction('read committed', (query) => add(query, passkey, passkeysMax)),
    async findPasskey({ accountId, credentialId }) {
      // No row: the directory has no such passkey, or its account is gone.
      const [row] = await database.query(
        `SELECT ${passkeyColumns} FROM passkeys
         WHERE directory_id = ${directory} AND credential_id = $2 AND ${isDirectory}`,
        [accountId, sought(credentialId)],
      );
      return row && toPasskey(accountId, row);
    },
    async listPasskeys(accountId, userId) {
      // Any number of rows.
      const rows = await database.query(
        `SELECT ${passkeyColumns} FROM passkeys WHERE directory_id = ${directory} AND user_id = $2 AND ${isDirectory}
         ORDER BY created_at, created_micros`,
        [accountId, userId],
      );
      return rows.map((row) => toPasskey(accountId, row));
    },
    async usePasskey({ accountId, credentialId }, counter, usedAt) {
      // No row: no such passkey, or its counter does not go forward.
      const used = await database.query(
        `UPDATE passkeys SET counter = $3, last_used_at = $4
         WHERE directory_id = ${directory} AND credential_id = $2 AND ${isDirectory}
           AND (counter < $3::bigint OR (counter = 0 AND $3::bigint = 0))
         RETURNING credential_id`,
        [accountId, sought(credentialId), counter, usedAt],
      );
      if (used.length > 0) return 'used';
      // No row: no such passkey.
      const found = await database.query(
        `SELECT 1 FROM passkeys WHERE directory_id = ${directory} AND credential_id = $2 AND ${isDirectory}`,
        [accountId, sought(credentialId)],
      );
      return found.length === 0 ? 'absent' : 'stale';
    },
  };
}

/**
 * A browser can send any text as the id of a credential, but no row can hold a NUL. The search uses a character instead that
 * no id has.
 */
const sought = (credentialId: string): string => credentialId.replaceAll('\0', '\ufffd');

/**
 * The first statement locks the user until the end of the transaction, so neither a reset nor another passkey can come in
 * between.
 */
async function add(
  query: Query,
  { accountId, credentialId, userId, counter, createdAt, lastUsedAt, transports, publicKey }: Passkey,
  passkeysMax: number,
): Promise<'added' | 'already_exists' | 'no_user' | 'too_many'> {
  // No row: the account or the user does not exist, or the user has no password, or a newer one. Writing to the row,
  // although nothing in it changes, stops a deletion of the user even if that began before.
  const [user] = await query(
    `UPDATE users SET reset_at = reset_at
     WHERE directory_id = ${directory} AND user_id = $2 AND email_key IS NOT NULL AND (reset_at IS NULL OR reset_at < $3)
       AND ${isDirectory}
     RETURNING directory_id`,
    [accountId, userId, createdAt],
  );
  if (user === undefined) return 'no_user';
  const directoryId = user.directory_id as string;
  // One row, always.
  const [present] = await query('SELECT count(*) AS passkeys FROM passkeys WHERE directory_id = $1 AND user_id = $2', [
    directoryId,
    userId,
  ]);
  if ((present?.passkeys as number) >= passkeysMax) return 'too_many';
  // No row: the directory holds the credential already.
  const added = await query(
    `INSERT INTO passkeys (directory_id, credential_id, user_id, counter, created_at, created_micros, last_used_at, transports,
       public_key)
     VALUES ($1, $2, $3, $4, $5, ${clockMicros}, $6, $7, $8)
     ON CONFLICT (directory_id, credential_id) DO NOTHING RETURNING credential_id`,
    [directoryId, credentialId, userId, counter, createdAt, lastUsedAt, JSON.stringify(transports), publicKey],
  );
  return added.length === 0 ? 'already_exists' : 'added';
}
