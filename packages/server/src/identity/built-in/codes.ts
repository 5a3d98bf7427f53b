/** The code in the mail of a sign-up. */
import { createHmac, randomInt } from 'node:crypto';
import { plainCode } from '../../common/text/typed-code.ts';

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
