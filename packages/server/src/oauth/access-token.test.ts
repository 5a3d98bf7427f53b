import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStoreFixture, type StoreFixture } from '../access/store.fixture.ts';
import type { JwtKey } from '../common/secrets/jwt.ts';
import { createSealer } from '../secrets/sealer.ts';
import { type AccessTokens, createAccessTokens } from './access-token.ts';
import { createSigningKeys, type SigningKeys } from './signing-keys.ts';

const issuer = 'https://state.example';
const startMs = Date.UTC(2026, 0, 1) + 250;
const start = Math.floor(startMs / 1000);
let fixture: StoreFixture;
let nowMs = startMs;
let signingKeys: SigningKeys;
let signingKey: JwtKey;
let tokens: AccessTokens;

beforeAll(async () => {
  fixture = await openStoreFixture();
  const sealer = createSealer(Buffer.alloc(32, 1), 'signing-key');
  signingKeys = createSigningKeys({ store: fixture.store, purpose: 'access_token', ...sealer, now: () => nowMs });
});
afterAll(() => fixture.dispose());
beforeEach(async () => {
  nowMs = startMs;
  tokens = createAccessTokens({ signingKeys, issuer: () => issuer, now: () => nowMs });
  signingKey = await signingKeys.current();
});

const developer = { accountId: 'acc_1', subject: 'https://idp.example|7', seconds: 900 };
const player = { accountId: 'acc_1', slug: 'hello', environment: 'staging', userId: 'ü 7', seconds: 900 } as const;

describe('a developer token', () => {
  it('has only the claims of its kind', async () => {
    const token = await tokens.signDeveloperToken(developer);
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: signingKey.keyId });
    expect(decodeJwt(token)).toEqual({
      iss: issuer,
      aud: issuer,
      sub: 'https://idp.example|7',
      client_id: 'svc-developer',
      iat: start,
      exp: start + 900,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      svc_role: 'developer',
      svc_account_id: 'acc_1',
    });
  });

  it('is verified to its principal', async () => {
    const token = await tokens.signDeveloperToken(developer);
    expect(await tokens.verify(token)).toEqual({
      kind: 'verified',
      issuedAtMs: start * 1000,
      principal: {
        kind: 'developer',
        accountId: 'acc_1',
        subject: 'https://idp.example|7',
        actsAs: 'member',
        credentialId: decodeJwt(token).jti,
        expiresAtMs: (start + 900) * 1000,
      },
      email: undefined,
      name: undefined,
    });
  });

  it('shows that it acts as the operator, whatever its subject', async () => {
    const token = await tokens.signDeveloperToken({ ...developer, actsAs: 'operator' });
    expect(decodeJwt(token)).toMatchObject({ sub: 'https://idp.example|7', svc_acts_as: 'operator' });
    expect(await tokens.verify(token)).toMatchObject({ principal: { actsAs: 'operator' } });
  });

  it('of a service account names it as the client, with the secret that it was issued for', async () => {
    const given = { accountId: 'acc_1', serviceAccountId: 'sa_7', secretId: 'sec_8', name: 'Robot', seconds: 900 };
    const token = (await tokens.signer()).signServiceAccountToken(given);
    expect(decodeJwt(token)).toMatchObject({
      sub: 'sa_7',
      client_id: 'sa_7',
      svc_role: 'developer',
      svc_account_id: 'acc_1',
      svc_acts_as: 'service_account',
      svc_secret_id: 'sec_8',
      name: 'Robot',
    });
    expect(await tokens.verify(token)).toMatchObject({
      principal: { kind: 'developer', subject: 'sa_7', actsAs: 'service_account', secretId: 'sec_8' },
    });
    // A person whose subject looks like one is a member.
    const person = await tokens.signDeveloperToken({ ...developer, subject: 'sa_7' });
    expect(await tokens.verify(person)).toMatchObject({ principal: { actsAs: 'member' } });
  });

  it.each([
    ['for whole hours, as signed by the command up to version 0.1.0', { seconds: 7_200 }, 'operator'],
    ['for whole hours, for a person', { seconds: 7_200, email: 'a@b.example' }, 'member'],
    ['for the lifetime of a sign-in', { seconds: 900 }, 'member'],
  ])('with the subject operator and no claim: %s', async (_, change, actsAs) => {
    const token = await tokens.signDeveloperToken({ ...developer, subject: 'operator', ...change });
    expect(await tokens.verify(token)).toMatchObject({ principal: { actsAs } });
  });

  it('differs each time', async () => {
    const ids = [await tokens.signDeveloperToken(developer), await tokens.signDeveloperToken(developer)];
    expect(new Set(ids.map((token) => decodeJwt(token).jti)).size).toBe(2);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 30 * 24 * 3600 + 1])(
    'cannot live %s seconds',
    async (seconds) => {
      await expect(tokens.signDeveloperToken({ ...developer, seconds })).rejects.toThrow(RangeError);
    },
  );

  it.each([1, 30 * 24 * 3600])('can live %s seconds', async (seconds) => {
    expect(decodeJwt(await tokens.signDeveloperToken({ ...developer, seconds })).exp).toBe(start + seconds);
  });
});

describe('a player token', () => {
  it('has only the claims of its kind, with email and name only if present', async () => {
    const claims = {
      iss: issuer,
      aud: issuer,
      sub: 'ü 7',
      client_id: 'acc_1.hello',
      iat: start,
      exp: start + 900,
      jti: expect.any(String),
      svc_role: 'end_user',
      svc_account_id: 'acc_1',
      svc_project_slug: 'hello',
      svc_environment: 'staging',
      user_id: 'ü 7',
    };
    expect(decodeJwt(await tokens.signPlayerToken(player))).toEqual(claims);
    const named = { ...player, email: 'a@b.example', name: 'A' };
    expect(decodeJwt(await tokens.signPlayerToken(named))).toEqual({ ...claims, email: 'a@b.example', name: 'A' });
  });

  it('is verified to its principal, email and name', async () => {
    const verified = await tokens.verify(await tokens.signPlayerToken({ ...player, email: 'a@b.example' }));
    expect(verified).toMatchObject({
      kind: 'verified',
      principal: { kind: 'end_user', accountId: 'acc_1', slug: 'hello', environment: 'staging', userId: 'ü 7' },
      email: 'a@b.example',
      name: undefined,
    });
  });
});

it('jose verifies every token with the published keys, whatever its claims', async () => {
  const keys = createLocalJWKSet(await signingKeys.jwks());
  for (const name of ['A', 'ü 🙂 \u0000 "\\', '\ud800 alone', 'x'.repeat(10_000)]) {
    const token = await tokens.signPlayerToken({ ...player, name });
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      algorithms: ['ES256'],
      typ: 'at+jwt',
      issuer,
      audience: issuer,
      currentDate: new Date(nowMs),
    });
    expect(payload.name).toBe(name);
    expect(protectedHeader.kid).toBe(signingKey.keyId);
  }
});

describe('expiry', () => {
  const rejected = { kind: 'rejected', reason: 'the token expired' };

  it('takes effect at the second in the token, whether or not the token was seen before', async () => {
    const token = await tokens.signDeveloperToken(developer);
    nowMs = (start + 900) * 1000 - 1;
    expect(await tokens.verify(token)).toMatchObject({ kind: 'verified' });
    nowMs += 1;
    expect(await tokens.verify(token)).toEqual(rejected);
    const fresh = createAccessTokens({ signingKeys, issuer: () => issuer, now: () => nowMs });
    expect(await fresh.verify(token)).toEqual(rejected);
    expect(await fresh.verify(token)).toEqual(rejected);
  });

  it("alone is ignored on the caller's request", async () => {
    const token = await tokens.signPlayerToken(player);
    nowMs = (start + 901) * 1000;
    expect(await tokens.verify(token, { acceptExpired: true })).toMatchObject({ kind: 'verified' });
    expect(await tokens.verify(`${token.slice(0, -6)}AAAAAA`, { acceptExpired: true })).toMatchObject({ kind: 'rejected' });
    expect(await tokens.verify(token)).toEqual(rejected);
  });
});

it('a store fault is a fault, not a rejection', async () => {
  const token = await tokens.signDeveloperToken(developer);
  const find = () => Promise.reject(new Error('the disk is gone'));
  const blind = createAccessTokens({ signingKeys: { ...signingKeys, find }, issuer: () => issuer, now: () => nowMs });
  await expect(blind.verify(token)).rejects.toThrow('the disk is gone');
});
