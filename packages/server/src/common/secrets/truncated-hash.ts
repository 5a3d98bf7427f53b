import { hash } from 'node:crypto';

/** Returns the first half of a SHA-256 hash, in memory of its own. */
export const truncatedHash = (data: string | Uint8Array): Uint8Array =>
  Uint8Array.from(hash('sha256', data, 'buffer').subarray(0, 16));
