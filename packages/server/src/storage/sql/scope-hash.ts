import { hash } from 'node:crypto';

/** Returns the stored form of a scope of repeated writes (repeat-store.ts). */
export const scopeHash = (scope: string): Uint8Array => hash('sha256', scope, 'buffer').subarray(0, 16);
