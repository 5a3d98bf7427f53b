/**
 * The text of an API key: `svck_`, or `svcp_` for a publishable one, 30 random base-62 digits (178 bits), and 6 base-62 digits of the
 * CRC-32 of everything before them. A mistyped or shortened key is thus refused without a look-up, a leaked secret key can be recognised,
 * and a publishable key is not reported as a leak.
 */
import { hash } from 'node:crypto';
import type { ApiKeyKind } from '@holdfast/contract';
import { randomDigits } from '../ids/base62.ts';
import { hasChecksum, withChecksum } from './checksum.ts';

const startLength = 'svck_'.length + 4;
const pattern = /^svc[kp]_[0-9A-Za-z]{36}$/;
const prefixes = { secret: 'svck_', publishable: 'svcp_' } as const satisfies Record<ApiKeyKind, string>;

/** Returns the text of a new API key. */
export function generateApiKey(kind: ApiKeyKind = 'secret'): string {
  return withChecksum(prefixes[kind] + randomDigits(30));
}

/** Whether `text` has the form of an API key and its checksum fits. Says nothing about whether the key exists. */
export function isWellFormedApiKey(text: string): boolean {
  return pattern.test(text) && hasChecksum(text);
}

/** Returns the SHA-256 that a key is stored under. The key has 178 random bits: no salt or slow hash adds anything. */
export function hashApiKey(text: string): Uint8Array {
  return hash('sha256', text, 'buffer');
}

/** Returns the first characters of a key. They distinguish keys and reveal 24 of its 178 bits. */
export function startOfApiKey(text: string): string {
  return text.slice(0, startLength);
}
