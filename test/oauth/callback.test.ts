import { createHmac } from 'node:crypto';
import { decodeJwt, type JWTPayload } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newIssuerKey, signIdToken, unsignedToken } from '../../tooling/loopback-issuer.ts';
import type { Answer } from '../support/client.ts';
import { appUri, audience, challenge, developerUri, loginUri, openWorld, returned, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

function expectError(answer: Answer, error: string): void {
  const parameters = returned(answer);
  const { baseUrl } = world.server;
  expect(parameters).toMatchObject({ error, state: 'state of the app', iss: baseUrl, tab: '1' });
  expect(parameters.error_description).not.toBe('');
  expect(parameters).not.toHaveProperty('code');
}

describe('the callback of a hosted login', () => {
  it('redirects to the client by 303 with code, state and issuer, keeping the query of the redirect URI', async () => {
    const answer = await world.complete(await world.callbackForm());
    expect(answer.status).toBe(303);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    expect(answer.text).toBe('');
    const code = returned(answer).code as string;
    expect(code).toMatch(/^[0-9A-Za-z]{43}$/);
    const iss = encodeURIComponent(world.server.baseUrl);
    expect(answer.headers.location).toBe(`${appUri}&code=${code}&state=state+of+the+app&iss=${iss}`);
  });

  it('redirects to a private-use scheme', async () => {
    const answer = await world.complete(await world.callbackForm({ redirect_uri: loginUri }));
    expect(answer.headers.location).toMatch(/^com\.example\.game:\/signed-in\?code=/);
  });

  it('sends no state if there was none', async () => {
    for (const state of [undefined, '']) {
      const parameters = returned(await world.complete(await world.callbackForm({ state })));
      expect(parameters.code).toBeDefined();
      expect(parameters).not.toHaveProperty('state');
    }
  });

  it.each([
    ['unknown client', { client_id: 'acc_nobody.game' }],
    ['malformed client', { client_id: '<script>alert(1)</script>' }],
    ['missing client', { client_id: undefined }],
    ['unregistered redirect URI', { redirect_uri: 'https://evil.example/' }],
    ['missing redirect URI', { redirect_uri: undefined }],
    ['redirect URI with another query', { redirect_uri: `${appUri}&x=1` }],
    ['redirect URI without its query', { redirect_uri: 'https://app.example/signed-in' }],
    ['redirect URI with a trailing slash', { redirect_uri: `${loginUri}/` }],
    ['redirect URI in another case', { redirect_uri: appUri.replace('app.', 'APP.') }],
    ['redirect URI with a port', { redirect_uri: appUri.replace('example/', 'example:443/') }],
    ['redirect URI with a user before its host', { redirect_uri: appUri.replace('app.', 'x@app.') }],
    ['redirect URI with a path that leads upwards', { redirect_uri: appUri.replace('signed-in', 'x/../signed-in') }],
    ['redirect URI with a fragment', { redirect_uri: `${appUri}#x` }],
    ['redirect URI for developers', { redirect_uri: developerUri }],
    ['redirect URI with a line break', { redirect_uri: `${appUri}\r\nX-Injected: 1` }],
  ])('shows a page for an %s, without a redirect', async (_, changes) => {
    const answer = await world.complete(await world.callbackForm(changes));
    expect(answer.status).toBe(400);
    expect(answer.headers.location).toBeUndefined();
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.text).not.toMatch(/script|evil|Injected/i);
  });

  it.each(['client_id', 'redirect_uri'])('shows a page for a duplicate %s', async (name) => {
    const form = await world.callbackForm();
    const answer = await world.complete([...Object.entries(form), [name, form[name] as string]]);
    expect(answer.status).toBe(400);
    expect(answer.headers.location).toBeUndefined();
  });

  it.each([
    ['no challenge', { code_challenge: undefined }],
    ['no challenge method', { code_challenge_method: undefined }],
    ['the method plain', { code_challenge_method: 'plain' }],
    ['the method s256', { code_challenge_method: 's256' }],
    ['a challenge of 42 characters', { code_challenge: challenge.slice(1) }],
    ['a challenge of 44 characters', { code_challenge: `${challenge}A` }],
    ['a challenge in base64', { code_challenge: challenge.replace('-', '+') }],
    ['a padded challenge', { code_challenge: `${challenge.slice(1)}=` }],
  ])('returns invalid_request for %s', async (_, changes) => {
    expectError(await world.complete(await world.callbackForm(changes)), 'invalid_request');
  });

  it.each(['code_challenge', 'code_challenge_method', 'scope', 'idp_id_token', 'anything'])(
    'returns invalid_request for a duplicate %s',
    async (name) => {
      const form = Object.entries({ anything: 'x', ...(await world.callbackForm()) });
      const [, value] = form.find(([field]) => field === name) as [string, string];
      expectError(await world.complete([...form, [name, value]]), 'invalid_request');
    },
  );

  it('returns invalid_request without a state if the state is duplicate or too long', async () => {
    const form = await world.callbackForm();
    const tooLong = { ...form, state: 'x'.repeat(2_049) };
    for (const wrong of [[...Object.entries(form), ['state', 'other'] as const], tooLong]) {
      const parameters = returned(await world.complete(wrong));
      expect(parameters).toMatchObject({ error: 'invalid_request' });
      expect(parameters).not.toHaveProperty('state');
    }
  });

  it.each([
    undefined,
    '',
    'production',
    'env:',
    'env:Production',
    'env:prod',
    'env:production env:staging',
    'env:production openid',
    ' env:production',
    'developer',
  ])('returns invalid_scope for the scope %j', async (scope) => {
    expectError(await world.complete(await world.callbackForm({ scope })), 'invalid_scope');
  });
});

describe('an ID token', () => {
  const hour = 3_600;
  const seconds = () => Math.floor(world.now() / 1000);
  const ofTenant = (tenant?: unknown, provider: unknown = 'password') => ({
    firebase: { tenant, sign_in_provider: provider },
  });

  const cases: readonly [string, () => Promise<string> | string | undefined][] = [
    ['missing', () => undefined],
    ['empty', () => ''],
    ['malformed', () => 'a.b.c'],
    ['expired', () => world.idToken({ iat: seconds() - 2 * hour, exp: seconds() - 61 })],
    ['issued in the future', () => world.idToken({ iat: seconds() + 120 })],
    ['of another issuer', () => world.idToken({ iss: 'https://accounts.google.com' })],
    ['for another client of the issuer', () => world.idToken({ aud: 'other' })],
    ['for several clients, obtained by another', () => world.idToken({ aud: [audience, 'other'], azp: 'other' })],
    ['without a signature', async () => unsignedToken({ alg: 'none', kid: 'provider-key' }, await claims())],
    ['with an HMAC made with the published key', hmacToken],
    ['signed with another key', forgedToken],
    ['of another tenant', () => world.idToken(ofTenant('t-other'))],
    ['of the tenant of another account', otherTenant],
    ['without a tenant', () => world.idToken(ofTenant(undefined))],
    ['with the tenant in a list', () => world.idToken(ofTenant([world.project.tenantId]))],
    ['of a provider that the project does not allow', () => world.idToken(ofTenant(world.project.tenantId, 'github.com'))],
    ['without a provider', () => world.idToken(ofTenant(world.project.tenantId, null))],
    ['with a subject that is too long', () => world.idToken({ sub: 'x'.repeat(513) })],
    ['with a control character in the subject', () => world.idToken({ sub: 'a\u0007b' })],
    ['with white space around the subject', () => world.idToken({ sub: ' player-1' })],
    ['with an empty subject', () => world.idToken({ sub: '' })],
    ['replaced by an access token of the service', async () => (await world.newTokens()).access_token],
  ];
  it.each(cases)('%s is access_denied', async (_, makeToken) => {
    const idToken = await makeToken();
    expectError(await world.complete(await world.callbackForm({ idp_id_token: idToken })), 'access_denied');
  });

  it('signs in as often as it is valid, with a new code each time', async () => {
    const form = await world.callbackForm();
    const codes = await Promise.all(Array.from({ length: 3 }, async () => returned(await world.complete(form)).code));
    expect(new Set(codes).size).toBe(3);
  });
});

async function claims(): Promise<JWTPayload> {
  return decodeJwt(await world.idToken());
}

async function hmacToken(): Promise<string> {
  const text = unsignedToken({ alg: 'HS256', kid: 'provider-key' }, await claims()).slice(0, -1);
  const secret = JSON.stringify(world.providerKey.publicJwk);
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

async function forgedToken(): Promise<string> {
  return signIdToken(await newIssuerKey('ES256', 'provider-key'), await claims());
}

async function otherTenant(): Promise<string> {
  const { tenantId } = await world.newSignInProject();
  return world.idToken({ firebase: { tenant: tenantId, sign_in_provider: 'password' } });
}
