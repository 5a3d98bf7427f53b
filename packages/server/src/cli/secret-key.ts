/** The secret key of a data folder for commands, which read but never create it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Config } from '../config/config.ts';
import { createSealer } from '../secrets/sealer.ts';
import { loadOrCreateSecretKey, type SecretKeys, secretKeysOf } from '../secrets/secret-key.ts';
import { readProviderSecrets, readSigningKeys } from '../storage/sqlite/inspect/keys.ts';
import type { SigningPurpose } from '../storage/store.ts';

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

/** Values sealed with the secret key: signing keys of each purpose, and secrets of identity providers. */
type SealedKind = SigningPurpose | 'identity_provider';

export interface Sealed {
  readonly kind: SealedKind;
  /** The name shown to people. */
  readonly name: string;
  readonly recordId: string;
  readonly sealed: Uint8Array;
}

/** How many of the newest secrets of identity providers are tried. This is quick and enough to recognize a wrong key. */
export const providerSecretsTried = 1_000;

/** Returns the sealed values of a database, with at most `providerSecretsMax` secrets of identity providers. */
export function readSealed(database: DatabaseSync, providerSecretsMax: number): Sealed[] {
  const keys = readSigningKeys(database).map(({ purpose, keyId, sealedPrivateJwk }) => ({
    kind: purpose,
    name: keyId,
    recordId: keyId,
    sealed: sealedPrivateJwk,
  }));
  const secrets = readProviderSecrets(database, providerSecretsMax).map(({ accountId, providerId, recordId, sealed }) => ({
    kind: 'identity_provider' as const,
    name: `${accountId}/${providerId}`,
    recordId,
    sealed,
  }));
  return [...keys, ...secrets];
}

/** Returns the values that are damaged or sealed with another secret key. */
export function unopened(all: readonly Sealed[], secretKeys: Uint8Array | SecretKeys): Sealed[] {
  const signingKeys = createSealer(secretKeys, 'signing-key');
  const sealers = {
    access_token: signingKeys,
    id_token: signingKeys,
    identity_provider: createSealer(secretKeys, 'identity-provider'),
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
