/** Problems that prevent sign-in are reported only to the developer and the log. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Project, startServer, type TestServer } from '../support/server.ts';
import { appUri, loginUri, openWorld, type SignInProject, type World } from './world.ts';

interface Settings {
  readonly allowedIdps: readonly string[];
  readonly redirectUris: readonly string[];
  readonly warnings?: readonly { code: string; value: string; message: string; lastSeenAt: string | null }[];
}

const settingsOf = async (server: TestServer, project: Project, method = 'GET', body?: unknown) => {
  const headers = project.developer.bearer;
  const answer = await server.call(method, `${project.path}/auth/end-user/config`, {
    headers,
    ...(body !== undefined && { body }),
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.json as Settings;
};

describe('an allowed provider without configuration', () => {
  let server: TestServer;
  let project: Project;
  beforeAll(async () => {
    server = await startServer();
    project = await server.newProject();
  });
  afterAll(() => server.stop());

  const warned = ({ warnings }: Settings) => warnings?.map(({ code, value }) => [code, value]);

  it('causes a warning in PUT, PATCH and GET, until it is configured or no longer allowed', async () => {
    const first = await settingsOf(server, project, 'PUT', { enabled: true, allowedIdps: ['password', 'google.com'] });
    expect(warned(first)).toEqual([['idp_not_configured', 'google.com']]);
    expect(first.warnings?.[0]?.message).toContain('/identity-providers/google.com');
    const patched = await settingsOf(server, project, 'PATCH', { allowedIdps: ['google.com', 'oidc.studio'] });
    expect(warned(patched)).toEqual([
      ['idp_not_configured', 'google.com'],
      ['idp_not_configured', 'oidc.studio'],
    ]);
    const { accountId, bearer: headers } = project.developer;
    const body = { clientId: 'c', clientSecret: 's' };
    await server.call('PUT', `/v1/${accountId}/identity-providers/google.com`, { headers, body });
    expect(warned(await settingsOf(server, project))).toEqual([['idp_not_configured', 'oidc.studio']]);
    expect(await settingsOf(server, project, 'PATCH', { allowedIdps: ['google.com'] })).not.toHaveProperty('warnings');
  });

  it('leaves a read record valid to send back', async () => {
    const read = await settingsOf(server, project, 'PATCH', { enabled: true, allowedIdps: ['apple.com'] });
    expect(read.warnings).toHaveLength(1);
    expect(await settingsOf(server, project, 'PUT', read)).toEqual(read);
  });

  it('does not affect simultaneous changes of different members', async () => {
    const changes = [
      { enabled: true },
      { primaryColor: '#111111' },
      { surfaceColor: '#222222' },
      { bgColor: '#333333' },
      { redirectUris: ['https://game.example/cb'] },
      { allowedIdps: ['password'] },
    ];
    await Promise.all(changes.map((change) => settingsOf(server, project, 'PATCH', change)));
    expect(await settingsOf(server, project)).toMatchObject(Object.assign({}, ...changes));
  });
});

describe('a client’s invalid redirect URI or scope', () => {
  let world: World;
  let lines: { msg: string; clientId?: string; redirectUri?: string; scope?: string }[] = [];
  let project: SignInProject;
  beforeAll(async () => {
    const write = (line: string) => void lines.push(JSON.parse(line));
    world = await openWorld({ settings: { SVC_LOG_LEVEL: 'warn' }, logOutput: { write, close: async () => {} } });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.pass(60_000);
    project = await world.newSignInProject();
    lines = [];
  });

  const ask = async (changes: Readonly<Record<string, string>>) =>
    world.complete(await world.callbackForm({ client_id: project.clientId, ...changes }));
  const told = async (of: Project = project) =>
    (await settingsOf(world.server, of)).warnings?.map(({ code, value }) => [code, value]);

  it('is shown in the settings and in the log, but not on the page', async () => {
    const wrong = 'https://evil.example/cb?user=ada';
    const page = await ask({ redirect_uri: wrong });
    expect([page.status, page.text.includes('evil')]).toEqual([400, false]);
    expect(page.text).toContain('asked to return to an address that is not registered for it');
    expect(page.text).not.toContain(appUri);
    expect(await told()).toEqual([['redirect_uri_not_registered', wrong]]);
    const { warnings } = await settingsOf(world.server, project);
    expect(new Date(warnings?.[0]?.lastSeenAt ?? 0).getTime()).toBeCloseTo(world.now(), -5);
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'a sign-in asked for a redirect URI that is not registered',
        clientId: project.clientId,
        redirectUri: 'https://evil.example/cb?…',
        redirectUris: [appUri, loginUri],
      }),
    ]);

    expect((await ask({ scope: 'env:live' })).status).toBe(303);
    expect(await told()).toEqual([
      ['scope_not_valid', 'env:live'],
      ['redirect_uri_not_registered', wrong],
    ]);
    expect(lines.at(-1)).toMatchObject({ scope: 'env:live', msg: 'a sign-in asked for an unknown scope' });
  });

  it('is shown even if the login page only reads its context', async () => {
    const context = (query: Readonly<Record<string, string>>) =>
      world.server.call(
        'GET',
        `/v1/auth/authorize/context?${new URLSearchParams({ client_id: project.clientId, ...query })}`,
      );
    expect((await context({ redirect_uri: 'https://a.example/', scope: 'env:staging' })).status).toBe(400);
    expect((await context({ redirect_uri: appUri, scope: 'staging' })).status).toBe(400);
    expect(await told()).toEqual([
      ['scope_not_valid', 'staging'],
      ['redirect_uri_not_registered', 'https://a.example/'],
    ]);
  });

  it('is dropped once it is registered, or after a day', async () => {
    await ask({ redirect_uri: 'https://new.example/cb' });
    const fixed = { redirectUris: [appUri, 'https://new.example/cb'] };
    expect(await settingsOf(world.server, project, 'PATCH', fixed)).not.toHaveProperty('warnings');
    await ask({ scope: 'none' });
    world.pass(24 * 60 * 60 * 1000 + 1);
    project = { ...project, developer: { ...project.developer, bearer: await freshToken(project) } };
    expect(await told()).toBeUndefined();
  });

  it('is limited to 200 characters and 16 per account, newest first, each once', async () => {
    for (let number = 0; number < 20; number++) await ask({ redirect_uri: `https://evil.example/${number}` });
    await ask({ redirect_uri: 'https://evil.example/19' });
    await ask({ redirect_uri: `https://evil.example/${'x'.repeat(5_000)}` });
    const values = (await told())?.map(([, value = '']) => value) ?? [];
    expect(values).toHaveLength(16);
    expect(values[0]).toHaveLength(200);
    expect(values[1]).toBe('https://evil.example/19');
    expect(lines.length).toBeLessThanOrEqual(10);
  });

  it('is not shown to other projects and clients', async () => {
    const other = await world.newSignInProject();
    const sibling = await world.server.newProject(project.developer);
    await ask({ redirect_uri: 'https://evil.example/' });
    await ask({ client_id: 'svc-developer', redirect_uri: 'https://evil.example/dev' });
    for (const one of [other, sibling]) expect(await told(one)).toBeUndefined();
    expect(await told()).toEqual([['redirect_uri_not_registered', 'https://evil.example/']]);
    expect(lines.at(-1)).toMatchObject({ clientId: 'svc-developer', redirectUri: 'https://evil.example/dev' });
  });

  async function freshToken({ developer: { accountId } }: Project) {
    const { accessTokens } = world.server.running;
    const token = await accessTokens.signDeveloperToken({
      accountId,
      subject: 'operator',
      actsAs: 'operator',
      seconds: 900,
    });
    return { Authorization: `Bearer ${token}` };
  }
});
