/**
 * Sealing secrets of an export under a passphrase: scrypt makes two keys of it, AES-256-GCM encrypts. The nonce is a keyed hash of what is
 * sealed, so the same secret of the same record is always sealed to the same text, and no nonce is used for two texts.
 */
import { createCipheriv, createDecipheriv, createHmac, hash, scryptSync } from 'node:crypto';
import { CommandFault } from './fault.ts';

const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;
/** Costs a guess 128 MiB and a third of a second. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 } as const;

/** A shorter passphrase is no protection. */
export const passphraseCharactersMin = 12;

export interface ExportSeal {
  /** Base64, for the header of the export. */
  readonly salt: string;
  /** Returns base64. `label` says what it is. */
  seal(plain: Uint8Array, label: string): string;
  /** Returns what was sealed under the label, or undefined when it was sealed otherwise or changed. */
  open(sealed: string, label: string): Uint8Array | undefined;
}

/** A salt that is always the same for a text, so that the same export has the same bytes. */
export const saltOf = (text: string): string => hash('sha256', `holdfast export ${text}`, 'buffer').toString('base64');

/** Returns the seal of a passphrase. Throws `CommandFault` when it is too short. */
export function createExportSeal(passphrase: string, salt: string): ExportSeal {
  if (passphrase.length < passphraseCharactersMin) {
    throw new CommandFault(`the passphrase has fewer than ${passphraseCharactersMin} characters`);
  }
  const keys = scryptSync(passphrase.normalize('NFC'), Buffer.from(salt, 'base64'), 2 * keyBytes, cost);
  const [key, nonceKey] = [keys.subarray(0, keyBytes), keys.subarray(keyBytes)];
  return {
    salt,
    seal(plain, label) {
      const nonce = createHmac('sha256', nonceKey).update(`${label.length}:${label}`).update(plain).digest();
      const cipher = createCipheriv('aes-256-gcm', key, nonce.subarray(0, nonceBytes)).setAAD(Buffer.from(label));
      const text = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([nonce.subarray(0, nonceBytes), cipher.getAuthTag(), text]).toString('base64');
    },
    open(sealed, label) {
      const bytes = Buffer.from(sealed, 'base64');
      if (bytes.length < nonceBytes + tagBytes) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(label)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
      } catch {
        return undefined;
      }
    },
  };
}
