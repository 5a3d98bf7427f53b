/** Codes and refresh tokens as text. Only hashes of them are stored. */
import { hash } from 'node:crypto';
import { randomDigits, randomIdentifier } from '../common/base62.ts';
import type { RefreshTokenKey } from '../storage/sign-in-store.ts';

/** Returns 43 random digits, which are 256 random bits: 62^43 > 2^256. */
export function randomSecret(): string {
  return randomDigits(43);
}

/** Returns the SHA-256 under which a secret is stored. It has 256 random bits, so it needs no salt and no slow hash. */
export function hashSecret(secret: string): Uint8Array {
  return hash('sha256', secret, 'buffer');
}

const refreshTokenPattern = /^svcr_([0-9A-Za-z]{22})\.([0-9A-Za-z]{43})$/;

/** Returns a new family id: 128 random bits, so only a holder of a token of the family can know it. */
export const newFamilyId: () => string = randomIdentifier;

/** Returns the text of a refresh token. */
export function refreshTokenText(familyId: string, secret: string): string {
  return `svcr_${familyId}.${secret}`;
}

/** Returns under which key a refresh token is stored, or undefined when the text is none. */
export function parseRefreshToken(text: string): RefreshTokenKey | undefined {
  const [, familyId, secret] = refreshTokenPattern.exec(text) ?? [];
  return familyId === undefined || secret === undefined ? undefined : { familyId, secretHash: hashSecret(secret) };
}
