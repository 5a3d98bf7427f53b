/** The source and target stores of `holdfast migrate-store`, and their common secret key. */
import type { IdentityProviderSettings } from '@holdfast/contract';
import type { Config } from '../../config/config.ts';
import { providerSecretRecord } from '../../storage/contract/federation.ts';
import { signingPurposes } from '../../storage/contract/sign-ins.ts';
import { bytesAt, jsonAt, textAt, wordAt } from '../../storage/rows/columns.ts';
import type { TransferSource, TransferTarget } from '../../storage/transfer/copy.ts';
import type { TransferKind, TransferRecord } from '../../storage/transfer/kinds.ts';
import { CommandFault } from '../fault.ts';
import { findSecretKey, type Sealed, secretKeyPath, unopened } from '../secret-key.ts';
import type { StoreLocation } from '../store-location.ts';

/** Opens a store to read all of it. Rejects with an `Error`, which names the store, if it cannot be copied now. */
export async function openSource(location: StoreLocation, keepsCopy = true): Promise<TransferSource> {
  if (location.engine === 'postgres') {
    const { openPostgresSource } = await import('../../storage/postgres/transfer/open.ts');
    return openPostgresSource(location);
  }
  const { openSqliteSource } = await import('../../storage/sqlite/transfer/open.ts');
  return openSqliteSource(location.dataDir, { keepsCopy });
}

/** Opens the target of a copy. Rejects with an `Error`, which names it, if it contains anything but an unfinished copy. */
export async function openTarget(
  location: StoreLocation,
  source: TransferSource,
  restarts: boolean,
): Promise<TransferTarget> {
  if (location.engine === 'postgres') {
    const { openPostgresTarget } = await import('../../storage/postgres/transfer/open.ts');
    return openPostgresTarget(location, source.identity, restarts);
  }
  const { openSqliteTarget } = await import('../../storage/sqlite/transfer/open.ts');
  return openSqliteTarget(location.dataDir, source.identity, restarts);
}

/** The secret key that the service will use with the copy: from its file, or `SVC_SECRET_KEY`. */
interface KeyLocation {
  readonly secretKey: Uint8Array;
  readonly file: string | null;
}

/** Returns the key that the service will use with the copy, if known. */
function findKey({ secretKey }: Pick<Config, 'secretKey'>, locations: readonly StoreLocation[]): KeyLocation | undefined {
  if (secretKey !== undefined) return { secretKey, file: null };
  for (const location of locations) {
    const found =
      location.engine === 'sqlite' ? findSecretKey({ secretKey: undefined, dataDir: location.dataDir }) : undefined;
    if (found && location.engine === 'sqlite') return { secretKey: found, file: secretKeyPath(location.dataDir) };
  }
  return undefined;
}

/** What is known of the secret key of a copy. */
export interface KeyCheck {
  /** Its source: a file, the setting, or null if unknown. */
  readonly key: string | null;
  /** How many sealed values it does not open although it opens others. They did not open in the source either. */
  readonly unopened: number;
}

export const secretKeySetting = 'SVC_SECRET_KEY';

/** Throws `CommandFault` if the copy's key opens none of the source's sealed values. */
export async function checkSecretKey(
  config: Pick<Config, 'secretKey'>,
  from: StoreLocation,
  to: StoreLocation,
  source: TransferSource,
): Promise<KeyCheck> {
  const key = findKey(config, [to, from]);
  if (key === undefined) return { key: null, unopened: 0 };
  const name = key.file ?? secretKeySetting;
  const sealed = await readSealed(source);
  const closed = unopened(sealed, key.secretKey).length;
  if (sealed.length > 0 && closed === sealed.length) {
    throw new CommandFault(
      `${name} is not the secret key of ${from.name}: it opens none of the keys there, so nobody could sign in`,
      `set ${secretKeySetting} to the key that the service used there`,
    );
  }
  return { key: name, unopened: closed };
}

async function readSealed(source: TransferSource): Promise<Sealed[]> {
  const sealed: Sealed[] = [];
  for (const record of await readAll(source, 'signing_keys')) {
    const keyId = textAt(record, 'key_id');
    const kind = wordAt(record, 'purpose', signingPurposes);
    sealed.push({ kind, name: keyId, recordId: keyId, sealed: bytesAt(record, 'sealed_private_jwk') });
  }
  for (const record of await readAll(source, 'identity_providers')) {
    if (record.sealed_secret === null) continue;
    const key = { accountId: textAt(record, 'directory_id'), providerId: textAt(record, 'provider_id') };
    const { issuer } = jsonAt<IdentityProviderSettings>(record, 'settings');
    const recordId = providerSecretRecord(key, issuer);
    const name = `${key.accountId}/${key.providerId}`;
    sealed.push({ kind: 'identity_provider', name, recordId, sealed: bytesAt(record, 'sealed_secret') });
  }
  return sealed;
}

async function readAll(source: TransferSource, kind: TransferKind): Promise<TransferRecord[]> {
  const records: TransferRecord[] = [];
  for await (const batch of source.read(kind, null)) records.push(...batch.records);
  return records;
}
