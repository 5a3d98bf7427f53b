/** Numbers and randomness in the digits 0-9, A-Z, a-z. */
import { randomBytes, randomInt } from 'node:crypto';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns `value` in base 62, padded with zeros to `length` digits. */
export function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = digits[Number(rest % 62n)] + text;
  return text.padStart(length, '0');
}

/** Returns 128 random bits as 22 digits: 62^21 < 2^128 < 62^22. */
export function randomIdentifier(): string {
  return base62(BigInt(`0x${randomBytes(16).toString('hex')}`), 22);
}

/** Returns `length` random digits, each of the 62 equally likely. */
export function randomDigits(length: number): string {
  let text = '';
  while (text.length < length) text += digits[randomInt(62)];
  return text;
}
