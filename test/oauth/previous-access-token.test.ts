import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newIssuerKey, signIdToken } from '../../tooling/loopback-issuer.ts';
import { expectTokenError, openWorld, type TokenSet, tokensOf, type World } from './world.ts';

let world: World;
let ada: TokenSet;
beforeAll(async () => {
  world = await openWorld();
  ada = await newAda();
});
afterAll(() => world.stop());

async function newAda(scope = 'env:production'): Promise<TokenSet> {
  return world.newTokens({
    scope,
    idp_id_token: await world.idToken({ sub: 'ada', email: 'ada@example.com', name: 'Ada' }),
  });
}

describe('previous_access_token', () => {
  it('carries email and name over, which are lost without it', async () => {
    const first = await newAda();
    const second = tokensOf(await world.refresh(first.refresh_token, { previous_access_token: first.access_token }));
    expect(decodeJwt(second.access_token)).toMatchObject({ sub: 'ada', email: 'ada@example.com', name: 'Ada' });
    const third = tokensOf(await world.refresh(second.refresh_token));
    const claims = decodeJwt(third.access_token);
    expect('email' in claims || 'name' in claims).toBe(false);
  });

  it('may be expired, and from an earlier sign-in of the same person', async () => {
    const [earlier, later] = [await newAda(), await newAda()];
    world.pass(20 * 24 * 60 * 60 * 1000);
    const answer = await world.refresh(later.refresh_token, { previous_access_token: earlier.access_token });
    expect(decodeJwt(tokensOf(answer).access_token)).toMatchObject({ name: 'Ada' });
    ada = await newAda();
  });

  const cases: readonly [string, () => Promise<string> | string][] = [
    ['malformed', () => 'not a token'],
    ['a refresh token', () => ada.refresh_token],
    ['of another person', async () => (await world.newTokens()).access_token],
    ['of another environment', async () => (await newAda('env:staging')).access_token],
    ['of another project', async () => (await adaElsewhere()).access_token],
    [
      'of a developer with the same subject',
      () =>
        world.server.running.accessTokens.signDeveloperToken({
          accountId: world.project.developer.accountId,
          subject: 'ada',
          seconds: 900,
        }),
    ],
    ['signed with another key', forgedToken],
    ['changed', () => changed(ada.access_token)],
    ['an ID token of the identity provider', () => world.idToken({ sub: 'ada' })],
  ];
  it.each(cases)('is refused with 401 when it is %s, and the refresh token stays valid', async (_, makeToken) => {
    const { refresh_token } = await newAda();
    const answer = await world.refresh(refresh_token, { previous_access_token: await makeToken() });
    expectTokenError(answer, 401, 'invalid_grant');
    tokensOf(await world.refresh(refresh_token));
  });

  it('is refused for developers, whose tokens have neither', async () => {
    const idToken = await world.idToken({ sub: 'dev', firebase: {} });
    const redirectUri = 'http://127.0.0.1:8976/callback';
    const code = await world.newCode({ client_id: 'svc-developer', redirect_uri: redirectUri, idp_id_token: idToken });
    const client = { client_id: 'svc-developer' };
    const tokens = tokensOf(await world.redeem(code, { ...client, redirect_uri: redirectUri }));
    const previous = { previous_access_token: tokens.access_token };
    expectTokenError(await world.refresh(tokens.refresh_token, { ...client, ...previous }), 401, 'invalid_grant');
    tokensOf(await world.refresh(tokens.refresh_token, client));
  });
});

async function adaElsewhere(): Promise<TokenSet> {
  const { clientId: client_id, tenantId } = await world.newSignInProject();
  const firebase = { tenant: tenantId, sign_in_provider: 'password' };
  const idToken = await world.idToken({ sub: 'ada', firebase });
  return tokensOf(await world.redeem(await world.newCode({ client_id, idp_id_token: idToken }), { client_id }));
}

async function forgedToken(): Promise<string> {
  const { kid } = JSON.parse(Buffer.from(ada.access_token.split('.')[0] as string, 'base64url').toString());
  return signIdToken(await newIssuerKey('ES256', kid), decodeJwt(ada.access_token), { typ: 'at+jwt' });
}

function changed(token: string): string {
  const [header, , signature] = token.split('.');
  const claims = { ...decodeJwt(token), name: 'Eve' };
  return `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`;
}
