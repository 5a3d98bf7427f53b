/** Refresh tokens as text, and the secrets that follow each other in a family. */
import { createHmac, hash, hkdfSync } from 'node:crypto';
import { base62, randomIdentifier } from '../common/ids/base62.ts';
import { hashSecret } from '../common/secrets/secret-text.ts';
import { exchangeMarkBytes, type RefreshTokenKey } from '../storage/contract/sign-ins.ts';

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
