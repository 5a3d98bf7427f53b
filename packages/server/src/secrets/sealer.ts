/**
 * Sealing with the secret key of an installation (AES-256-GCM).
 *
 * A sealed value is one version byte, a random nonce of 12 bytes, the tag of 16 bytes and the ciphertext. Purpose and record
 * are authenticated too, so a value that was moved to another record, or is used for another purpose, does not open.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { SealFault, SecretFault, secretKeyBytes } from './secret-key.ts';

const nonceBytes = 12;
const tagBytes = 16;
const formatVersion = 1;

export interface Sealer {
  /** Encrypts `plain` for the record `recordId`. */
  seal(plain: Uint8Array, recordId: string): Uint8Array;
  /** Returns what was sealed for `recordId`; throws `SecretFault` when the value, record, purpose or key does not match. */
  open(sealed: Uint8Array, recordId: string): Uint8Array;
}

/** Returns a sealer for one purpose, such as `signing-key`. What it seals opens only under the same purpose. */
export function createSealer(secretKey: Uint8Array, purpose: string): Sealer {
  if (secretKey.length !== secretKeyBytes)
    throw new SecretFault(`the secret key has ${secretKey.length} bytes instead of 32`);
  const associatedData = (recordId: string) => Buffer.from(JSON.stringify(['holdfast', formatVersion, purpose, recordId]));
  return {
    seal(plain, recordId) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', secretKey, nonce).setAAD(associatedData(recordId));
      const text = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([Uint8Array.of(formatVersion), nonce, cipher.getAuthTag(), text]);
    },
    open(sealed, recordId) {
      const fault = `cannot open the ${purpose} of ${JSON.stringify(recordId)}`;
      if (sealed.length < 1 + nonceBytes + tagBytes || sealed[0] !== formatVersion) {
        throw new SecretFault(`${fault}: it is not a sealed value of format ${formatVersion}`);
      }
      const nonce = sealed.subarray(1, 1 + nonceBytes);
      const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes);
      const decipher = createDecipheriv('aes-256-gcm', secretKey, nonce, { authTagLength: tagBytes });
      decipher.setAAD(associatedData(recordId)).setAuthTag(tag);
      try {
        return Buffer.concat([decipher.update(sealed.subarray(1 + nonceBytes + tagBytes)), decipher.final()]);
      } catch (cause) {
        throw new SealFault(`${fault}: it was changed, or sealed with another secret key`, { cause });
      }
    },
  };
}
