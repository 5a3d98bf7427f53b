/** Short-lived secrets of a user: of a sign-up, the code in its mail, and the token of a reset. */
import { createHmac, hash, randomInt } from 'node:crypto';
import { randomDigits } from '../../common/base62.ts';
import { plainCode } from '../../common/typed-code.ts';

const secretPattern = /^[0-9A-Za-z]{43}$/;

/** Returns 43 random digits, which are 256 random bits: 62^43 > 2^256. */
export function newSecret(): string {
  return randomDigits(43);
}

/** Returns the SHA-256 under which a secret is stored; undefined if the string cannot be a secret. */
export function hashSecret(secret: string): Uint8Array | undefined {
  return secretPattern.test(secret) ? hash('sha256', secret, 'buffer') : undefined;
}

/** Returns six random digits, or nine in groups of three. */
export function newCode(length: 'short' | 'long'): string {
  if (length === 'short') return digits(6);
  return [digits(3), digits(3), digits(3)].join(' ');
}

const digits = (count: number) => String(randomInt(10 ** count)).padStart(count, '0');

/** Whether a string without blanks may be a code. */
export const isCode = (plain: string): boolean => /^(?:[0-9]{6}|[0-9]{9})$/.test(plain);

/**
 * Returns the stored form of a code. The key is the secret of the sign-up, which is stored only as a hash. A reader of the database
 * therefore cannot try all codes.
 */
export function hashCode(secret: string, code: string): Uint8Array {
  return createHmac('sha256', secret).update(plainCode(code)).digest();
}
