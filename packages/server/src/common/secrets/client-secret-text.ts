/** The text of a service account's secret: `svcs_`, 30 random base-62 digits (178 bits), and the checksum of both. */
import { hash } from 'node:crypto';
import { randomDigits } from '../ids/base62.ts';
import { hasChecksum, withChecksum } from './checksum.ts';

const pattern = /^svcs_[0-9A-Za-z]{36}$/;

/** Returns the text of a new secret. */
export function generateClientSecret(): string {
  return withChecksum(`svcs_${randomDigits(30)}`);
}

/** Returns the SHA-256 that a secret is stored under; undefined for a text that is not a secret, such as one with a typo. */
export function hashClientSecret(text: string): Uint8Array | undefined {
  return pattern.test(text) && hasChecksum(text) ? hash('sha256', text, 'buffer') : undefined;
}
