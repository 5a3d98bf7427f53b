/** The key of a developer in tables. */
import { createHash } from 'node:crypto';

/** The SHA-256 of issuer and subject. */
export const developerHash = (issuer: string, subject: string): Uint8Array =>
  createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest();
