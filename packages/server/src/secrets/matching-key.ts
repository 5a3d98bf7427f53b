/** Checks that the secret key matches a database before anything in it is changed. */
import type { SigningKeyRecord } from '../storage/contract/sign-ins.ts';
import { createSealer } from './sealer.ts';
import { SealFault, type SecretKeys } from './secret-key.ts';

/**
 * Throws `SealFault` unless the secret keys open the newest access-token signing key, which every start opens. A database without one
 * matches every key. Undefined: there is no secret key.
 */
export function requireMatchingKey(secretKeys: SecretKeys | undefined, signingKeys: readonly SigningKeyRecord[]): void {
  const newest = signingKeys
    .filter(({ purpose }) => purpose === 'access_token')
    .reduce<SigningKeyRecord | undefined>((last, key) => (last && last.createdAt >= key.createdAt ? last : key), undefined);
  if (newest === undefined) return;
  if (secretKeys === undefined) throw new SealFault('there is no secret key, and signing keys are sealed with one');
  createSealer(secretKeys, 'signing-key').open(newest.sealedPrivateJwk, newest.keyId);
}
