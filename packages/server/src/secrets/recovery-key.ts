/** The key that hashes recovery codes. Codes cannot be hashed again with another key, so this key is kept when the secret key changes. */
import { hkdfSync } from 'node:crypto';
import { type KeptKey, keptKeyPurpose, keptKeyRecord } from '../storage/contract/kept-keys.ts';
import type { Store } from '../storage/store.ts';
import { createSealer } from './sealer.ts';
import { SealFault, type SecretKeys } from './secret-key.ts';

/** Returns the 32 bytes derived from a secret key. */
export const recoveryKeyOf = (secretKey: Uint8Array): Uint8Array =>
  Buffer.from(hkdfSync('sha256', secretKey, '', 'holdfast recovery code', 32));

/** Returns what reads the recovery keys: those derived from the secret keys of this process, and those kept from earlier ones. */
export function createRecoveryKeys(
  store: Pick<Store, 'listKeptKeys'>,
  secretKeys: SecretKeys,
): () => Promise<readonly [Uint8Array, ...Uint8Array[]]> {
  const [first, ...others] = secretKeys;
  const own = [recoveryKeyOf(first), ...others.map(recoveryKeyOf)] as const;
  const keptKeys = createSealer(secretKeys, keptKeyPurpose);
  const opened = (key: KeptKey): Uint8Array[] => {
    try {
      return [keptKeys.open(key.sealedKey, keptKeyRecord(key))];
    } catch (error) {
      if (error instanceof SealFault) return []; // only its codes are lost
      throw error;
    }
  };
  return async () => [...own, ...(await store.listKeptKeys()).flatMap(opened)];
}
