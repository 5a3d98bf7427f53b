/**
 * Uses of an export's passphrase. scrypt derives three keys from it. One seals secrets with AES-256-GCM. One makes the nonces, each a keyed
 * hash of the sealed value: sealing the same secret of the same record always gives the same text, and no nonce is used for two texts. The
 * third is the key of the MAC over all lines.
 */
import { createCipheriv, createDecipheriv, createHmac, type Hmac, hash, scryptSync } from 'node:crypto';
import { CommandFault } from '../fault.ts';

const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;

/** The cost of guessing the passphrase, in scrypt parameters. */
export interface KeyCost {
  readonly name: 'scrypt';
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** A guess takes 128 MiB and a third of a second. */
export const keyCost: KeyCost = { name: 'scrypt', N: 2 ** 17, r: 8, p: 1 };
/** The highest cost that a file may demand: 512 MiB, and about two seconds. */
const costBounds = { N: [2 ** 14, 2 ** 20], r: [1, 32], p: [1, 4] } as const;
const costBytesMax = 512 * 1024 * 1024;
/** scrypt takes slightly more than 128 · N · r bytes. */
const extraBytes = 1024 * 1024;
const saltBytesMax = 64;

/** Returns the cost that a file demands; undefined if it is too high or invalid. */
export function toKeyCost(given: unknown): KeyCost | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const { name, N, r, p } = given as Readonly<Record<string, unknown>>;
  const isWithin = (value: unknown, [least, most]: readonly [number, number]): value is number =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
  if (name !== 'scrypt' || !isWithin(N, costBounds.N) || !isWithin(r, costBounds.r) || !isWithin(p, costBounds.p))
    return undefined;
  const isPower = Number.isInteger(Math.log2(N));
  return isPower && 128 * N * r <= costBytesMax && N * r * p <= costBytesMax / 128 ? { name, N, r, p } : undefined;
}

/** Whether a text is a salt: base64 of 16 to 64 bytes. */
export function isSalt(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > 2 * saltBytesMax) return false;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length >= 16 && bytes.length <= saltBytesMax && bytes.toString('base64') === text;
}

/** A shorter passphrase protects nothing. */
const passphraseCharactersMin = 12;

export interface ExportSeal {
  /** Base64, for the header of the export. */
  readonly salt: string;
  readonly cost: KeyCost;
  /** Returns base64. `label` identifies the sealed value. */
  seal(plain: Uint8Array, label: string): string;
  /** Returns the value sealed under the label; undefined if it was changed or sealed otherwise. */
  open(sealed: string, label: string): Uint8Array | undefined;
  /** Begins a MAC (HMAC-SHA-256). */
  mac(): Hmac;
}

/** Derives a salt from a text, so that repeating an export gives the same bytes. */
export const saltOf = (text: string): string => hash('sha256', `holdfast export ${text}`, 'buffer').toString('base64');

/** Returns the seal of a passphrase. Throws `CommandFault` if it is too short. */
export function createExportSeal(passphrase: string, salt: string, cost: KeyCost = keyCost): ExportSeal {
  if (passphrase.length < passphraseCharactersMin) {
    throw new CommandFault(`the passphrase has fewer than ${passphraseCharactersMin} characters`);
  }
  const { N, r, p } = cost;
  const maxmem = 128 * N * r + 128 * r * p + extraBytes;
  const keys = scryptSync(passphrase.normalize('NFC'), Buffer.from(salt, 'base64'), 3 * keyBytes, { N, r, p, maxmem });
  const keyAt = (index: number) => keys.subarray(index * keyBytes, (index + 1) * keyBytes);
  const [key, nonceKey, macKey] = [keyAt(0), keyAt(1), keyAt(2)];
  return {
    salt,
    cost,
    mac: () => createHmac('sha256', macKey),
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
