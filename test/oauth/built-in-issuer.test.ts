import { hash } from 'node:crypto';
import { createLocalJWKSet, decodeJwt, exportJWK, generateKeyPair, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jwtSigner } from '../../packages/server/src/common/secrets/jwt.ts';
import type { Directory, Person } from '../../packages/server/src/identity/built-in/directory.ts';
import { createIdTokenIssuer, type IdTokenIssuer } from '../../packages/server/src/identity/built-in/id-tokens.ts';
import { createSigningKeys, type SigningKeys } from '../../packages/server/src/oauth/signing-keys.ts';
import { createSealer } from '../../packages/server/src/secrets/sealer.ts';
import { parseSecretKey } from '../../packages/server/src/secrets/secret-key.ts';
import { passwordUser } from '../../packages/server/src/storage/store-suite/identity/directory-users.ts';
import { byOperator } from '../../packages/server/src/storage/store-suite/records.fixture.ts';
import type { TestServer } from '../support/server.ts';
import { developerUri, openWorld, returned, tokensOf, type World } from './world.ts';

const person: Person = { userId: 'usr_1', email: 'ada@example.com', emailVerified: true, name: 'Ada' };
const developers: Directory = { kind: 'developers' };
const developerForm = { client_id: 'svc-developer', redirect_uri: developerUri, scope: undefined };

/** A service without an outside issuer, and one with an outside issuer. */
let world: World;
let outside: World;
let keys: SigningKeys;
let issuer: IdTokenIssuer;
let players: Directory;

/** The keys and the issuer of a service, as a parallel process would have them. */
function issuerOf(server: TestServer): { readonly keys: SigningKeys; readonly issuer: IdTokenIssuer } {
  const secretKey = parseSecretKey(server.place.secretKeyText(), 'the secret key');
  const { store } = server.running;
  const now = () => world.now();
  const created = createSigningKeys({ store, purpose: 'id_token', ...createSealer(secretKey, 'signing-key'), now });
  const baseUrl = () => server.baseUrl;
  return { keys: created, issuer: createIdTokenIssuer({ keys: created, baseUrl, authFrontUrl: baseUrl, now }) };
}

beforeAll(async () => {
  const unset = { SVC_IDP_ISSUER: '', SVC_IDP_AUDIENCE: '', SVC_IDP_TENANT_CLAIM: 'elsewhere' };
  [world, outside] = await Promise.all([openWorld({ settings: unset }), openWorld()]);
  ({ keys, issuer } = issuerOf(world.server));
  const { accountId } = world.project.developer;
  players = { kind: 'account', accountId, tenantId: world.project.tenantId };
  for (const directory of [accountId, null]) await newUser(directory, person.userId);
});
afterAll(() => Promise.all([world.stop(), outside.stop()]));

function newUser(accountId: string | null, userId: string): Promise<void> {
  return passwordUser(world.server.running.store, accountId, userId);
}

/** The callback's response to a player's ID token. */
async function outcomeOf(idToken: string, at = world): Promise<string> {
  const answer = returned(await at.complete(await at.callbackForm({ idp_id_token: idToken })));
  return answer.code === undefined ? (answer.error_description ?? '') : 'signed in';
}
/** Proof of a password sign-in at the current time. */
const proof = () => ({ amr: ['pwd'], provenAt: world.now() });
const playerToken = () => issuer.issue({ directory: players, person, provider: 'password', ...proof() });

describe('an ID token of the built-in identity provider', () => {
  it('signs a player in, with email and name', async () => {
    const code = await world.newCode({ idp_id_token: await playerToken() });
    const { access_token } = tokensOf(await world.redeem(code));
    expect(decodeJwt(access_token)).toMatchObject({
      sub: 'usr_1',
      user_id: 'usr_1',
      email: 'ada@example.com',
      name: 'Ada',
    });
  });

  it('signs a developer in, who keeps the account', async () => {
    const accountIds = new Set<unknown>();
    for (let i = 0; i < 2; i++) {
      const idToken = await issuer.issue({ directory: developers, person, provider: 'password', ...proof() });
      const code = await world.newCode({ ...developerForm, idp_id_token: idToken });
      accountIds.add(decodeJwt(tokensOf(await world.redeem(code, developerForm)).access_token).svc_account_id);
    }
    expect(accountIds.size).toBe(1);
    expect(await world.server.running.store.findDeveloper('built-in', 'usr_1')).toMatchObject({
      accountId: [...accountIds][0],
    });
  });

  it('is verified by any client with the published keys', async () => {
    const { baseUrl } = world.server;
    const metadata = await world.server.call('GET', '/identity/.well-known/openid-configuration');
    expect(metadata.json).toMatchObject({
      issuer: `${baseUrl}/identity`,
      authorization_endpoint: `${baseUrl}/authorize`,
      jwks_uri: `${baseUrl}/identity/jwks.json`,
    });
    const idToken = await playerToken();
    const jwks = await world.server.call('GET', '/identity/jwks.json');
    const checks = { issuer: `${baseUrl}/identity`, audience: baseUrl, currentDate: new Date(world.now()) };
    const { payload, protectedHeader } = await jwtVerify(idToken, createLocalJWKSet(jwks.json as JSONWebKeySet), checks);
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'JWT', kid: expect.any(String) });
    expect(payload).toEqual({
      amr: ['pwd'],
      iss: checks.issuer,
      aud: baseUrl,
      sub: 'usr_1',
      email: 'ada@example.com',
      email_verified: true,
      name: 'Ada',
      firebase: { tenant: world.project.tenantId, sign_in_provider: 'password' },
      iat: expect.any(Number),
      exp: (payload.iat ?? 0) + 300,
      auth_time: payload.iat,
      svc_account_id: world.project.developer.accountId,
      svc_signed_in_at: expect.any(Number),
    });
    expect(JSON.stringify(jwks.json)).not.toContain('"d"');
  });

  it('is refused in another tenant or without one, by a disallowed method, and after it expired', async () => {
    const { accountId, tenantId } = await newTenant();
    const stranger: Directory = { kind: 'account', accountId, tenantId };
    await newUser(accountId, person.userId);
    const issued = (directory: Directory, provider = 'password') =>
      issuer.issue({ directory, person, provider, ...proof() });
    expect(await outcomeOf(await issued(stranger))).toBe('the ID token is of another tenant');
    expect(await outcomeOf(await issued(developers))).toBe('the ID token is of another tenant');
    expect(await outcomeOf(await issued(players, 'github.com'))).toBe('the project does not allow this way to sign in');
    const asDeveloper = returned(
      await world.complete(await world.callbackForm({ ...developerForm, idp_id_token: await playerToken() })),
    );
    expect(asDeveloper.error_description).toBe('the ID token is of an end user');
    const idToken = await playerToken();
    world.pass(300_000 + 59_000);
    expect(await outcomeOf(idToken)).toBe('signed in');
    world.pass(2_000);
    expect(await outcomeOf(idToken)).toBe('the ID token expired');
  });

  it('is refused after its user is deleted, or resets the password', async () => {
    const { store } = world.server.running;
    const { accountId } = world.project.developer;
    const tokenOf = (userId: string, directory = players) =>
      issuer.issue({ directory, person: { ...person, userId }, provider: 'password', ...proof() });
    expect(await outcomeOf(await tokenOf('usr_unknown'))).toBe('the user of the ID token is gone');
    await newUser(accountId, 'usr_2');
    const kept = await tokenOf('usr_2');
    expect(await outcomeOf(kept)).toBe('signed in');
    const reset = { accountId, userId: 'usr_2', returnQuery: '', expiresAt: world.now() + 1_000 };
    const tokenHash = hash('sha256', 'token', 'buffer');
    expect(await store.addPasswordReset(tokenHash, reset)).toBe('added');
    expect(await store.redeemPasswordReset(tokenHash, '$', world.now())).toBeDefined();
    expect(await outcomeOf(kept)).toBe('the password was reset after this sign-in');
    world.pass(1);
    const fresh = await tokenOf('usr_2');
    expect(await outcomeOf(fresh)).toBe('signed in');
    await store.deleteUser(byOperator, accountId, 'usr_2');
    expect(await outcomeOf(fresh)).toBe('the user of the ID token is gone');
  });

  it('has no unverified email', async () => {
    const unverified = { ...person, emailVerified: false };
    const idToken = await issuer.issue({ directory: players, person: unverified, provider: 'password', ...proof() });
    const tokens = tokensOf(await world.redeem(await world.newCode({ idp_id_token: idToken })));
    expect(decodeJwt(tokens.access_token)).not.toHaveProperty('email');
  });

  it('is refused after its key is revoked', async () => {
    const idToken = await playerToken();
    await keys.rotate({ revoke: true });
    expect(await outcomeOf(idToken)).toBe('the ID token is signed with a key that its issuer does not publish');
    expect(await outcomeOf(await playerToken())).toBe('signed in');
  });

  it('cannot be forged with other keys, the keys of access tokens, other issuers or other audiences', async () => {
    const { baseUrl } = world.server;
    const own = await keys.current();
    const { keyId } = own;
    const { privateKey: strange, publicKey } = await generateKeyPair('ES256');
    const iat = Math.floor(world.now() / 1000);
    const good = {
      iss: `${baseUrl}/identity`,
      aud: baseUrl,
      sub: 'usr_1',
      iat,
      exp: iat + 300,
      svc_account_id: world.project.developer.accountId,
    };
    const firebase = { tenant: world.project.tenantId, sign_in_provider: 'password' };
    const sign = (changes: object, typ = 'JWT') => jwtSigner(own, typ)({ ...good, firebase, ...changes });
    const forge = (header: object) =>
      new SignJWT({ ...good, firebase }).setProtectedHeader({ alg: 'ES256', ...header }).sign(strange);
    expect(await outcomeOf(sign({}))).toBe('signed in');
    const jwk = await exportJWK(publicKey);
    const unpublished = 'the ID token is signed with a key that its issuer does not publish';
    expect(await outcomeOf(await forge({ kid: keyId }))).toBe('the signature of the ID token is wrong');
    expect(await outcomeOf(await forge({ kid: 'mine', jwk }))).toBe(unpublished);
    expect(await outcomeOf(await forge({}))).toBe(unpublished);
    expect(await outcomeOf(sign({ iss: baseUrl }))).toBe('the ID token is of another issuer');
    expect(await outcomeOf(sign({ iss: world.provider.issuer }))).toBe('the ID token is of another issuer');
    expect(await outcomeOf(sign({ aud: 'other' }))).toBe('the ID token is for another client');
    expect(await outcomeOf(sign({}, 'at+jwt'))).toBe('the token is not an ID token');
    expect(await outcomeOf(await world.idToken())).toBe(unpublished);
    const { access_token } = tokensOf(await world.redeem(await world.newCode({ idp_id_token: await playerToken() })));
    expect(await outcomeOf(access_token)).toBe(unpublished);
    const answer = await world.server.call('GET', `/v1/${world.project.developer.accountId}`, {
      headers: { Authorization: `Bearer ${await playerToken()}` },
    });
    expect(answer.status).toBe(401);
  });

  async function newTenant(): Promise<{ accountId: string; tenantId: string }> {
    const { tenantId, developer } = await world.newSignInProject();
    return { accountId: developer.accountId, tenantId };
  }
});

describe('with another issuer configured', () => {
  it('the built-in one publishes nothing', async () => {
    for (const path of ['/identity/.well-known/openid-configuration', '/identity/jwks.json']) {
      expect((await fetch(`${outside.server.baseUrl}${path}`)).status).toBe(404);
      expect((await world.server.call('GET', path)).status).toBe(200);
    }
    const described = await outside.server.call('GET', '/openapi.json');
    expect(described.text).not.toContain('/identity/jwks.json');
  });

  it('the built-in issuer’s tokens are refused, and the configured issuer’s accepted', async () => {
    const { accountId } = outside.project.developer;
    const directory: Directory = { kind: 'account', accountId, tenantId: outside.project.tenantId };
    const idToken = await issuerOf(outside.server).issuer.issue({ directory, person, provider: 'password', ...proof() });
    expect(await outcomeOf(idToken, outside)).toBe('the ID token is signed with a key that its issuer does not publish');
    expect(await outcomeOf(await outside.idToken(), outside)).toBe('signed in');
  });
});
