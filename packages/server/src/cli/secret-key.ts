/** The secret key of a data folder for commands, which read but never create it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Config } from '../config/config.ts';
import { createSealer } from '../secrets/sealer.ts';
import { loadOrCreateSecretKey, type SecretKeys, secretKeysOf } from '../secrets/secret-key.ts';
import { apiKeyRecord, publishableKeyPurpose } from '../storage/contract/api-keys.ts';
import type { SigningPurpose } from '../storage/contract/sign-ins.ts';
import { readProviderSecrets, readPublishableKeys, readSigningKeys } from '../storage/sqlite/inspect/keys.ts';

export const secretKeyPath = (dataDir: string): string => join(dataDir, 'secret.key');

/**
 * Returns the key that the service would use on this data folder; undefined if there is none. Throws `SecretFault` if the file has no key,
 * or if users other than its owner can access it.
 */
export function findSecretKey({ secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>): Uint8Array | undefined {
  if (secretKey !== undefined) return secretKey;
  return existsSync(secretKeyPath(dataDir)) ? loadOrCreateSecretKey(dataDir) : undefined;
}

/** Returns the keys that the service would use on this data folder, including the one that only opens. Otherwise like `findSecretKey`. */
export function findSecretKeys(config: Pick<Config, 'secretKey' | 'secretKeyOther' | 'dataDir'>): SecretKeys | undefined {
  const sealing = findSecretKey(config);
  return sealing && secretKeysOf(sealing, config.secretKeyOther);
}

/** Values sealed with the secret key: signing keys of each purpose, secrets of identity providers, publishable API keys. */
type SealedKind = SigningPurpose | 'identity_provider' | 'api_key';

export interface Sealed {
  readonly kind: SealedKind;
  /** The name shown to people. */
  readonly name: string;
  readonly recordId: string;
  readonly sealed: Uint8Array;
}

/** How many of the newest provider secrets and API keys are tried. This is quick and enough to recognize a wrong key. */
export const secretsTried = 1_000;

/** Returns the sealed values of a database without which people cannot sign in, with at most `secretsMax` provider secrets. */
export function readSealed(database: DatabaseSync, secretsMax: number): Sealed[] {
  const keys = readSigningKeys(database).map(({ purpose, keyId, sealedPrivateJwk }) => ({
    kind: purpose,
    name: keyId,
    recordId: keyId,
    sealed: sealedPrivateJwk,
  }));
  const secrets = readProviderSecrets(database, secretsMax).map(({ accountId, providerId, recordId, sealed }) => ({
    kind: 'identity_provider' as const,
    name: `${accountId}/${providerId}`,
    recordId,
    sealed,
  }));
  return [...keys, ...secrets];
}

/** Returns the sealed publishable API keys of a database, at most `keysMax`. They work without the secret key, but are not shown. */
export function readSealedApiKeys(database: DatabaseSync, keysMax: number): Sealed[] {
  return readPublishableKeys(database, keysMax).map(({ accountId, keyId, sealed }) => ({
    kind: 'api_key',
    name: keyId,
    recordId: apiKeyRecord({ accountId, keyId }),
    sealed,
  }));
}

/** Returns the values that are damaged or sealed with another secret key. */
export function unopened(all: readonly Sealed[], secretKeys: Uint8Array | SecretKeys): Sealed[] {
  const signingKeys = createSealer(secretKeys, 'signing-key');
  const sealers = {
    access_token: signingKeys,
    id_token: signingKeys,
    identity_provider: createSealer(secretKeys, 'identity-provider'),
    api_key: createSealer(secretKeys, publishableKeyPurpose),
  } as const satisfies Record<SealedKind, unknown>;
  return all.filter(({ kind, recordId, sealed }) => {
    try {
      sealers[kind].open(sealed, recordId);
      return false;
    } catch {
      return true;
    }
  });
}
