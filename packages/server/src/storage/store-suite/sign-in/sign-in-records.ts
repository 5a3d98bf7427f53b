/** Records of sign-in and of user state for tests. */
import { expect } from 'vitest';
import { outsideAmr } from '../../../access/rules/account-status.ts';
import type { AuthorizationCode, RefreshFamily, RefreshTokenKey } from '../../contract/sign-ins.ts';
import type { NewUserState, UserStateKey } from '../../contract/user-states.ts';
import type { Store } from '../../store.ts';
import { hashOf } from '../harness.ts';

export const userKey = (playerId = 'user-1', change: Partial<UserStateKey> = {}): UserStateKey => ({
  accountId: 'acc_1',
  slug: 'p',
  environment: 'production',
  playerId,
  ...change,
});

export const newUserState = (stateText = '{}', writtenAt = 4_000): NewUserState => ({
  stateText,
  stateBytes: Buffer.byteLength(stateText),
  writtenAt,
});

/** Codes expire at 60,000, families after 100,000 without use and at 1,000,000 in any case. */
export const codeOf = (subject: string, change: Partial<AuthorizationCode> = {}): AuthorizationCode => ({
  accountId: 'acc_1',
  slug: 'p',
  environment: 'production',
  clientId: 'acc_1.p',
  subject,
  scope: 'env:production',
  email: 'someone@example.com',
  name: 'Someone',
  redirectUri: 'https://example.com/callback',
  codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  expiresAt: 60_000,
  ...change,
});

export const developerCodeOf = (subject: string, change: Partial<AuthorizationCode> = {}): AuthorizationCode =>
  codeOf(subject, { slug: null, environment: null, clientId: 'svc-developer', scope: 'developer', ...change });

/** The family that a code is spent for. */
export function familyOf(familyId: string, code: AuthorizationCode): RefreshFamily {
  const { accountId, slug, environment, clientId, subject, scope } = code;
  const times = { createdAt: 1_000, idleExpiresAt: 101_000, absoluteExpiresAt: 1_000_000 };
  return { familyId, accountId, slug, environment, clientId, subject, scope, ...times };
}

/** The token of a family with this secret. */
export const tokenOf = (familyId: string, secret: string): RefreshTokenKey => ({ familyId, secretHash: hashOf(secret) });

/** What replaces a token. */
export const nextOf = (secret: string, idleExpiresAt = 200_000) => ({ secretHash: hashOf(secret), idleExpiresAt });

/** Signs a subject in: code `code-{familyId}`, first secret `{familyId}-0`. */
export async function signIn(store: Store, familyId: string, code: AuthorizationCode): Promise<RefreshFamily> {
  const family = familyOf(familyId, code);
  expect(await store.addAuthorizationCode(hashOf(`code-${familyId}`), code)).toBe('added');
  const outcome = await store.redeemAuthorizationCode(hashOf(`code-${familyId}`), family, hashOf(`${familyId}-0`), 1_000);
  expect(outcome).toBe('redeemed');
  return family;
}

/** Ways to sign in, and whether they are strong enough for an account that requires a second factor. */
export const strengths: readonly { readonly amr: string | undefined; readonly isStrong: boolean }[] = [
  { amr: undefined, isStrong: false },
  { amr: 'pwd', isStrong: false },
  { amr: 'pwd otp', isStrong: false },
  { amr: 'pwd fed', isStrong: false },
  { amr: 'outsider', isStrong: false },
  { amr: 'mfa', isStrong: true },
  { amr: 'pwd otp mfa', isStrong: true },
  { amr: 'pop user mfa', isStrong: true },
  { amr: outsideAmr, isStrong: true },
];
