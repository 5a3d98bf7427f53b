/** Guests, who play without signing in: their assertions and their permissions. @see docs/contract.md §7.14 */
import { generateKeyPairSync } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Device, type GuestClient, guestGrant, newDevice, nonceOf, type Wrong } from '../../tooling/guest.ts';
import type { Answer } from '../support/client.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { expectTokenError, openWorld, type SignInProject, type World } from './world.ts';

let world: World;
let project: SignInProject;
let place: GuestClient;
beforeAll(async () => {
  world = await openWorld({ settings: { SVC_GUESTS_PER_HOUR: '0' } });
  project = await world.newSignInProject({ allowedIdps: ['anonymous'] });
  place = placeOf(world.server, project);
});
afterAll(() => world.stop());

const placeOf = (server: TestServer, { clientId }: { readonly clientId: string }): GuestClient => ({
  baseUrl: server.baseUrl,
  clientId,
  scope: 'env:production',
});

const postTo = (server: TestServer, form: Readonly<Record<string, string>>, headers: Record<string, string> = {}) =>
  server.call('POST', '/v1/auth/token', {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form).toString(),
  });

/** Posts an assertion, as the client of the place would. */
const present = (assertion: string, at = place, server = world.server, headers: Record<string, string> = {}) =>
  postTo(server, { grant_type: guestGrant, client_id: at.clientId, scope: at.scope, assertion }, headers);

/** Sends an invalid request and returns the nonce of the answer. */
const freshNonce = async (server = world.server) => nonceOf(await postTo(server, { grant_type: 'x', client_id: 'x' }));

async function enter(device: Device, at = place, server = world.server): Promise<{ token: string; userId: string }> {
  const answer = await present(device.assert(at, await freshNonce(server)), at, server);
  expect(answer.status, answer.text).toBe(200);
  const { access_token: token } = answer.json as { access_token: string };
  return { token, userId: decodeJwt(token).user_id as string };
}

const userStateAt = (path: string) => `${path}/user-state/production`;
const create = (server: TestServer, path: string, token: string, value: unknown = 1) =>
  server.call('PATCH', userStateAt(path), {
    headers: { Authorization: `Bearer ${token}`, 'If-None-Match': '*' },
    body: { ops: [{ op: 'add', path: '/a', value }] },
  });

describe('a guest', () => {
  it('learns the nonce from a first response, and signs in without a refresh token', async () => {
    const device = newDevice();
    const first = await present(device.assert(place, undefined));
    expectTokenError(first, 400, 'use_nonce');
    const answer = await present(device.assert(place, nonceOf(first)));
    expect(answer.json).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'env:production',
    });
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'auth-nonce': expect.any(String) });
    const { access_token } = answer.json as { access_token: string };
    const { accountId } = project.developer;
    expect(decodeJwt(access_token)).toMatchObject({
      sub: expect.stringMatching(/^guest_[0-9A-Za-z]{22}$/),
      svc_role: 'end_user',
      svc_account_id: accountId,
      svc_environment: 'production',
      svc_guest: true,
      client_id: place.clientId,
    });
    expect((await create(world.server, project.path, access_token)).json).toEqual({ version: 1, state: { a: 1 } });
  });

  it('is the same player after 400 days, in every project and environment of the account, and another one elsewhere', async () => {
    const device = newDevice();
    const { userId, token } = await enter(device);
    await create(world.server, project.path, token, 'kept');
    world.pass(400 * 24 * 60 * 60 * 1000);
    const later = await enter(device);
    expect(later.userId).toBe(userId);
    const read = await world.server.call('GET', userStateAt(project.path), {
      headers: { Authorization: `Bearer ${later.token}` },
    });
    expect(read.json).toEqual({ version: 1, state: { a: 'kept' } });
    expect((await enter(device, { ...place, scope: 'env:staging' })).userId).toBe(userId);
    const stranger = await world.newSignInProject({ allowedIdps: ['password', 'anonymous'] });
    expect((await enter(device, placeOf(world.server, stranger))).userId).not.toBe(userId);
    expect((await enter(newDevice())).userId).not.toBe(userId);
  });

  it('leaves nothing in the store without a user state', async () => {
    const device = newDevice();
    const { userId } = await enter(device);
    const stored = await world.server.place.storedText();
    expect(stored).not.toContain(userId);
    expect(stored).not.toContain(device.thumbprint);
  });

  it('uses a nonce any number of times for five minutes', async () => {
    const device = newDevice();
    const nonce = await freshNonce();
    for (let i = 0; i < 3; i++) expect((await present(device.assert(place, nonce))).status).toBe(200);
    world.pass(290_000);
    expect((await present(device.assert(place, nonce))).status).toBe(200);
    world.pass(12_000);
    expectTokenError(await present(device.assert(place, nonce)), 400, 'use_nonce');
  });

  it('does not depend on the clock of the device', async () => {
    const claims = { iat: 1, exp: 2, nbf: 9_999_999_999 };
    expect((await present(newDevice().assert(place, await freshNonce(), { claims }))).status).toBe(200);
  });
});

describe('every response of the token endpoint has a nonce', () => {
  it.each([
    ['an unknown client', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'grant_type=x&client_id=x'],
    ['an unreadable form', { 'Content-Type': 'text/plain' }, 'x'],
  ])('after %s', async (_, headers, body) => {
    const answer = await world.server.call('POST', '/v1/auth/token', { headers, body });
    expect(nonceOf(answer)).toMatch(/^[A-Za-z0-9_-]{30}$/);
    expect((await present(newDevice().assert(place, nonceOf(answer)))).status).toBe(200);
  });

  it('after a refresh, readable by pages from other origins', async () => {
    const answer = await postTo(world.server, { grant_type: 'x', client_id: 'x' }, { Origin: 'https://game.example' });
    expect(answer.headers['access-control-expose-headers']).toContain('Auth-Nonce');
    nonceOf(await world.redeem(await world.newCode()));
    expect((await world.server.call('GET', '/healthz')).headers['auth-nonce']).toBeUndefined();
  });
});

describe('an assertion is invalid_grant', () => {
  const other = newDevice();
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' });
  const larger = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' });
  const ofPrivate = (device: Device) => device.privateKey.export({ format: 'jwk' });
  const withY = (y: string) => ({ jwk: { y } });

  it.each<[string, Wrong | ((device: Device) => Wrong), RegExp]>([
    ['without a signature algorithm', { header: { alg: 'none' } }, /alg ES256/],
    ['signed with HMAC', { header: { alg: 'HS256' } }, /alg ES256/],
    ['signed with ES384', { header: { alg: 'ES384' } }, /alg ES256/],
    ['of the type JWT', { header: { typ: 'JWT' } }, /typ guest\+jwt/],
    ['of the type in upper case', { header: { typ: 'GUEST+JWT' } }, /typ guest\+jwt/],
    ['without a key', { header: { jwk: undefined } }, /no jwk/],
    ['with an RSA key', { header: { jwk: rsa } }, /kty EC and crv P-256/],
    ['with a key on P-384', { header: { jwk: larger } }, /kty EC and crv P-256/],
    ['with a private key', (device) => ({ header: { jwk: ofPrivate(device) } }), /private key/],
    ['with an extra header member', { header: { kid: 'x' } }, /more than typ, alg and jwk/],
    ['with crit', { header: { crit: ['b64'], b64: false } }, /more than typ, alg and jwk/],
    ['with an extra key member', { jwk: { use: 'sig' } }, /more than kty, crv, x and y/],
    ['with a key that is not on the curve', withY('A'.repeat(43)), /thumbprint/],
    ['with a coordinate that is too short', withY('AA'), /kty EC and crv P-256/],
    ['with a coordinate in another encoding', (d) => withY(`${String(d.jwk.y).slice(0, 42)}_`), /kty EC and crv P-256/],
    ['signed by a second key', { signedBy: other }, /not signed with the key/],
    ['with another guest’s key', { header: { jwk: other.jwk } }, /thumbprint/],
    ['of another issuer', { claims: { iss: 'x' } }, /thumbprint/],
    ['with another subject', { claims: { sub: 'x' } }, /thumbprint/],
    ['for another audience', { claims: { aud: 'https://elsewhere.example' } }, /base URL/],
    ['for a list of audiences', () => ({ claims: { aud: [place.baseUrl] } }), /base URL/],
    ['for another client', { claims: { client_id: 'acc_x.y' } }, /client_id/],
    ['for another scope', { claims: { scope: 'env:staging' } }, /scope/],
    ['to link a player', { claims: { link_code: 'x' } }, /link or merge/],
    ['to merge a player', { claims: { merge_into: 'x' } }, /link or merge/],
    ['without jti', { claims: { jti: undefined } }, /jti/],
    ['with an empty jti', { claims: { jti: '' } }, /jti/],
    ['with a jti of 65 characters', { claims: { jti: 'x'.repeat(65) } }, /jti/],
    ['with a jti that is a number', { claims: { jti: 7 } }, /jti/],
    ['of more than 2,048 bytes', { claims: { more: 'x'.repeat(2_048) } }, /2048 bytes/],
    ['of nearly 64 KiB', { claims: { more: 'x'.repeat(48_000) } }, /2048 bytes/],
  ])('%s', async (_, wrong, description) => {
    const device = newDevice();
    const nonce = await freshNonce();
    const answer = await present(device.assert(place, nonce, typeof wrong === 'function' ? wrong(device) : wrong));
    expectTokenError(answer, 400, 'invalid_grant');
    expect((answer.json as { error_description: string }).error_description).toMatch(description);
    expect((await present(device.assert(place, nonce))).status).toBe(200);
  });

  it.each(['x', 'a.b.c', `${'a'.repeat(20)}.${'b'.repeat(20)}.${'c'.repeat(86)}`, '..', 'é.é.é'])('"%s"', async (text) => {
    expectTokenError(await present(text), 400, 'invalid_grant');
  });

  it('when it is repeated', async () => {
    const device = newDevice();
    const assertion = device.assert(place, await freshNonce());
    const answers = await Promise.all(Array.from({ length: 10 }, () => present(assertion)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectTokenError(answer, 400, 'invalid_grant');
    // Two devices may use the same jti.
    const claims = { jti: 'same' };
    for (const each of [newDevice(), newDevice()]) {
      expect((await present(each.assert(place, await freshNonce(), { claims }))).status).toBe(200);
    }
  });
});

describe('other errors are', () => {
  const valid = async () => newDevice().assert(place, await freshNonce());
  const post = async (changes: Readonly<Record<string, string>>) =>
    postTo(world.server, {
      grant_type: guestGrant,
      client_id: place.clientId,
      scope: place.scope,
      assertion: await valid(),
      ...changes,
    });

  it('use_nonce for a nonce that is stale, changed, from another service, or not text', async () => {
    const device = newDevice();
    const nonce = await freshNonce();
    const elsewhere = await startServer();
    const foreign = await freshNonce(elsewhere);
    await elsewhere.stop();
    const changed = `${nonce.slice(0, -2)}${nonce.at(-2) === 'A' ? 'B' : 'A'}${nonce.at(-1)}`;
    for (const bad of [foreign, changed, `${nonce}A`, '', 'x'.repeat(30)]) {
      const answer = await present(device.assert(place, bad));
      expectTokenError(answer, 400, 'use_nonce');
      nonceOf(answer);
    }
    expectTokenError(await present(device.assert(place, undefined, { claims: { nonce: 7 } })), 400, 'use_nonce');
  });

  it.each<[string, Readonly<Record<string, string>>, number, string]>([
    ['invalid_client for an unknown client', { client_id: 'acc_x.y' }, 401, 'invalid_client'],
    ['unauthorized_client for developers', { client_id: 'svc-developer' }, 400, 'unauthorized_client'],
    ['invalid_request without an assertion', { assertion: '' }, 400, 'invalid_request'],
    ['invalid_request without a scope', { scope: '' }, 400, 'invalid_request'],
    ['invalid_scope for another scope', { scope: 'developer' }, 400, 'invalid_scope'],
    ['invalid_scope for two scopes', { scope: 'env:production env:staging' }, 400, 'invalid_scope'],
    ['invalid_request for a form of more than 64 KiB', { assertion: 'x'.repeat(65_536) }, 400, 'invalid_request'],
  ])('%s', async (_, changes, status, error) => expectTokenError(await post(changes), status, error));

  it('checked in this order: client, permission, form of the assertion, nonce, the rest', async () => {
    const closed = await world.newSignInProject();
    const device = newDevice();
    expectTokenError(await post({ client_id: 'acc_x.y', assertion: 'x' }), 401, 'invalid_client');
    expectTokenError(await post({ client_id: closed.clientId, assertion: 'x', scope: 'x' }), 400, 'unauthorized_client');
    const staleForm = device.assert(place, 'stale', { header: { kid: 'x' } });
    expectTokenError(await post({ assertion: staleForm }), 400, 'invalid_grant');
    const staleRest = device.assert(place, 'stale', { claims: { aud: 'x' }, signedBy: newDevice() });
    expectTokenError(await post({ assertion: staleRest }), 400, 'use_nonce');
  });

  it('unauthorized_client while the project’s guests are switched off', async () => {
    const own = await world.newSignInProject({ allowedIdps: ['password', 'anonymous'] });
    const at = placeOf(world.server, own);
    const { token } = await enter(newDevice(), at);
    const allow = (allowedIdps: readonly string[]) =>
      world.server.call('PATCH', `${own.path}/auth/end-user/config`, {
        headers: own.developer.bearer,
        body: { allowedIdps },
      });
    const off = await allow(['password']);
    expect([off.status, off.json]).toMatchObject([200, { allowedIdps: ['password'] }]);
    expectTokenError(await present(newDevice().assert(at, await freshNonce()), at), 400, 'unauthorized_client');
    // Issued tokens remain valid, as they do for any sign-in method that is switched off.
    expect((await create(world.server, own.path, token)).status).toBe(200);
    await allow(['anonymous']);
    await enter(newDevice(), at);
  });
});

describe('a project with guests', () => {
  it('gets no warning about a missing provider', async () => {
    const answer = await world.server.call('GET', `${project.path}/auth/end-user/config`, {
      headers: project.developer.bearer,
    });
    expect(answer.json).not.toHaveProperty('warnings');
  });

  it('accepts no guest id from an identity provider', async () => {
    const denied = async (claims: Readonly<Record<string, unknown>>) => {
      const own = await world.newSignInProject({ allowedIdps: ['password', 'anonymous'] });
      const firebase = { tenant: own.tenantId, sign_in_provider: 'password', ...Object(claims.firebase) };
      const idToken = await world.idToken({ ...claims, firebase });
      const form = await world.callbackForm({ client_id: own.clientId, idp_id_token: idToken });
      const answer: Answer = await world.complete(form);
      return new URL(String(answer.headers.location)).searchParams.get('error');
    };
    expect(await denied({ sub: 'guest_0123456789012345678901' })).toBe('access_denied');
    expect(await denied({ sub: 'guest_' })).toBe('access_denied');
    expect(await denied({ firebase: { sign_in_provider: 'anonymous' } })).toBe('access_denied');
    expect(await denied({ sub: 'guest' })).toBeNull();
  });
});
