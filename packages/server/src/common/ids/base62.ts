/** Numbers and randomness in the digits 0-9, A-Z, a-z. */
import { hash, randomBytes, randomFillSync } from 'node:crypto';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns `value` in base 62, padded with zeros to `length` digits. */
export function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = digits[Number(rest % 62n)] + text;
  return text.padStart(length, '0');
}

/** Returns 128 bits, as 32 hexadecimal digits, in 22 digits: 62^21 < 2^128 < 62^22. */
const identifierOf = (hex: string): string => base62(BigInt(`0x${hex}`), 22);

/** Returns 128 random bits as 22 digits. */
export const randomIdentifier = (): string => identifierOf(randomBytes(16).toString('hex'));

/** Returns the first 128 bits of a text's SHA-256 as 22 digits: the same for the same text, and otherwise like a random identifier. */
export const hashedIdentifier = (text: string): string => identifierOf(hash('sha256', text).slice(0, 32));

/** Random bytes, taken from the runtime for many digits at once. Each is used for one digit and overwritten. */
const random = new Uint8Array(4_096);
let unused = 0;
/** Bytes from here on are skipped, so that each digit is equally likely: 248 = 4 · 62. */
const byteEnd = 248;

/** Returns `length` random digits, each of the 62 equally likely. */
export function randomDigits(length: number): string {
  let text = '';
  while (text.length < length) {
    if (unused === 0) unused = randomFillSync(random).length;
    const byte = random[--unused] as number;
    random[unused] = 0;
    if (byte < byteEnd) text += digits[byte % 62];
  }
  return text;
}
