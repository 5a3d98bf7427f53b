/**
 * The text of a secret of a service account: `svcs_`, 30 random base-62 digits (178 bits), and the check sum of both.
 */
import { hash } from 'node:crypto';
import { randomDigits } from './base62.ts';
import { hasChecksum, withChecksum } from './checksum.ts';

const pattern = /^svcs_[0-9A-Za-z]{36}$/;

/** Returns the text of a new secret. */
export function generateClientSecret(): string {
  return withChecksum(`svcs_${randomDigits(30)}`);
}

/** Returns the SHA-256 under which a secret is stored; undefined for a text that is no secret, such as one with a typo. */
export function hashClientSecret(text: string): Uint8Array | undefined {
  return pattern.test(text) && hasChecksum(text) ? hash('sha256', text, 'buffer') : undefined;
}
