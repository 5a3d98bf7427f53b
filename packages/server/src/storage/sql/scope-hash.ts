import { hash } from 'node:crypto';

/** Returns what is stored for the scope of repeated writes (repeat-scopes.ts). */
export const scopeHash = (scope: string): Uint8Array => hash('sha256', scope, 'buffer').subarray(0, 16);
