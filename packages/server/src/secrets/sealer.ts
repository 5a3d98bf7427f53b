/**
 * Sealing with the secret keys of an installation (AES-256-GCM).
 *
 * A sealed value is one version byte, a random nonce of 12 bytes, the tag of 16 bytes and the ciphertext. Purpose and record are
 * authenticated too, so a value moved to another record, or used for another purpose, does not open.
 */

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Sealer } from '../common/secrets/sealer.ts';
import { SealFault, SecretFault, type SecretKeys, secretKeyBytes } from './secret-key.ts';

const nonceBytes = 12;
const tagBytes = 16;
const formatVersion = 1;

/**
 * Returns a sealer for one purpose, for example `signing-key`. Its sealed values open only under the same purpose. The first of several
 * keys seals, and all of them open.
 */
export function createSealer(secretKeys: Uint8Array | SecretKeys, purpose: string): Sealer {
  const keys: SecretKeys = secretKeys instanceof Uint8Array ? [secretKeys] : secretKeys;
  for (const { length } of keys) {
    if (length !== secretKeyBytes) throw new SecretFault(`the secret key has ${length} bytes instead of 32`);
  }
  const associatedData = (recordId: string) => Buffer.from(JSON.stringify(['holdfast', formatVersion, purpose, recordId]));
  return {
    seal(plain, recordId) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', keys[0], nonce).setAAD(associatedData(recordId));
      const text = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([Uint8Array.of(formatVersion), nonce, cipher.getAuthTag(), text]);
    },
    open(sealed, recordId) {
      const fault = `cannot open the ${purpose} of ${JSON.stringify(recordId)}`;
      if (sealed.length < 1 + nonceBytes + tagBytes || sealed[0] !== formatVersion) {
        throw new SecretFault(`${fault}: it is not a sealed value of format ${formatVersion}`);
      }
      for (const key of keys) {
        const plain = openedWith(key, sealed, associatedData(recordId));
        if (plain !== undefined) return plain;
      }
      throw new SealFault(`${fault}: it was changed, or sealed with another secret key`);
    },
  };
}

/**
 * Returns a sealer for values, for example tickets, that become invalid once `epoch` returns another number. While it returns 0, it is the
 * sealer of `createSealer`.
 */
export function createEpochSealer(secretKeys: Uint8Array | SecretKeys, purpose: string, epoch: () => number): Sealer {
  const sealer = createSealer(secretKeys, purpose);
  const idOf = (recordId: string) => (epoch() === 0 ? recordId : `${epoch()}/${recordId}`);
  return {
    seal: (plain, recordId) => sealer.seal(plain, idOf(recordId)),
    open: (sealed, recordId) => sealer.open(sealed, idOf(recordId)),
  };
}

/** Returns the opened value; undefined if the key does not match. */
function openedWith(key: Uint8Array, sealed: Uint8Array, associatedData: Uint8Array): Uint8Array | undefined {
  const nonce = sealed.subarray(1, 1 + nonceBytes);
  const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(associatedData).setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(sealed.subarray(1 + nonceBytes + tagBytes)), decipher.final()]);
  } catch {
    return undefined;
  }
}
