/** Secrets that the service makes: codes, tokens of links and refresh tokens. Only hashes of them are stored. */
import { hash } from 'node:crypto';
import { randomDigits } from '../ids/base62.ts';

const pattern = /^[0-9A-Za-z]{43}$/;

/** Returns 43 random digits, which are 256 random bits: 62^43 > 2^256. */
export function randomSecret(): string {
  return randomDigits(43);
}

const hashBytes = 32;

/** Returns the SHA-256 under which a secret is stored. It has 256 random bits, so it needs no salt and no slow hash. */
export function hashSecret(secret: string): Uint8Array {
  // Half the time of a hash as a `Buffer`, whose memory lies outside of the heap.
  const text = hash('sha256', secret, 'latin1');
  const bytes = new Uint8Array(hashBytes);
  for (let at = 0; at < hashBytes; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** Returns the hash of a text from a client; undefined if it cannot be a secret. */
export function hashIfSecret(text: string): Uint8Array | undefined {
  return pattern.test(text) ? hashSecret(text) : undefined;
}
