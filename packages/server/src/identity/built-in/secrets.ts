/** Short-lived secrets of a user: that of a sign-up, the code in its mail, the token of a reset. */
import { createHmac, hash, randomInt } from 'node:crypto';
import { randomDigits } from '../../common/base62.ts';
import { plainCode } from '../../common/typed-code.ts';

const codeDigits = 6;
const secretPattern = /^[0-9A-Za-z]{43}$/;

/** Returns 43 random digits, which are 256 random bits: 62^43 > 2^256. */
export function newSecret(): string {
  return randomDigits(43);
}

/** Returns the SHA-256 under which a secret is stored, or undefined for a text that cannot be one. */
export function hashSecret(secret: string): Uint8Array | undefined {
  return secretPattern.test(secret) ? hash('sha256', secret, 'buffer') : undefined;
}

/** Returns six random digits. */
export function newCode(): string {
  return String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0');
}

/**
 * Returns what is stored of a code. The key is the secret of the sign-up, of which only a hash is stored. So a reader of the database
 * cannot try the million codes.
 */
export function hashCode(secret: string, code: string): Uint8Array {
  return createHmac('sha256', secret).update(plainCode(code)).digest();
}
