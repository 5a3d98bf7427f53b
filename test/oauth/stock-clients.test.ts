import { generateCodeVerifier, OAuth2Client } from '@badgateway/oauth2-client';
import { decodeJwt } from 'jose';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Project, startServer, type TestServer } from '../support/server.ts';
import { signInAt } from './login-page.ts';
import { audience, type OidcIssuer, startOidcIssuer } from './oidc-issuer.ts';

const redirectUri = 'https://game.example/signed-in';
const developerUri = 'http://127.0.0.1:8976/callback';
const scope = 'env:production';
const ada = { subject: 'ada', email: 'ada@example.com', name: 'Ada' };
const metadataPath = '/.well-known/oauth-authorization-server';

let issuer: OidcIssuer;
let server: TestServer;
let project: Project;
let clientId: string;
beforeAll(async () => {
  issuer = await startOidcIssuer();
  const provider = { SVC_IDP_ISSUER: issuer.issuer, SVC_IDP_AUDIENCE: audience, SVC_AUTH_RATE_LIMIT_PER_MINUTE: '0' };
  server = await startServer({ settings: provider });
  project = await server.newProject();
  clientId = `${project.developer.accountId}.${project.slug}`;
  const branding = { logoData: null, logoMediaType: null, primaryColor: null, surfaceColor: null, bgColor: null };
  const answer = await server.call('PUT', `${project.path}/auth/end-user/config`, {
    headers: project.developer.bearer,
    body: { enabled: true, redirectUris: [redirectUri], allowedIdps: ['password'], ...branding },
  });
  expect(answer.status, answer.text).toBe(200);
});
afterAll(async () => {
  await server.stop();
  await issuer.stop();
});

/** Reads the player's own state with the token, so the service accepts it. */
async function expectPlayer(accessToken: string): Promise<void> {
  expect(decodeJwt(accessToken)).toMatchObject({ sub: 'ada', svc_environment: 'production' });
  const headers = { Authorization: `Bearer ${accessToken}` };
  expect((await server.call('GET', `${project.path}/user-state/production`, { headers })).status).toBe(204);
}

async function newServiceAccount(): Promise<{ id: string; clientSecret: string }> {
  const { accountId, bearer: headers } = project.developer;
  const body = { name: 'robot', role: 'editor', environments: ['production'] };
  const answer = await server.call('POST', `/v1/${accountId}/service-accounts`, { headers, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.json as { id: string; clientSecret: string };
}

/** Reads the service account's account with the token. */
async function expectServiceAccount(accessToken: string): Promise<void> {
  const headers = { Authorization: `Bearer ${accessToken}` };
  expect((await server.call('GET', `/v1/${project.developer.accountId}`, { headers })).status).toBe(200);
}

describe('oauth4webapi', () => {
  // The library's switch for http, which a loopback server needs.
  const options = { [oauth.allowInsecureRequests]: true };

  async function discover(): Promise<oauth.AuthorizationServer> {
    const url = new URL(server.baseUrl);
    const response = await oauth.discoveryRequest(url, { ...options, algorithm: 'oauth2' });
    return oauth.processDiscoveryResponse(url, response);
  }

  async function authorize(as: oauth.AuthorizationServer, client: oauth.Client, parameters: Record<string, string>) {
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const address = new URL(as.authorization_endpoint as string);
    address.search = new URLSearchParams({
      client_id: client.client_id,
      response_type: 'code',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      ...parameters,
    }).toString();
    const returned = await signInAt(address, server, issuer, ada);
    const callback = oauth.validateAuthResponse(as, client, returned, state);
    const uri = parameters.redirect_uri as string;
    const response = await oauth.authorizationCodeGrantRequest(as, client, oauth.None(), callback, uri, verifier, options);
    return oauth.processAuthorizationCodeResponse(as, client, response);
  }

  it('discovers, signs in a player, and refreshes', async () => {
    const as = await discover();
    const client = { client_id: clientId };
    const tokens = await authorize(as, client, { redirect_uri: redirectUri, scope });
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 900, scope });
    await expectPlayer(tokens.access_token);

    const refreshToken = tokens.refresh_token as string;
    const response = await oauth.refreshTokenGrantRequest(as, client, oauth.None(), refreshToken, {
      ...options,
      additionalParameters: { previous_access_token: tokens.access_token },
    });
    const refreshed = await oauth.processRefreshTokenResponse(as, client, response);
    expect(decodeJwt(refreshed.access_token)).toMatchObject({ email: 'ada@example.com', name: 'Ada' });
    expect(refreshed.refresh_token).not.toBe(refreshToken);

    const replay = await oauth.refreshTokenGrantRequest(as, client, oauth.None(), refreshToken, options);
    const error = await oauth.processRefreshTokenResponse(as, client, replay).catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(oauth.ResponseBodyError);
    expect(error).toMatchObject({ error: 'invalid_grant', status: 400 });
  });

  it('verifies an access token with the published keys', async () => {
    const as = await discover();
    const tokens = await authorize(as, { client_id: clientId }, { redirect_uri: redirectUri, scope });
    const request = new Request(`${server.baseUrl}/x`, { headers: { Authorization: `Bearer ${tokens.access_token}` } });
    const claims = await oauth.validateJwtAccessToken(as, request, server.baseUrl, options);
    expect(claims).toMatchObject({ iss: server.baseUrl, sub: 'ada', client_id: clientId });
  });

  it.each([
    ['by HTTP Basic', oauth.ClientSecretBasic],
    ['in the form', oauth.ClientSecretPost],
  ])('gets a token for a service account, with the secret %s', async (_, authentication) => {
    const as = await discover();
    const { id, clientSecret } = await newServiceAccount();
    const client = { client_id: id };
    const ask = (secret: string) => oauth.clientCredentialsGrantRequest(as, client, authentication(secret), {}, options);
    const tokens = await oauth.processClientCredentialsResponse(as, client, await ask(clientSecret));
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 900, scope: 'developer' });
    expect(tokens.refresh_token).toBeUndefined();
    await expectServiceAccount(tokens.access_token);

    const refused = await ask(`${clientSecret}x`);
    const error = await oauth.processClientCredentialsResponse(as, client, refused).catch((fault: unknown) => fault);
    // The library reports any challenge as the error, whatever the body says.
    expect(refused.status).toBe(401);
    expect(error).toBeInstanceOf(Error);
  });

  it('signs in a developer', async () => {
    const as = await discover();
    const tokens = await authorize(as, { client_id: 'svc-developer' }, { redirect_uri: developerUri });
    const accountId = decodeJwt(tokens.access_token).svc_account_id;
    const headers = { Authorization: `Bearer ${tokens.access_token}` };
    expect((await server.call('GET', `/v1/${accountId}`, { headers })).json).toMatchObject({ accountId, name: 'Ada' });
  });

  it('treats the response as an error if the method is not allowed', async () => {
    const as = await discover();
    const client = { client_id: clientId };
    const parameters = { client_id: clientId, response_type: 'code', redirect_uri: redirectUri, scope, state: 'a state' };
    const pkce = { code_challenge: await oauth.calculatePKCECodeChallenge('v'.repeat(43)), code_challenge_method: 'S256' };
    const address = new URL(`${as.authorization_endpoint}?${new URLSearchParams({ ...parameters, ...pkce })}`);
    const returned = await signInAt(address, server, issuer, { ...ada, provider: 'github.com' });
    expect(() => oauth.validateAuthResponse(as, client, returned, 'a state')).toThrow(oauth.AuthorizationResponseError);
  });
});

describe('openid-client', () => {
  it('discovers, signs in a player, and refreshes', async () => {
    const configuration = await openid.discovery(new URL(server.baseUrl), clientId, undefined, openid.None(), {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    });
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const expectedState = openid.randomState();
    const address = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
    });
    const returned = await signInAt(address, server, issuer, ada);
    const tokens = await openid.authorizationCodeGrant(configuration, returned, { pkceCodeVerifier, expectedState });
    await expectPlayer(tokens.access_token);
    const refreshed = await openid.refreshTokenGrant(configuration, tokens.refresh_token as string);
    await expectPlayer(refreshed.access_token);
    const replay = openid.refreshTokenGrant(configuration, tokens.refresh_token as string);
    await expect(replay).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it.each([
    ['by HTTP Basic', openid.ClientSecretBasic],
    ['in the form', openid.ClientSecretPost],
  ])('gets a token for a service account, with the secret %s', async (_, authentication) => {
    const { id, clientSecret } = await newServiceAccount();
    const configuration = await openid.discovery(new URL(server.baseUrl), id, undefined, authentication(clientSecret), {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    });
    const tokens = await openid.clientCredentialsGrant(configuration);
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'developer' });
    await expectServiceAccount(tokens.access_token);
  });
});

describe('@badgateway/oauth2-client', () => {
  it('discovers, signs in a player, and refreshes', async () => {
    const client = new OAuth2Client({ server: server.baseUrl, clientId, discoveryEndpoint: metadataPath });
    const codeVerifier = await generateCodeVerifier();
    const state = 'a state';
    const start = { redirectUri, state, codeVerifier, scope: [scope] };
    const address = new URL(await client.authorizationCode.getAuthorizeUri(start));
    const returned = await signInAt(address, server, issuer, ada);
    const tokens = await client.authorizationCode.getTokenFromCodeRedirect(returned, { redirectUri, state, codeVerifier });
    await expectPlayer(tokens.accessToken);
    const refreshed = await client.refreshToken(tokens);
    await expectPlayer(refreshed.accessToken);
    await expect(client.refreshToken(tokens)).rejects.toMatchObject({ oauth2Code: 'invalid_grant' });
  });
});
