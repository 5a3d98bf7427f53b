/** Users for the tests of passkeys and federation. */
import { expect } from 'vitest';
import type { FederatedIdentity } from '../../contract/federation.ts';
import type { Store } from '../../store.ts';
import { hashOf } from '../harness.ts';

/** Creates a user with a password, whose id and address are `name`. */
export async function passwordUser(store: Store, accountId: string | null, name: string): Promise<void> {
  const key = hashOf(`${accountId}/${name}`);
  const address = { email: name, emailKey: name, name: null, passwordHash: '$argon2id$' };
  const times = { createdAt: 1_000, expiresAt: 100_000 };
  expect(await store.addSignUp(key, { accountId, ...address, codeHash: key, attemptsLeft: 5, ...times })).toBe('added');
  const confirmed = await store.confirmSignUp(key, key, { userId: name, createdAt: 1_000 }, 1_000);
  expect(confirmed.kind).toBe('confirmed');
}

export const identity = (subject: string, change: Partial<FederatedIdentity> = {}): FederatedIdentity => ({
  accountId: 'acc_1',
  providerId: 'google.com',
  issuer: 'https://accounts.google.com',
  subject,
  ...change,
});

/** Signs an identity in, creating `userId` if it is new. Returns the user. */
export async function federatedUser(
  store: Store,
  known: FederatedIdentity,
  userId: string,
  { createdAt = 1_000, email = null as string | null, name = null as string | null } = {},
) {
  return store.signInFederatedUser(known, { email, name }, { userId, createdAt });
}
