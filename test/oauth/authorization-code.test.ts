import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appUri, expectTokenError, loginUri, openWorld, tokensOf, verifier, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

describe('an authorization code', () => {
  it('is exchanged for an access token, signed with a published key, and a refresh token', async () => {
    const { accountId } = world.project.developer;
    const idToken = await world.idToken({ sub: 'ada', email: 'ada@example.com', name: 'Ada' });
    const answer = await world.redeem(await world.newCode({ idp_id_token: idToken }));
    const tokens = tokensOf(answer);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 900, scope: 'env:production' });

    const { json: jwks } = await world.server.call('GET', '/.well-known/jwks.json');
    const { payload, protectedHeader } = await jwtVerify(tokens.access_token, createLocalJWKSet(jwks as JSONWebKeySet), {
      issuer: world.server.baseUrl,
      audience: world.server.baseUrl,
      typ: 'at+jwt',
    });
    expect(protectedHeader.alg).toBe('ES256');
    expect(payload).toMatchObject({
      sub: 'ada',
      user_id: 'ada',
      client_id: world.project.clientId,
      svc_role: 'end_user',
      svc_account_id: accountId,
      svc_project_slug: world.project.slug,
      svc_environment: 'production',
      email: 'ada@example.com',
      name: 'Ada',
    });
    expect((payload.exp as number) - (payload.iat as number)).toBe(900);
  });

  it('gives no email or name if the provider gave none', async () => {
    const { access_token } = await world.newTokens();
    const claims = decodeJwt(access_token);
    expect('email' in claims || 'name' in claims).toBe(false);
  });

  it.each(['development', 'staging', 'production'])('works in the environment of its scope: %s', async (environment) => {
    const tokens = await world.newTokens({ scope: `env:${environment}` });
    expect(tokens.scope).toBe(`env:${environment}`);
    expect(decodeJwt(tokens.access_token)).toMatchObject({ svc_environment: environment });
  });

  it('is valid for 60 s', async () => {
    const [early, late] = [await world.newCode(), await world.newCode()];
    world.pass(59_000);
    tokensOf(await world.redeem(early));
    world.pass(1_500);
    expectTokenError(await world.redeem(late), 400, 'invalid_grant');
  });

  it.each([
    ['without code', { code: undefined }, 'invalid_request'],
    ['with an empty code', { code: '' }, 'invalid_request'],
    ['without redirect_uri', { redirect_uri: undefined }, 'invalid_request'],
    ['without code_verifier', { code_verifier: undefined }, 'invalid_request'],
    ['with a verifier of 42 characters', { code_verifier: verifier.slice(1) }, 'invalid_request'],
    ['with a verifier of 129 characters', { code_verifier: verifier.repeat(3) }, 'invalid_request'],
    ['with a verifier that has a "+"', { code_verifier: verifier.replace('d', '+') }, 'invalid_request'],
    ['with another verifier', { code_verifier: verifier.replace('d', 'e') }, 'invalid_grant'],
    ['with the challenge as verifier', { code_verifier: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' }, 'invalid_grant'],
    ['with another registered redirect_uri', { redirect_uri: loginUri }, 'invalid_grant'],
    ['with a longer redirect_uri', { redirect_uri: `${appUri}&x=1` }, 'invalid_grant'],
    ['with an unknown code', { code: 'a'.repeat(43) }, 'invalid_grant'],
    ['with a malformed code', { code: '\u0000' }, 'invalid_grant'],
    ['with another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['with the grant type in capitals', { grant_type: 'AUTHORIZATION_CODE' }, 'unsupported_grant_type'],
    ['without grant type', { grant_type: undefined }, 'invalid_request'],
    ['without client', { client_id: undefined }, 'invalid_request'],
  ])('is refused %s, and stays valid', async (_, changes, error) => {
    const code = await world.newCode();
    expectTokenError(await world.redeem(code, changes), 400, error);
    tokensOf(await world.redeem(code));
  });

  it('is refused to every other client, and stays valid', async () => {
    const other = await world.newSignInProject();
    const code = await world.newCode();
    expectTokenError(await world.redeem(code, { client_id: other.clientId }), 400, 'invalid_grant');
    expectTokenError(await world.redeem(code, { client_id: 'svc-developer' }), 400, 'invalid_grant');
    tokensOf(await world.redeem(code));
  });

  it.each([['acc_nobody.game'], ['acc_nobody'], ['svc-Developer'], ['.'], ['acc_x.a.b'], ['x'.repeat(1000)]])(
    'is refused to an unknown client: %s',
    async (clientId) => {
      const answer = await world.redeem(await world.newCode(), { client_id: clientId });
      expectTokenError(answer, 401, 'invalid_client');
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    },
  );

  it('is refused once sign-in is switched off for its project', async () => {
    const { bearer: headers } = world.project.developer;
    const path = `${world.project.path}/auth/end-user/config`;
    const { json: settings } = await world.server.call('GET', path, { headers });
    const code = await world.newCode();
    await world.server.call('PUT', path, { headers, body: { ...(settings as object), enabled: false } });
    expectTokenError(await world.redeem(code), 401, 'invalid_client');
    await world.server.call('PUT', path, { headers, body: settings });
    tokensOf(await world.redeem(code));
  });

  it.each([
    ['as it was', {}],
    ['with another verifier', { code_verifier: 'x'.repeat(43) }],
    ['with another redirect_uri', { redirect_uri: loginUri }],
  ])('revokes its tokens when it is repeated %s', async (_, changes) => {
    const code = await world.newCode();
    const { refresh_token } = tokensOf(await world.redeem(code));
    expectTokenError(await world.redeem(code, changes), 400, 'invalid_grant');
    expectTokenError(await world.refresh(refresh_token), 400, 'invalid_grant');
  });

  it('revokes even tokens refreshed in between', async () => {
    const code = await world.newCode();
    const first = tokensOf(await world.redeem(code));
    const second = tokensOf(await world.refresh(first.refresh_token));
    expectTokenError(await world.redeem(code), 400, 'invalid_grant');
    expectTokenError(await world.refresh(second.refresh_token), 400, 'invalid_grant');
  });
});
