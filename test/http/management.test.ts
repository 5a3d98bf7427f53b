/** Accounts, projects and API keys over HTTP. */

import { examples } from '@holdfast/contract/openapi';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { projectDefaults } from '../../packages/server/src/storage/contract/projects.ts';
import type { Answer } from '../support/client.ts';
import { newMember } from '../support/members.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const error = (answer: Answer) => (answer.json as { error: string }).error;
const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('accounts', () => {
  test('are read, renamed and deleted, after which the token is rejected', async () => {
    const { accountId, bearer } = await server.newDeveloper('First');
    const path = `/v1/${accountId}`;
    const read = await server.call('GET', path, { headers: bearer });
    expect(read.json).toEqual({
      accountId: expect.stringMatching(/^acc_[0-9A-Za-z]{22}$/),
      name: 'First',
      idpTenantId: expect.any(String),
      createdAt: expect.stringMatching(timePattern),
      requireSecondFactor: false,
    });
    const renamed = await server.call('PATCH', path, { headers: bearer, body: { name: 'Zweiter 😀' } });
    expect(renamed.json).toEqual({ ...(read.json as object), name: 'Zweiter 😀' });
    expect((await server.call('DELETE', path, { headers: bearer })).status).toBe(204);
    const gone = await server.call('GET', path, { headers: bearer });
    expect(gone.status).toBe(401);
    expect(gone.headers['www-authenticate']).toMatch(/^Bearer error="invalid_token", error_description="[^"]+"$/);
  });

  test.each([{}, { name: '' }, { name: 5 }, { name: 'x'.repeat(201) }, [], null])('refuse %j: 400', async (body) => {
    const { accountId, bearer } = await server.newDeveloper();
    const answer = await server.call('PATCH', `/v1/${accountId}`, { headers: bearer, body });
    expect([answer.status, error(answer)]).toEqual([400, 'validation_error']);
  });

  test('are deleted with their projects, keys and state', async () => {
    const project = await server.newProject();
    const { apiKey } = await server.newApiKey(project);
    const headers = { Authorization: `ApiKey ${apiKey}` };
    expect((await server.call('GET', `${project.path}/public-state/development`, { headers })).status).toBe(204);
    await server.call('DELETE', `/v1/${project.developer.accountId}`, { headers: project.developer.bearer });
    expect((await server.call('GET', `${project.path}/public-state/development`, { headers })).status).toBe(401);
  });
});

describe('projects', () => {
  test('are created, read, renamed and deleted', async () => {
    const { accountId, bearer: headers } = await server.newDeveloper();
    const created = await server.call('POST', `/v1/${accountId}/projects`, { headers, body: { slug: 'my-game_2' } });
    expect(created.status).toBe(201);
    const record = {
      ...projectDefaults,
      accountId,
      slug: 'my-game_2',
      name: 'my-game_2',
      createdAt: expect.stringMatching(timePattern),
      protectedEnvironments: [],
      flagsCheck: 'off',
      publicStateHistory: null,
      requiredApprovals: { development: 0, staging: 0, production: 0 },
    };
    expect(created.json).toEqual(record);
    const path = `/v1/${accountId}/projects/my-game_2`;
    expect((await server.call('GET', path, { headers })).json).toEqual(record);
    const renamed = await server.call('PATCH', path, { headers, body: { name: 'My game' } });
    expect(renamed.json).toEqual({ ...record, name: 'My game' });
    expect((await server.call('DELETE', path, { headers })).status).toBe(204);
    const gone = await server.call('GET', path, { headers });
    expect([gone.status, error(gone)]).toEqual([404, 'not_found']);
    expect((await server.call('DELETE', path, { headers })).status).toBe(404);
  });

  test.each(Object.entries(examples.UpdateProjectBody ?? {}))('have %s set, shown and put back', async (name, value) => {
    const { path, slug, developer } = await server.newProject();
    const headers = developer.bearer;
    const read = async () => (await server.call('GET', path, { headers })).json as Record<string, unknown>;
    const before = await read();
    expect(value, 'the example must differ from a new project').not.toEqual(before[name]);
    const shown = typeof value === 'object' && !Array.isArray(value) ? { ...Object(before[name]), ...value } : value;
    const changed = await server.call('PATCH', path, { headers, body: { [name]: value } });
    expect(changed.json).toEqual({ ...before, [name]: shown });
    expect(await read()).toEqual(changed.json);
    const listed = await server.call('GET', `/v1/${developer.accountId}/projects`, { headers });
    expect((listed.json as { items: { slug: string }[] }).items.find((one) => one.slug === slug)).toEqual(changed.json);
    const back = await server.call('PATCH', path, { headers, body: { [name]: before[name] } });
    expect(back.json).toEqual(before);
  });

  test('have slugs that are unique in their account and free in others', async () => {
    const [first, second] = [await server.newDeveloper(), await server.newDeveloper()];
    const create = ({ accountId, bearer: headers }: typeof first) =>
      server.call('POST', `/v1/${accountId}/projects`, { headers, body: { slug: 'twice' } });
    expect((await create(first)).status).toBe(201);
    const duplicate = await create(first);
    expect([duplicate.status, error(duplicate)]).toEqual([409, 'already_exists']);
    expect((await create(second)).status).toBe(201);
  });

  test.each(['', 'A', 'a--b', '-a', 'a-', 'a b', 'ä', 'a.b', 'x'.repeat(65), 5, null])('refuse %j: 400', async (slug) => {
    const { accountId, bearer: headers } = await server.newDeveloper();
    const answer = await server.call('POST', `/v1/${accountId}/projects`, { headers, body: { slug } });
    expect([answer.status, error(answer)]).toEqual([400, 'validation_error']);
  });

  test('are listed newest first, with nothing skipped or repeated during writes', async () => {
    const developer = await server.newDeveloper();
    const { accountId, bearer: headers } = developer;
    for (let i = 0; i < 7; i++) await server.newProject(developer);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '?limit=3' : `?limit=3&cursor=${encodeURIComponent(cursor)}`;
      const page = (await server.call('GET', `/v1/${accountId}/projects${query}`, { headers })).json as {
        items: { slug: string }[];
        cursor: string | null;
        hasMore: boolean;
      };
      expect(page.hasMore).toBe(page.cursor !== null);
      seen.push(...page.items.map(({ slug }) => slug));
      cursor = page.cursor;
      await server.newProject(developer);
    } while (cursor !== null);
    expect(seen).toHaveLength(7);
    const numbers = seen.map((slug) => Number(slug.slice(2)));
    expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
  });

  test.each(['limit=', 'limit=+5', 'limit=1.5', 'limit=2147483648', 'limit=1&limit=2', 'cursor=', 'cursor=xyz'])(
    '?%s: 400',
    async (query) => {
      const { accountId, bearer: headers } = await server.newDeveloper();
      const answer = await server.call('GET', `/v1/${accountId}/projects?${query}`, { headers });
      expect([answer.status, error(answer)]).toEqual([400, 'validation_error']);
    },
  );

  test('refuse another account’s cursor as malformed', async () => {
    const [first, second] = [await server.newDeveloper(), await server.newDeveloper()];
    await server.newProject(first);
    await server.newProject(first);
    const page = await server.call('GET', `/v1/${first.accountId}/projects?limit=1`, { headers: first.bearer });
    const { cursor } = page.json as { cursor: string };
    const answer = await server.call('GET', `/v1/${second.accountId}/projects?cursor=${cursor}`, {
      headers: second.bearer,
    });
    expect([answer.status, error(answer)]).toEqual([400, 'validation_error']);
  });

  test('created again under the same slug continue above every earlier version', async () => {
    const { developer, path, slug } = await server.newProject();
    const { bearer } = developer;
    const document = `${path}/public-state/development`;
    const put = (precondition: Record<string, string>) =>
      server.call('PUT', document, { headers: { ...bearer, ...precondition }, body: { state: {} } });
    await put({ 'If-None-Match': '*' });
    await put({ 'If-Match': '"1"' });
    await server.call('DELETE', path, { headers: bearer });
    expect((await put({ 'If-Match': '"2"' })).status).toBe(404);
    await server.call('POST', `/v1/${developer.accountId}/projects`, { headers: bearer, body: { slug } });
    expect((await server.call('GET', document, { headers: bearer })).status).toBe(204);
    expect((await put({ 'If-Match': '"2"' })).status).toBe(412);
    expect((await put({ 'If-None-Match': '*' })).json).toMatchObject({ version: 3 });
    expect((await server.call('GET', `${document}/versions`, { headers: bearer })).json).toHaveLength(1);
  });
});

describe('API keys', () => {
  test('are shown once, listed without their secret, readable by themselves, and revoked immediately', async () => {
    const project = await server.newProject();
    const headers = project.developer.bearer;
    const created = await server.call('POST', `${project.path}/api-keys`, { headers, body: { name: 'ci' } });
    expect(created.status).toBe(201);
    const { apiKey, ...record } = created.json as { apiKey: string; id: string; lastUsedAt: string | null };
    expect(apiKey).toMatch(/^svck_[0-9A-Za-z]{36}$/);
    expect(record).toEqual({
      id: expect.any(String),
      name: 'ci',
      start: expect.stringMatching(/^svck_/),
      kind: 'secret',
      access: 'write',
      environments: ['development', 'staging', 'production'],
      createdAt: expect.stringMatching(timePattern),
      lastUsedAt: null,
      expiresAt: null,
    });
    const listed = await server.call('GET', `${project.path}/api-keys`, { headers });
    expect(listed.json).toEqual({ items: [{ ...record, apiKey: null }] });
    expect(listed.text).not.toContain(apiKey);

    const key = { Authorization: `ApiKey ${apiKey}` };
    const { lastUsedAt: _unused, kind: _kind, ...identity } = record as typeof record & { kind: string };
    const info = await server.call('GET', '/v1/api-key/info', { headers: key });
    expect(info.json).toEqual({ accountId: project.developer.accountId, projectSlug: project.slug, ...identity });

    expect((await server.call('DELETE', `${project.path}/api-keys/${record.id}`, { headers })).status).toBe(204);
    expect((await server.call('GET', `${project.path}/public-state/development`, { headers: key })).status).toBe(401);
    expect((await server.call('DELETE', `${project.path}/api-keys/${record.id}`, { headers })).status).toBe(404);
  });

  test.each([
    undefined,
    'Bearer nonsense',
    'ApiKey',
    'ApiKey svck_nonsense',
    `ApiKey svck_${'a'.repeat(36)}`,
    'Basic YTpi',
  ])('are not described to %s: 401 with an empty body', async (authorization) => {
    const headers = authorization === undefined ? {} : { Authorization: authorization };
    const answer = await server.call('GET', '/v1/api-key/info', { headers });
    expect([answer.status, answer.text]).toEqual([401, '']);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
  });

  test('are rejected once expired, and cannot be created expired', async () => {
    let passed = 0;
    const server = await startServer({ now: () => Date.now() + passed });
    onTestFinished(() => server.stop());
    const project = await server.newProject();
    const { apiKey } = await server.newApiKey(project, { expiresAt: new Date(Date.now() + 60_000).toISOString() });
    const headers = { Authorization: `ApiKey ${apiKey}` };
    expect((await server.call('GET', `${project.path}/public-state/staging`, { headers })).status).toBe(204);
    passed = 61_000;
    expect((await server.call('GET', `${project.path}/public-state/staging`, { headers })).status).toBe(401);
    const past = await server.call('POST', `${project.path}/api-keys`, {
      headers: project.developer.bearer,
      body: { name: 'late', expiresAt: '2020-01-01T00:00:00.000Z' },
    });
    expect([past.status, error(past)]).toEqual([400, 'validation_error']);
  });

  test.each([{ kind: 'publishable' }, { kind: 'publishable', access: 'read', environments: ['production'] }])(
    'created with %j are publishable: they read the current public state and their own record, and nothing else',
    async (asked) => {
      const project = await server.newProject();
      const headers = project.developer.bearer;
      const created = await server.call('POST', `${project.path}/api-keys`, { headers, body: { name: 'game', ...asked } });
      const { apiKey, ...record } = created.json as { apiKey: string };
      expect(apiKey).toMatch(/^svcp_[0-9A-Za-z]{36}$/);
      expect(record).toMatchObject({ start: apiKey.slice(0, 9), access: 'read', ...asked });
      const listed = await server.call('GET', `${project.path}/api-keys`, { headers });
      expect(listed.json).toEqual({ items: [{ ...record, apiKey }] });

      const key = { Authorization: `ApiKey ${apiKey}` };
      const read = (path: string) => server.call('GET', path, { headers: key });
      expect((await read(`${project.path}/public-state/production`)).status).toBe(204);
      const { kind: _kind, lastUsedAt: _unused, ...itself } = record as typeof record & { kind: string; lastUsedAt: null };
      const { accountId } = project.developer;
      const info = await read('/v1/api-key/info');
      expect([info.status, info.json]).toEqual([200, { accountId, projectSlug: project.slug, ...itself }]);
      const versions = await read(`${project.path}/public-state/production/versions`);
      expect([versions.status, error(versions)]).toEqual([403, 'forbidden']);
      expect((await read(`${project.path}/public-state/development`)).status).toBe('environments' in asked ? 403 : 204);
    },
  );

  test('are shown again only if publishable, to those who may create keys, and are not readable in the database', async () => {
    const project = await server.newProject();
    const { accountId, bearer } = project.developer;
    const secret = await server.newApiKey(project);
    const { apiKey } = await server.newApiKey(project, { kind: 'publishable' });
    const shownTo = async (headers: Readonly<Record<string, string>>) => {
      const { json } = await server.call('GET', `${project.path}/api-keys`, { headers });
      return (json as { items: { apiKey: string | null }[] }).items.map((key) => key.apiKey);
    };
    expect(await shownTo(bearer)).toEqual([apiKey, null]);
    expect(await shownTo((await newMember(server, accountId, 'admin')).bearer)).toEqual([apiKey, null]);
    expect(await shownTo((await newMember(server, accountId, 'admin', ['staging'])).bearer)).toEqual([null, null]);
    const stored = await server.place.storedText();
    expect(stored).toContain(apiKey.slice(0, 9)); // shows that the keys were read
    expect([apiKey, secret.apiKey].filter((text) => stored.includes(text))).toEqual([]);
  });

  test('cannot write if they are publishable', async () => {
    const project = await server.newProject();
    const body = { name: 'game', kind: 'publishable', access: 'write' };
    const refused = await server.call('POST', `${project.path}/api-keys`, { headers: project.developer.bearer, body });
    expect([refused.status, error(refused)]).toEqual([400, 'validation_error']);
    expect((refused.json as { message: string }).message).toContain('"/access" must be "read"');
  });

  test.each([
    {},
    { name: 'x', kind: 'public' },
    { name: 'x', access: 'admin' },
    { name: 'x', environments: [] },
    { name: 'x', environments: ['Production'] },
    { name: 'x', expiresAt: 'tomorrow' },
  ])('%j: 400', async (body) => {
    const project = await server.newProject();
    const answer = await server.call('POST', `${project.path}/api-keys`, { headers: project.developer.bearer, body });
    expect([answer.status, error(answer)]).toEqual([400, 'validation_error']);
  });
});
