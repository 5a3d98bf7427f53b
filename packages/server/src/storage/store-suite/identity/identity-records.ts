/** Records of the built-in identity provider for tests. */
import { expect } from 'vitest';
import type { PasswordReset, PendingSignUp, User } from '../../contract/identity.ts';
import type { Passkey } from '../../contract/own-methods.ts';
import type { Store } from '../../store.ts';
import { hashOf } from '../harness.ts';

/** Sign-ups expire at 60,000. The right code is `code`. */
export const signUpOf = (accountId: string | null, email = 'ada@example.com', change: Partial<PendingSignUp> = {}) => ({
  accountId,
  email,
  emailKey: email.toLowerCase(),
  name: 'Ada',
  passwordHash: `$argon2id$v=19$m=8,t=1,p=1$${email.length}`,
  codeHash: hashOf('code'),
  attemptsLeft: 5,
  createdAt: 1_000,
  expiresAt: 60_000,
  ...change,
});

/** Resets expire at 60,000. */
export const resetOf = ({ accountId, userId }: Pick<User, 'accountId' | 'userId'>): PasswordReset => ({
  accountId,
  userId,
  returnQuery: 'client_id=acc_1.p',
  expiresAt: 60_000,
});

/** A passkey of a user, begun at the given time. */
export const passkeyOf = (
  { accountId, userId }: Pick<User, 'accountId' | 'userId'>,
  credentialId: string,
  createdAt: number,
): Passkey => ({
  accountId,
  userId,
  credentialId,
  createdAt,
  publicKey: Uint8Array.of(1),
  counter: 0,
  transports: [],
  lastUsedAt: null,
});

/** Creates a user by a sign-up and its confirmation at 2,000. */
export async function createUser(store: Store, accountId: string | null, email = 'ada@example.com'): Promise<User> {
  const signUp = signUpOf(accountId, email);
  const hash = hashOf(`sign-up ${accountId} ${email}`);
  expect(await store.addSignUp(hash, signUp)).toBe('added');
  const userId = `usr_${accountId}_${email}`;
  const outcome = await store.confirmSignUp(hash, hashOf('code'), { userId, createdAt: 2_000 }, 2_000);
  if (outcome.kind !== 'confirmed') throw new Error(outcome.kind);
  return outcome.user;
}
