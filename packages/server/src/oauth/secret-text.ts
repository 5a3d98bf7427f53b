/** Codes and refresh tokens as text. Only hashes of them are stored. */
import { createHmac, hash, hkdfSync } from 'node:crypto';
import { base62, randomDigits, randomIdentifier } from '../common/base62.ts';
import { exchangeMarkBytes, type RefreshTokenKey } from '../storage/contract/sign-ins.ts';

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

const refreshTokenPattern = /^svcr_([0-9A-Za-z]{22})\.([0-9A-Za-z]{43})$/;

/** Returns a new family id: 128 random bits, so only holders of the family's tokens can know it. */
export const newFamilyId: () => string = randomIdentifier;

/** Returns the text of a refresh token. */
export function refreshTokenText(familyId: string, secret: string): string {
  return `svcr_${familyId}.${secret}`;
}

/** A refresh token as it was presented. */
export interface PresentedToken extends RefreshTokenKey {
  readonly secret: string;
}

/** Returns a refresh token with the key that it is stored under, or undefined if the text is not one. */
export function parseRefreshToken(text: string): PresentedToken | undefined {
  const [, familyId, secret] = refreshTokenPattern.exec(text) ?? [];
  return familyId === undefined || secret === undefined ? undefined : { familyId, secret, secretHash: hashSecret(secret) };
}

/**
 * The secret that follows a presented one if the client's key may come again: always the same, so only its hash must be kept. It depends
 * on the presented secret, which only the client has, and the key of the installation. While that key changes, a second secret follows the
 * first: the one that a node with the other key has made.
 */
export type SecretChain = (token: PresentedToken, key: string) => readonly string[];

/** Returns the chain of an installation, whose secret keys have 32 bytes. */
export function createSecretChain(secretKeys: readonly Uint8Array[]): SecretChain {
  const chainKeys = secretKeys.map((secretKey) =>
    Buffer.from(hkdfSync('sha256', secretKey, '', 'holdfast next refresh token', 32)),
  );
  return ({ familyId, secret }, key) =>
    chainKeys.map((chainKey) => {
      // Family and secret have a fixed length, so the string is unambiguous.
      const next = createHmac('sha256', chainKey).update(`${familyId}${secret}${key}`).digest('hex');
      return base62(BigInt(`0x${next}`), 43);
    });
}

/**
 * Returns the mark of an exchange with a key, which its family stores. It does not depend on the installation's keys, so a repeat is
 * recognised even if its token cannot be made again.
 */
export function markOf({ secret }: PresentedToken, key: string): Uint8Array {
  // In separate memory: it may be sent to another thread.
  return Uint8Array.from(hash('sha256', `${secret} ${key}`, 'buffer').subarray(0, exchangeMarkBytes));
}
