/** The secret key of a data folder, seen from beside the service: looked at, never made. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Config } from '../config/config.ts';
import { createSealer } from '../secrets/sealer.ts';
import { loadOrCreateSecretKey } from '../secrets/secret-key.ts';
import { readProviderSecrets, readSigningKeys } from '../storage/sqlite/inspect/keys.ts';
import type { SigningPurpose } from '../storage/store.ts';

export const secretKeyPath = (dataDir: string): string => join(dataDir, 'secret.key');

/**
 * Returns the key that the service would use on this data folder, or undefined when there is none yet. Throws `SecretFault`
 * when the file holds no key, or others than its owner may touch it.
 */
export function findSecretKey({ secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>): Uint8Array | undefined {
  if (secretKey !== undefined) return secretKey;
  return existsSync(secretKeyPath(dataDir)) ? loadOrCreateSecretKey(dataDir) : undefined;
}

/** What is sealed with the secret key: signing keys by what they sign, and the secrets of identity providers. */
type SealedKind = SigningPurpose | 'identity_provider';

export interface Sealed {
  readonly kind: SealedKind;
  /** How people know it. */
  readonly name: string;
  readonly recordId: string;
  readonly sealed: Uint8Array;
}

/** Newest secrets of identity providers that are tried: enough to tell a wrong key, and soon done. */
export const providerSecretsTried = 1_000;

/** Returns what a database holds sealed, of the secrets of identity providers at most `providerSecretsMax`. */
export function readSealed(database: DatabaseSync, providerSecretsMax: number): Sealed[] {
  const keys = readSigningKeys(database).map(({ purpose, keyId, sealedPrivateJwk }) => ({
    ...{ kind: purpose, name: keyId, recordId: keyId, sealed: sealedPrivateJwk },
  }));
  const secrets = readProviderSecrets(database, providerSecretsMax).map(({ accountId, providerId, recordId, sealed }) => ({
    ...{ kind: 'identity_provider' as const, name: `${accountId}/${providerId}`, recordId, sealed },
  }));
  return [...keys, ...secrets];
}

/** Returns those that were sealed with another secret key, or were damaged. */
export function unopened(all: readonly Sealed[], secretKey: Uint8Array): Sealed[] {
  const signingKeys = createSealer(secretKey, 'signing-key');
  const sealers = {
    access_token: signingKeys,
    id_token: signingKeys,
    identity_provider: createSealer(secretKey, 'identity-provider'),
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
