/** Identity providers and users of an account, by its developer. */
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Developer, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let developer: Developer;
let path: string;
beforeAll(async () => {
  server = await startServer({ settings: { SVC_IDP_PRIVATE_ADDRESSES: 'allowed' } });
  developer = await server.newDeveloper();
  path = `/v1/${developer.accountId}/identity-providers`;
});
afterAll(() => server.stop());

const call = (method: string, at: string, body?: unknown, { bearer: headers } = developer) =>
  server.call(method, at, { headers, ...(body !== undefined && { body }) });
const put = (providerId: string, body: unknown) => call('PUT', `${path}/${providerId}`, body);
const secret = 'GOCSPX-the-very-secret';
const pem = (namedCurve: string) =>
  generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const apple = { clientId: 'com.example.game', teamId: 'TEAM123456', keyId: 'KEY1234567' };
const none = { issuer: null, tenant: null, teamId: null, keyId: null };

describe('an identity provider', () => {
  test('is written, read, listed and deleted, and its secret is never shown', async () => {
    const written = await put('google.com', { clientId: 'c', clientSecret: secret, issuer: 'https://ignored.example' });
    expect(written.status, written.text).toBe(200);
    const record = written.json as Record<string, unknown>;
    const times = { createdAt: expect.any(String), updatedAt: expect.any(String) };
    const redirectUri = `${server.baseUrl}/authorize/federated/callback/${developer.accountId}/google.com`;
    const expected = { providerId: 'google.com', name: 'Google', clientId: 'c', ...none, hasSecret: true, redirectUri };
    expect(record).toEqual({ ...expected, ...times });
    const [read, list] = [await call('GET', `${path}/google.com`), await call('GET', path)];
    expect(read.json).toEqual(record);
    expect((list.json as { items: unknown[] }).items).toContainEqual(record);
    expect(read.text + list.text + written.text).not.toContain(secret);
    expect(read.headers['cache-control']).toBe('no-store');
    expect((await call('DELETE', `${path}/google.com`)).status).toBe(204);
    expect((await call('DELETE', `${path}/google.com`)).status).toBe(404);
    expect((await call('GET', `${path}/google.com`)).status).toBe(404);
  });

  test('keeps its secret when a read record is sent back, and has a name and a tenant', async () => {
    await put('microsoft.com', { clientId: 'c', clientSecret: secret });
    const read = (await call('GET', `${path}/microsoft.com`)).json as Record<string, unknown>;
    expect(read).toMatchObject({ name: 'Microsoft', tenant: 'common', hasSecret: true });
    const again = await put('microsoft.com', { ...read, tenant: 'contoso.onmicrosoft.com' });
    expect(again.json).toMatchObject({ tenant: 'contoso.onmicrosoft.com', hasSecret: true, createdAt: read.createdAt });
    const company = { clientId: 'c', issuer: 'https://issuer.example/realms/a', name: 'Company' };
    expect((await put('oidc.company', company)).json).toMatchObject({ name: 'Company', hasSecret: false });
    expect((await put('oidc.company', { ...company, name: null })).json).toMatchObject({ name: 'company' });
  });

  test('keeps its secret only while its issuer stays the same', async () => {
    const company = { clientId: 'c', issuer: 'https://issuer.example' };
    await put('oidc.moved', { ...company, clientSecret: secret });
    const moved = { ...company, issuer: 'https://evil.example' };
    const answer = await put('oidc.moved', moved);
    expect([answer.status, (answer.json as { message: string }).message]).toEqual([
      400,
      '"/clientSecret" is missing; the stored one was given for another issuer (null takes it away)',
    ]);
    expect((await put('oidc.moved', { ...company, clientId: 'd' })).json).toMatchObject({ hasSecret: true });
    expect((await put('oidc.moved', { ...moved, clientSecret: null })).json).toMatchObject({ hasSecret: false });
  });

  test('for Apple accepts the key of the .p8 file, and no other', async () => {
    const right = { ...apple, privateKey: pem('P-256') };
    expect((await put('apple.com', right)).json).toMatchObject({ ...apple, name: 'Apple', hasSecret: true });
    expect((await put('apple.com', apple)).json).toMatchObject({ hasSecret: true });
    for (const privateKey of [pem('P-384'), right.privateKey.slice(0, 60), secret]) {
      const answer = await put('apple.com', { ...apple, privateKey });
      expect([answer.status, (answer.json as { message: string }).message]).toEqual([
        400,
        '"/privateKey" is not a P-256 key in PKCS #8, such as the .p8 file from Apple',
      ]);
    }
  });

  const ok = { clientId: 'c', clientSecret: 's' };
  const issuer = 'https://issuer.example';
  test.each<[string, unknown, RegExp]>([
    ['google.com', [], /the body/],
    ['google.com', {}, /clientId/],
    ['google.com', { clientId: 'c' }, /"\/clientSecret" is missing; google\.com needs it/],
    ['github.com', { clientId: 'c', clientSecret: null }, /"\/clientSecret" is missing/],
    ['github.com', { clientId: '', clientSecret: 's' }, /clientId/],
    ['github.com', { clientId: 'c', clientSecret: 7 }, /clientSecret/],
    ['github.com', { clientId: 'c', clientSecret: 'x'.repeat(4_097) }, /clientSecret/],
    ['microsoft.com', { ...ok, tenant: '../x' }, /tenant/],
    ['apple.com', { ...ok, teamId: 'TEAM123456', keyId: 'short' }, /keyId/],
    ['apple.com', { clientId: 'c', privateKey: 'x' }, /"\/teamId" is missing/],
    ['oidc.x', ok, /"\/issuer" is missing/],
    ['oidc.x', { ...ok, issuer: 'http://issuer.example' }, /"\/issuer" is "http:/],
    ['oidc.x', { ...ok, issuer: `${issuer}?a` }, /without credentials, query and fragment/],
    ['oidc.x', { ...ok, issuer: 'https://a:b@issuer.example' }, /without credentials/],
    ['oidc.x', { ...ok, issuer: 'javascript:alert(1)' }, /issuer/],
    ['oidc.x', { ...ok, issuer, name: '' }, /name/],
    ['facebook.com', ok, /path segment providerId/],
    ['oidc.', ok, /path segment providerId/],
    ['oidc.a%2Fb', ok, /path segment providerId/],
  ])('%s with %j is refused', async (providerId, body, message) => {
    await call('DELETE', `${path}/${providerId}`);
    const answer = await put(providerId, body);
    expect([answer.status, (answer.json as { error: string }).error]).toEqual([400, 'validation_error']);
    expect((answer.json as { message: string }).message).toMatch(message);
  });

  test.each([
    ['http://127.0.0.1:9000', 'is an address of the service itself'],
    ['https://10.1.2.3', 'is a private address, which the operator does not allow'],
    ['https://[::ffff:192.168.0.1]', 'is a private address, which the operator does not allow'],
  ])('may be at %s if the operator allows it', async (at, fault) => {
    const local = { ...ok, issuer: at };
    expect((await put('oidc.local', local)).status).toBe(200);
    const elsewhere = await startServer();
    const other = await elsewhere.newDeveloper();
    const body = { headers: other.bearer, body: local };
    const answer = await elsewhere.call('PUT', `/v1/${other.accountId}/identity-providers/oidc.local`, body);
    await elsewhere.stop();
    expect([answer.status, (answer.json as { message: string }).message]).toEqual([
      400,
      `"/issuer" is "${at}", which ${fault}`,
    ]);
  });

  test('is limited to 32 per account', async () => {
    const many = await server.newDeveloper();
    const putMany = (i: number) =>
      call('PUT', `/v1/${many.accountId}/identity-providers/oidc.p${i}`, { clientId: 'c', issuer }, many);
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => putMany(i)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(32);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(8);
  });

  test('belongs to its account: others have none of that name', async () => {
    await put('oidc.mine', { clientId: 'c', issuer });
    const other = await server.newDeveloper();
    expect((await call('GET', `/v1/${other.accountId}/identity-providers`, undefined, other)).json).toEqual({ items: [] });
    expect((await call('GET', `/v1/${other.accountId}/identity-providers/oidc.mine`, undefined, other)).status).toBe(404);
    expect((await call('DELETE', `${path}/oidc.mine`, undefined, other)).status).toBe(403);
  });

  test('leaves no readable secret on disk', async () => {
    await put('google.com', { clientId: 'marker-of-the-client', clientSecret: secret });
    const privateKey = pem('P-256');
    await put('apple.com', { ...apple, privateKey });
    const bytes = await server.place.storedText();
    expect(bytes).toContain('marker-of-the-client');
    expect(bytes).not.toContain(secret);
    expect(bytes).not.toContain(privateKey.split('\n')[1]);
  });
});

describe('users', () => {
  const users = (query = '', of = developer) => call('GET', `/v1/${of.accountId}/users${query}`, undefined, of);

  async function newUsers(of: Developer, count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, (_, i) => `usr_${of.accountId.slice(4, 12)}${i}`);
    for (const [i, userId] of ids.entries()) {
      const identity = {
        accountId: of.accountId,
        providerId: 'google.com',
        issuer: 'https://accounts.google.com',
        subject: userId,
      };
      const profile = { email: `${userId}@example.com`, name: i === 0 ? null : `User ${i}` };
      await server.running.store.signInFederatedUser(identity, profile, { userId, createdAt: 1_000_000 + i });
    }
    return ids.reverse();
  }

  test('are listed newest first, in pages', async () => {
    const of = await server.newDeveloper();
    expect((await users('', of)).json).toEqual({ items: [], cursor: null, hasMore: false });
    const ids = await newUsers(of, 7);
    const seen: string[] = [];
    for (let query = '?limit=3'; ; ) {
      const page = (await users(query, of)).json as {
        items: { userId: string }[];
        cursor: string | null;
        hasMore: boolean;
      };
      seen.push(...page.items.map(({ userId }) => userId));
      expect(page.hasMore).toBe(page.cursor !== null);
      if (page.cursor === null) break;
      query = `?limit=3&cursor=${page.cursor}`;
    }
    expect(seen).toEqual(ids);
    const { items } = (await users('?limit=1', of)).json as { items: unknown[] };
    expect(items).toEqual([
      {
        userId: ids[0],
        email: `${ids[0]}@example.com`,
        name: 'User 6',
        providers: ['google.com'],
        createdAt: '1970-01-01T00:16:40.006Z',
      },
    ]);
    expect((await users('?limit=-7', of)).json).toMatchObject({ items: { length: 1 } });
    const { cursor } = (await users('?limit=1', of)).json as { cursor: string };
    for (const query of ['?limit=x', '?cursor=x', `?cursor=${cursor}&cursor=${cursor}`]) {
      expect((await users(query, of)).status).toBe(400);
    }
    expect((await users(`?cursor=${cursor}`)).status).toBe(400);
  });

  test('are deleted with their sign-ins, but not their state', async () => {
    const project = await server.newProject();
    const of = project.developer;
    const [userId = '', other = ''] = await newUsers(of, 2);
    const place = { accountId: of.accountId, slug: project.slug, environment: 'production' as const };
    const token = await server.running.accessTokens.signPlayerToken({ ...place, userId, seconds: 900 });
    const written = await server.call('PATCH', `${project.path}/user-state/production`, {
      headers: { Authorization: `Bearer ${token}`, 'If-None-Match': '*' },
      body: { ops: [{ op: 'add', path: '/level', value: 7 }] },
    });
    expect(written.status, written.text).toBe(200);

    expect((await call('DELETE', `/v1/${of.accountId}/users/${userId}`, undefined, of)).status).toBe(204);
    expect((await call('DELETE', `/v1/${of.accountId}/users/${userId}`, undefined, of)).status).toBe(404);
    expect((await users('', of)).json).toMatchObject({ items: [{ userId: other }] });
    const state = await call('GET', `${project.path}/user-states/production/${userId}`, undefined, of);
    expect(state.json).toMatchObject({ state: { level: 7 } });
  });

  test.each([
    ['usr_unknown', 404],
    ['someone', 400],
    ['usr_%00', 400],
    ['usr_', 400],
  ])('%s is answered %i', async (userId, status) => {
    expect((await call('DELETE', `/v1/${developer.accountId}/users/${userId}`)).status).toBe(status);
  });

  test('belong to their account alone', async () => {
    const of = await server.newDeveloper();
    const [userId = ''] = await newUsers(of, 1);
    expect((await call('DELETE', `/v1/${developer.accountId}/users/${userId}`)).status).toBe(404);
    expect((await call('DELETE', `/v1/${of.accountId}/users/${userId}`)).status).toBe(403);
    expect((await users('', of)).json).toMatchObject({ items: [{ userId }] });
  });
});
