/** The revocation endpoint, and clients without a secret that use HTTP Basic. @see docs/contract.md §7.7, RFC 7009 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appUri, expectTokenError, type Form, openWorld, type TokenSet, tokensOf, verifier, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld({ settings: { SVC_BODY_TIMEOUT_SECONDS: '1' } });
});
afterAll(() => world.stop());

const formType = { 'Content-Type': 'application/x-www-form-urlencoded' };
const basicOf = (id: string, password = '') => ({
  Authorization: `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}`,
});
const post = (path: string, form: Form, headers: Readonly<Record<string, string>> = {}) =>
  world.server.call('POST', path, {
    headers: { ...formType, ...headers },
    body: new URLSearchParams(form as Record<string, string>).toString(),
  });
const revoke = (form: Form, headers = {}) => post('/v1/auth/revoke', form, headers);
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const read = async (token: string) => {
  const path = `${world.project.path}/user-state/production`;
  return (await world.server.call('GET', path, { headers: bearer(token) })).status;
};
const isAlive = async (tokens: TokenSet) => [
  await read(tokens.access_token),
  (await world.refresh(tokens.refresh_token)).status,
];
const client = () => ({ client_id: world.project.clientId });

describe('revocation', () => {
  it('of a refresh token ends its session: 200 with an empty body', async () => {
    const tokens = await world.newTokens();
    const answer = await revoke({ token: tokens.refresh_token, token_type_hint: 'refresh_token', ...client() });
    expect([answer.status, answer.text, answer.headers['content-length']]).toEqual([200, '', '0']);
    expect(answer.headers['content-type']).toBeUndefined();
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(await isAlive(tokens)).toEqual([401, 400]);
  });

  it('of an access token ends only that token, whatever the hint', async () => {
    const tokens = await world.newTokens();
    const answer = await revoke({ token: tokens.access_token, token_type_hint: 'refresh_token', ...client() });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(await read(tokens.access_token)).toBe(401);
    const next = tokensOf(await world.refresh(tokens.refresh_token));
    expect(await read(next.access_token)).toBe(204);
  });

  it("of a guest's token ends it", async () => {
    const { accountId } = world.project.developer;
    const claims = { accountId, slug: world.project.slug, environment: 'production', userId: 'guest_1' } as const;
    const token = await world.server.running.accessTokens.signPlayerToken({ ...claims, isGuest: true, seconds: 900 });
    expect(await read(token)).toBe(204);
    expect((await revoke({ token, ...client() })).status).toBe(200);
    expect(await read(token)).toBe(401);
  });

  it("of an operator's token ends it", async () => {
    const { accountId } = world.project.developer;
    const operator = { accountId, subject: 'operator', actsAs: 'operator', seconds: 3_600 } as const;
    const token = await world.server.running.accessTokens.signDeveloperToken(operator);
    const call = async () => (await world.server.call('GET', `/v1/${accountId}`, { headers: bearer(token) })).status;
    expect(await call()).toBe(200);
    expect((await revoke({ token, client_id: 'svc-developer' })).status).toBe(200);
    expect(await call()).toBe(401);
  });

  it.each<[string, (tokens: TokenSet) => string]>([
    ['an unknown token', () => 'unknown'],
    ['an unknown refresh token', () => `svcr_${'a'.repeat(22)}.${'b'.repeat(43)}`],
    ['a token that is much too long', () => 'x'.repeat(20_000)],
    ['a revoked token', ({ access_token }) => access_token],
  ])('of %s is 200', async (_, tokenOf) => {
    const tokens = await world.newTokens();
    const token = tokenOf(tokens);
    await revoke({ token, ...client() });
    const answer = await revoke({ token, ...client() });
    expect([answer.status, answer.text]).toEqual([200, '']);
  });

  it("of another client's tokens is 200 without effect", async () => {
    const tokens = await world.newTokens();
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      expect((await revoke({ token, client_id: 'svc-developer' })).status).toBe(200);
    }
    expect(await isAlive(tokens)).toEqual([204, 200]);
  });

  it.each<[string, Form, number, string]>([
    ['token', { client_id: 'svc-developer' }, 400, 'invalid_request'],
    ['client_id', { token: 'x' }, 400, 'invalid_request'],
    ['a known client', { token: 'x', client_id: 'acc_none.game' }, 401, 'invalid_client'],
    [
      'exactly one token',
      [
        ['token', 'x'],
        ['token', 'y'],
        ['client_id', 'svc-developer'],
      ],
      400,
      'invalid_request',
    ],
  ])('without %s is refused', async (_, form, status, error) => {
    expectTokenError(await revoke(form), status, error);
  });

  it('without a form is 400 with the error members of the token endpoint', async () => {
    const answer = await world.server.call('POST', '/v1/auth/revoke', { body: { token: 'x' } });
    expectTokenError(answer, 400, 'invalid_request');
  });

  it('is in the metadata, and any origin may call it', async () => {
    const { json } = await world.server.call('GET', '/.well-known/oauth-authorization-server');
    expect(json).toMatchObject({
      revocation_endpoint: `${world.server.baseUrl}/v1/auth/revoke`,
      revocation_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    });
    const answer = await revoke({ token: 'x', ...client() }, { Origin: 'https://game.example' });
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  });
});

describe('a service account', () => {
  async function newServiceAccount() {
    const { accountId, bearer: headers } = world.project.developer;
    const body = { name: 'Build', role: 'editor' };
    const answer = await world.server.call('POST', `/v1/${accountId}/service-accounts`, { headers, body });
    const { id, clientSecret } = answer.json as { readonly id: string; readonly clientSecret: string };
    const form = { grant_type: 'client_credentials', client_id: id, client_secret: clientSecret };
    const tokens = tokensOf(await world.token(form));
    const call = async () =>
      (await world.server.call('GET', `/v1/${accountId}`, { headers: bearer(tokens.access_token) })).status;
    return { id, clientSecret, token: tokens.access_token, call };
  }

  it('revokes its token with its secret, in the form or by HTTP Basic', async () => {
    const [one, other] = [await newServiceAccount(), await newServiceAccount()];
    const form = { token: one.token, client_id: one.id, client_secret: one.clientSecret };
    expect([await one.call(), (await revoke(form)).status, await one.call()]).toEqual([200, 200, 401]);
    const basic = basicOf(other.id, other.clientSecret);
    expect([await other.call(), (await revoke({ token: other.token }, basic)).status]).toEqual([200, 200]);
    expect(await other.call()).toBe(401);
  });

  it('cannot do so with a wrong secret, or without one', async () => {
    const { id, token, call } = await newServiceAccount();
    expectTokenError(await revoke({ token, client_id: id, client_secret: 'svcs_wrong' }), 401, 'invalid_client');
    expectTokenError(await revoke({ token, client_id: id }), 401, 'invalid_client');
    expectTokenError(await revoke({ token }, basicOf(id)), 401, 'invalid_client');
    expect((await revoke({ token, ...client() })).status).toBe(200);
    expect(await call()).toBe(200);
  });
});

describe('HTTP Basic with an empty password', () => {
  const codeForm = async () => ({
    grant_type: 'authorization_code',
    code: await world.newCode(),
    code_verifier: verifier,
    redirect_uri: appUri,
  });

  it('names the client if the form does not, as requests-oauthlib does', async () => {
    const basic = basicOf(world.project.clientId);
    const tokens = tokensOf(await post('/v1/auth/token', await codeForm(), basic));
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    const next = tokensOf(await post('/v1/auth/token', form, basic));
    expect((await revoke({ token: next.refresh_token }, basic)).status).toBe(200);
    expect(await isAlive(next)).toEqual([401, 400]);
  });

  it('may name the client of the form, but no other', async () => {
    const form = { ...(await codeForm()), ...client() };
    const wrong = basicOf(world.project.clientId, 'secret');
    expectTokenError(await post('/v1/auth/token', form, wrong), 401, 'invalid_client');
    expectTokenError(await revoke({ token: 'x', ...client() }, basicOf('svc-developer')), 400, 'invalid_request');
    tokensOf(await post('/v1/auth/token', form, basicOf(world.project.clientId)));
  });

  it.each(['token', 'revoke'])('with a password is 401 at %s, and names Basic', async (endpoint) => {
    const form = { ...(await codeForm()), token: 'x' };
    const answer = await post(`/v1/auth/${endpoint}`, form, basicOf(world.project.clientId, 'secret'));
    expectTokenError(answer, 401, 'invalid_client');
    expect(answer.headers['www-authenticate']).toContain('Basic');
  });
});

it.each([
  [{ code_challenge: undefined }, 'code_challenge is missing'],
  [{ code_challenge: undefined, code_challenge_method: undefined }, 'code_challenge is missing'],
  [{ code_challenge_method: undefined }, 'code_challenge_method is not S256'],
  [{ code_challenge: 'short' }, 'code_challenge is not the base64url of a SHA-256'],
])('a callback with %j names the fault', async (changes, description) => {
  const answer = await world.complete(await world.callbackForm(changes));
  const { searchParams } = new URL(answer.headers.location as string);
  expect(searchParams.get('error')).toBe('invalid_request');
  expect(searchParams.get('error_description')).toContain(description);
});
