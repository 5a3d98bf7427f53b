import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { providerSecretRecord } from '../../contract/federation.ts';
import type { SigningKeyRecord } from '../../contract/sign-ins.ts';
import { bytesAt, optionalTextAt, textAt } from '../../rows/columns.ts';
import { toSigningKey } from '../../rows/sign-in-rows.ts';
import { lockPath } from '../directory/database.ts';

/** Returns every signing key of an open database. */
export function readSigningKeys(database: DatabaseSync): SigningKeyRecord[] {
  return database
    .prepare('SELECT purpose, key_id, public_jwk, sealed_private_jwk, created_at FROM signing_keys')
    .all()
    .map(toSigningKey);
}

/** The sealed secret of an identity provider. */
export interface SealedProviderSecret {
  readonly accountId: string;
  readonly providerId: string;
  /** The record that it is sealed for. */
  readonly recordId: string;
  readonly sealed: Uint8Array;
}

/** Returns the secrets of identity providers in an open database, newest first and at most `secretsMax`. */
export function readProviderSecrets(database: DatabaseSync, secretsMax: number): SealedProviderSecret[] {
  // The inspection reports settings that are not JSON.
  const rows = database.prepare(`
    SELECT account_id, provider_id, CASE WHEN json_valid(settings) THEN settings ->> '$.issuer' END AS issuer, sealed_secret
    FROM accounts JOIN identity_providers ON directory_id = account_id
    WHERE sealed_secret IS NOT NULL ORDER BY identity_providers.rowid DESC LIMIT ?`);
  return rows.all(secretsMax).map((row) => {
    const key = { accountId: textAt(row, 'account_id'), providerId: textAt(row, 'provider_id') };
    const recordId = providerSecretRecord(key, optionalTextAt(row, 'issuer'));
    return { ...key, recordId, sealed: bytesAt(row, 'sealed_secret') };
  });
}

/** A sealed publishable API key. */
export interface SealedApiKey {
  readonly accountId: string;
  readonly keyId: string;
  readonly sealed: Uint8Array;
}

/** Returns the sealed publishable keys in an open database, newest first and at most `keysMax`. */
export function readPublishableKeys(database: DatabaseSync, keysMax: number): SealedApiKey[] {
  // No row: the database is older than the column.
  const column = database.prepare("SELECT 1 FROM pragma_table_info('api_keys') WHERE name = 'sealed_key'").get();
  if (column === undefined) return [];
  const rows = database.prepare(`
    SELECT account_id, key_id, sealed_key FROM accounts JOIN api_keys USING (account_id)
    WHERE sealed_key IS NOT NULL ORDER BY api_keys.rowid DESC LIMIT ?`);
  return rows.all(keysMax).map((row) => ({
    accountId: textAt(row, 'account_id'),
    keyId: textAt(row, 'key_id'),
    sealed: bytesAt(row, 'sealed_key'),
  }));
}

/** Whether a server holds the lock of a data directory. Checks without taking the lock. */
export function isServed(dataDir: string): boolean {
  const path = lockPath(dataDir);
  if (!existsSync(path)) return false;
  const lock = new DatabaseSync(path, { readOnly: true, timeout: 0, allowExtension: false });
  try {
    lock.prepare('SELECT count(*) FROM sqlite_schema').get();
    return false;
  } catch {
    return true;
  } finally {
    lock.close();
  }
}
