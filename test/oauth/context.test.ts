import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appUri, developerUri, openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const context = (parameters: Readonly<Record<string, string>> | string) =>
  world.server.call('GET', `/v1/auth/authorize/context?${new URLSearchParams(parameters)}`);
const right = () => ({ client_id: world.project.clientId, redirect_uri: appUri, scope: 'env:staging' });

describe('the authorize context', () => {
  it('of a player client contains branding, providers and the tenant of the account', async () => {
    const answer = await context(right());
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json).toEqual({
      flow: 'end_user',
      project_name: world.project.slug,
      logo_data: null,
      logo_media_type: null,
      primary_color: '#3b5bdb',
      surface_color: null,
      bg_color: '#ffffff',
      allowed_idps: ['password', 'google.com'],
      idp_tenant_id: world.project.tenantId,
    });
  });

  it.each([{}, { scope: 'env:production' }, { scope: 'anything' }])(
    'of the developer client ignores the scope: %o',
    async (scope) => {
      const answer = await context({ client_id: 'svc-developer', redirect_uri: developerUri, ...scope });
      expect(answer.status).toBe(200);
      expect(answer.json).toMatchObject({ flow: 'developer', project_name: null, idp_tenant_id: null, allowed_idps: [] });
    },
  );

  it.each([
    ['no client_id', { client_id: '' }, 400, 'validation_error'],
    ['an unknown account', { client_id: 'acc_nobody.game' }, 404, 'not_found'],
    ['a malformed client id', { client_id: 'game' }, 404, 'not_found'],
    ['no redirect_uri', { redirect_uri: '' }, 400, 'validation_error'],
    ['an unregistered redirect_uri', { redirect_uri: 'https://evil.example/' }, 400, 'validation_error'],
    ['a redirect URI for developers', { redirect_uri: developerUri }, 400, 'validation_error'],
    ['no scope', { scope: '' }, 400, 'validation_error'],
    ['an unknown environment', { scope: 'env:test' }, 400, 'validation_error'],
  ])('is refused for %s', async (_, changes, status, error) => {
    const answer = await context({ ...right(), ...changes });
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject({ error });
  });

  it('is refused for an unknown project of a known account', async () => {
    const answer = await context({ ...right(), client_id: `${world.project.developer.accountId}.nothing` });
    expect(answer.status).toBe(404);
  });

  it('is refused for a duplicate parameter', async () => {
    const answer = await context(`${new URLSearchParams(right())}&scope=env:production`);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: 'validation_error' });
  });

  it('is refused while sign-in is switched off for the project, like the public configuration', async () => {
    const { clientId, path } = await world.newSignInProject({ enabled: false });
    expect((await context({ ...right(), client_id: clientId })).status).toBe(404);
    expect(
      (await world.server.call('GET', path.replace('/v1/', '/v1/readonly/').concat('/auth/end-user/config'))).status,
    ).toBe(404);
  });
});

describe('the public configuration', () => {
  const read = (path: string) => world.server.call('GET', `${path.replace('/v1/', '/v1/readonly/')}/auth/end-user/config`);

  it('shows branding and providers to anyone, but no redirect URI', async () => {
    const answer = await read(world.project.path);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      clientId: world.project.clientId,
      projectName: world.project.slug,
      logoData: null,
      logoMediaType: null,
      primaryColor: '#3b5bdb',
      surfaceColor: null,
      bgColor: '#ffffff',
      allowedIdps: ['password', 'google.com'],
    });
  });

  it('does not exist for an unknown project, or one without settings', async () => {
    const plain = await world.server.newProject();
    for (const path of [plain.path, `${plain.path}-2`, '/v1/acc_nobody/projects/game']) {
      const answer = await read(path);
      expect(answer.status).toBe(404);
      expect(answer.json).toMatchObject({ error: 'not_found' });
    }
  });
});

describe('the metadata', () => {
  it('follows RFC 8414', async () => {
    const { baseUrl } = world.server;
    const answer = await world.server.call('GET', '/.well-known/oauth-authorization-server');
    expect(answer.json).toMatchObject({
      issuer: baseUrl,
      authorization_endpoint: `${baseUrl}/authorize`,
      token_endpoint: `${baseUrl}/v1/auth/token`,
      jwks_uri: `${baseUrl}/.well-known/jwks.json`,
      response_types_supported: ['code'],
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'client_credentials',
        'urn:ietf:params:oauth:grant-type:jwt-bearer',
      ],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
      revocation_endpoint: `${world.server.baseUrl}/v1/auth/revoke`,
      revocation_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
      authorization_response_iss_parameter_supported: true,
    });
  });
});
