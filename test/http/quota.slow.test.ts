/** Quotas of an account, over HTTP, with the clock under the test's control. @see docs/contract.md §10.2 and §11.5 */
import { createHash } from 'node:crypto';
import { type Operation, operations } from '@holdfast/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OwnLimits } from '../../packages/server/src/storage/contract/usage.ts';
import { byOperator } from '../../packages/server/src/storage/store-suite/records.fixture.ts';
import type { Answer, CallOptions } from '../support/client.ts';
import { openPlace, type Place } from '../support/place.ts';
import { type Project, startServer, type TestServer } from '../support/server.ts';

const settings = {
  SVC_QUOTA_API_REQUESTS_PER_MONTH: '9',
  SVC_QUOTA_PROJECTS: '3',
  SVC_QUOTA_END_USERS: '2',
  SVC_QUOTA_STORAGE_BYTES: '30',
};
const november = Date.UTC(2036, 10, 30, 23, 59, 0, 250);
const december = Date.UTC(2036, 11);
const day = 86_400_000;
let clock = november;
let place: Place;
let server: TestServer;
const start = async (more: Readonly<Record<string, string>> = {}) => {
  server = await startServer({ settings: { ...settings, ...more }, place, now: () => clock });
};
beforeAll(async () => {
  place = await openPlace();
  await start();
});
afterAll(async () => {
  await server.stop();
  await place.remove();
});
beforeEach(() => {
  clock = november;
});

/** A project whose account has these limits, in addition to those of the settings. */
async function newProject(limits: Partial<OwnLimits> = {}): Promise<Project> {
  const developer = await server.newDeveloper();
  await server.running.store.writeOwnLimits(byOperator, developer.accountId, { ...limits, apiRequests: 0 });
  const project = await server.newProject(developer);
  await server.running.store.writeOwnLimits(byOperator, developer.accountId, { apiRequests: limits.apiRequests ?? null });
  return project;
}

async function playerBearer({ developer, slug }: Project, userId: string) {
  const who = { accountId: developer.accountId, slug, environment: 'development', userId, seconds: 900 } as const;
  return { Authorization: `Bearer ${await server.running.accessTokens.signPlayerToken(who)}` };
}

const call = (project: Project, method: string, path: string, options: CallOptions = {}) =>
  server.call(method, path, { ...options, headers: { ...project.developer.bearer, ...options.headers } });
/** Reads an absent state: 204. */
const read = (project: Project) => call(project, 'GET', `${project.path}/public-state/production`);
const put = (project: Project, state: object, precondition: Readonly<Record<string, string>> = { 'If-None-Match': '*' }) =>
  call(project, 'PUT', `${project.path}/public-state/development`, { headers: precondition, body: { state } });
const patchOwn = async (project: Project, userId: string, ops: unknown, precondition = { 'If-None-Match': '*' }) =>
  server.call('PATCH', `${project.path}/user-state/development`, {
    headers: { ...(await playerBearer(project, userId)), ...precondition },
    body: { ops },
  });
const usage = async (project: Project) =>
  (await call(project, 'GET', `/v1/${project.developer.accountId}/usage`)).json as Record<string, { used: number }>;

async function statuses(count: number, send: () => Promise<Answer>): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < count; i++) found.push((await send()).status);
  return found;
}

/** Account management paths, which work even over quota. @see docs/contract.md §10.2 */
const managing =
  /^\/v1\/\{accountId\}(?:\/(?:usage(?:\/requests)?|audit|members|invitations|service-accounts|identity-providers|projects(?:\/\{slug\}(?:\/api-keys|\/auth\/end-user\/config|\/webhooks)?)?))?$/;

test('every operation with a credential declares the code of a used-up month, except management', () => {
  for (const [id, { access, path, quotaCodes = [] }] of Object.entries<Operation>(operations)) {
    const isManaging = managing.test(
      path.replace(/\/\{(?:keyId|providerId|memberId|invitationId|serviceAccountId|webhookId)\}(?:\/.*)?$/, ''),
    );
    expect([id, quotaCodes.includes('QUOTA_API_REQUESTS')]).toEqual([id, access.length > 0 && !isManaging]);
  }
});

describe('API requests of a month', () => {
  test('are refused over the limit until the exact second of the new month', async () => {
    const project = await newProject();
    expect(await statuses(9, () => read(project))).toEqual(Array(9).fill(204));
    const refused = await read(project);
    expect(refused.status).toBe(402);
    expect(refused.json).toEqual({
      code: 'QUOTA_API_REQUESTS',
      message: expect.stringContaining('9 API requests'),
      limit: 9,
      used: 9,
      resetsAt: '2036-12-01T00:00:00.000Z',
    });
    expect(refused.headers['retry-after']).toBe('60'); // rounded up from 59.75 s
    expect(refused.headers['cache-control']).toBe('no-store');
    clock = december - 1;
    const late = await read(project);
    expect([late.status, late.headers['retry-after']]).toEqual([402, '1']);
    clock = december;
    expect(await statuses(10, () => read(project))).toEqual([...Array(9).fill(204), 402]);
  });

  test('of other accounts are unaffected', async () => {
    const [one, other] = [await newProject({ apiRequests: 1 }), await newProject()];
    expect([(await read(one)).status, (await read(one)).status, (await read(other)).status]).toEqual([204, 402, 204]);
  });

  test('are let in up to the exact limit, even when sent simultaneously', async () => {
    const project = await newProject({ apiRequests: 20 });
    const answers = await Promise.all(Array.from({ length: 60 }, () => read(project)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(40);
  });

  test('count for the account they reach, whoever makes them', async () => {
    const project = await newProject({ apiRequests: 0 });
    const path = `${project.path}/public-state/development`;
    const before = (await usage(project)).apiRequests?.used as number;
    const { apiKey } = await server.newApiKey(project);
    await server.call('GET', path, { headers: { Authorization: `ApiKey ${apiKey}` } }); // 1
    await server.call('HEAD', path, { headers: { Authorization: `ApiKey ${apiKey}` } }); // 2
    await server.call('GET', '/v1/api-key/info', { headers: { Authorization: `ApiKey ${apiKey}` } }); // 3
    await patchOwn(project, 'u', [{ op: 'add', path: '/a', value: 1 }]); // 4
    await call(project, 'GET', `/v1/${project.developer.accountId}/users`); // 5
    expect((await put(project, {}, { 'If-Match': '"7"' })).status).toBe(412); // 6
    expect((await call(project, 'PUT', path, { headers: { 'Content-Type': 'text/plain' }, body: 'x' })).status).toBe(415); // 7
    expect((await call(project, 'GET', `${project.path}/public-state/development/versions/9`)).status).toBe(404); // 8
    expect((await usage(project)).apiRequests?.used).toBe(before + 8);
  });

  test('do not count if the credential or its reach is refused, or on anonymous routes', async () => {
    const [project, other] = [await newProject({ apiRequests: 0 }), await newProject()];
    const before = (await usage(project)).apiRequests?.used as number;
    const { accountId } = project.developer;
    const forbidden = await call(other, 'GET', project.path);
    const missing = await call(project, 'GET', `/v1/${accountId}/projects/unknown`);
    const malformed = await call(project, 'GET', `/v1/${accountId}/projects/NO`);
    const rejected = await server.call('GET', project.path, { headers: { Authorization: 'Bearer x.y.z' } });
    const anonymous = await server.call('GET', `/v1/readonly/${accountId}/projects/${project.slug}/auth/end-user/config`);
    const health = await server.call('GET', '/healthz');
    const preflight = await server.call('OPTIONS', project.path, {
      headers: { Origin: 'https://a.example', 'Access-Control-Request-Method': 'GET' },
    });
    const seen = [forbidden, missing, malformed, rejected, anonymous, health, preflight].map(({ status }) => status);
    expect(seen).toEqual([403, 404, 400, 401, 404, 200, 204]);
    expect((await usage(project)).apiRequests?.used).toBe(before);
  });

  test('are refused before the media type, precondition and body are checked', async () => {
    const project = await newProject({ apiRequests: 1 });
    await read(project);
    const path = `${project.path}/public-state/development`;
    const wrong = await call(project, 'PUT', path, { headers: { 'Content-Type': 'text/plain' }, body: 'x' });
    const bare = await call(project, 'PUT', path, { body: { state: {} } });
    expect([wrong.status, bare.status]).toEqual([402, 402]);
  });

  test('follow a limit set by another process within seconds, and its end', async () => {
    const project = await newProject({ apiRequests: 0 });
    const becomes = (status: number) => expect.poll(async () => (await read(project)).status).toBe(status);
    const operator = await place.openParallel();
    try {
      const { accountId } = project.developer;
      await becomes(204);
      await operator.writeOwnLimits(byOperator, accountId, { apiRequests: 1 });
      await becomes(402);
      await operator.writeOwnLimits(byOperator, accountId, { apiRequests: 0 });
      await becomes(204);
    } finally {
      await operator.close();
    }
  });
});

describe('a used-up month', () => {
  test('leaves an account that can be managed: a key can be revoked, and the usage read', async () => {
    const project = await newProject({ apiRequests: 2 });
    const { accountId } = project.developer;
    const key = await server.newApiKey(project);
    expect(await statuses(3, () => read(project))).toEqual([204, 204, 402]);
    const below = (path: string) => `/v1/${accountId}${path}`;
    expect((await call(project, 'GET', below('/usage'))).json).toMatchObject({ apiRequests: { used: 2, limit: 2 } });
    const managed: readonly [string, string, object?][] = [
      ['GET', below('')],
      ['PATCH', below(''), { name: 'again' }],
      ['GET', below('/projects')],
      ['POST', below('/projects'), { slug: 'another' }],
      ['GET', below('/projects/another')],
      ['PATCH', below('/projects/another'), { name: 'again' }],
      ['GET', `${project.path}/auth/end-user/config`],
      ['PUT', `${project.path}/auth/end-user/config`, { enabled: false }],
      ['PATCH', `${project.path}/auth/end-user/config`, { enabled: false }],
      ['GET', below('/identity-providers')],
      ['DELETE', below('/identity-providers/google.com')],
      ['DELETE', `${project.path}/api-keys/${key.id}`],
      ['GET', `${project.path}/api-keys`],
      ['POST', `${project.path}/api-keys`, { name: 'next' }],
      ['DELETE', below('/projects/another')],
    ];
    const found: number[] = [];
    for (const [method, path, body] of managed) found.push((await call(project, method, path, { body })).status);
    expect(found).toEqual([200, 200, 200, 201, 200, 200, 200, 200, 200, 200, 404, 204, 200, 201, 204]);
    const revoked = await server.call('GET', '/v1/api-key/info', { headers: { Authorization: `ApiKey ${key.apiKey}` } });
    expect(revoked.status).toBe(401);
    expect((await usage(project)).apiRequests?.used).toBe(2);
    expect((await call(project, 'DELETE', below(''))).status).toBe(204);
  });

  test('is never the work of publishable keys alone: together they may use half', async () => {
    const project = await newProject();
    const path = `${project.path}/public-state/production`;
    const keys = [
      await server.newApiKey(project, { kind: 'publishable' }),
      await server.newApiKey(project, { kind: 'publishable' }),
    ];
    const secret = await server.newApiKey(project);
    const head = (apiKey: string, method = 'HEAD') =>
      server.call(method, path, { headers: { Authorization: `ApiKey ${apiKey}` } });
    const found: number[] = [];
    for (let i = 0; i < 6; i++) found.push((await head(keys[i % 2]?.apiKey as string)).status);
    expect(found).toEqual([204, 204, 204, 204, 402, 402]);
    const refused = await head(keys[0]?.apiKey as string, 'GET');
    expect(refused.json).toEqual({
      code: 'QUOTA_API_REQUESTS',
      message: expect.stringContaining('publishable API keys'),
      limit: 4,
      used: 4,
      resetsAt: '2036-12-01T00:00:00.000Z',
    });
    expect(refused.headers['retry-after']).toBe('60');
    expect(await statuses(3, () => read(project))).toEqual([204, 204, 204]);
    expect([(await head(secret.apiKey)).status, (await head(secret.apiKey)).status]).toEqual([204, 204]);
    expect((await head(secret.apiKey, 'GET')).json).toMatchObject({ limit: 9, used: 9 });
    clock = december;
    expect((await head(keys[0]?.apiKey as string)).status).toBe(204);
  });
});

describe('projects', () => {
  test('over the limit are refused, and none is created; a deletion makes room', async () => {
    const { developer, path } = await newProject({ apiRequests: 0 });
    const projects = `/v1/${developer.accountId}/projects`;
    const create = (slug: string) => server.call('POST', projects, { headers: developer.bearer, body: { slug } });
    expect([(await create('b')).status, (await create('c')).status]).toEqual([201, 201]);
    const refused = await create('d');
    expect(refused.json).toEqual({ code: 'QUOTA_PROJECTS', message: expect.any(String), limit: 3, used: 3 });
    expect([refused.status, refused.headers['retry-after']]).toEqual([402, undefined]);
    expect((await server.call('GET', `${projects}/d`, { headers: developer.bearer })).status).toBe(404);
    expect((await create('c')).status).toBe(409);
    await server.call('DELETE', path, { headers: developer.bearer });
    expect((await create('d')).status).toBe(201);
  });
});

describe('API keys', () => {
  test('over 1,000 in a project are refused, whatever the account’s limits; revoking one makes room', async () => {
    const { developer, path, slug } = await newProject({ apiRequests: 0 });
    const { accountId, bearer: headers } = developer;
    const record = { accountId, slug, name: 'one of many', start: 'svck_1234', access: 'read' as const, createdAt: 1 };
    const rest = {
      kind: 'secret' as const,
      environments: ['staging'] as const,
      lastUsedAt: null,
      expiresAt: null,
      requestsPerMinute: null,
    };
    const keys = Array.from({ length: 999 }, (_, i) => ({ ...record, ...rest, keyId: `key_${accountId.slice(4)}${i}` }));
    const { store } = server.running;
    for (const key of keys)
      await store.createApiKey(byOperator, key, createHash('sha256').update(key.keyId).digest(), 1_000);

    const create = () => server.call('POST', `${path}/api-keys`, { headers, body: { name: 'x'.repeat(200) } });
    const last = await create();
    expect(last.status).toBe(201);
    const refused = await create();
    expect(refused.json).toEqual({ code: 'QUOTA_API_KEYS', message: expect.any(String), limit: 1_000, used: 1_000 });
    expect([refused.status, refused.headers['retry-after']]).toEqual([402, undefined]);
    const list = (await server.call('GET', `${path}/api-keys`, { headers })).json as { items: { id: string }[] };
    expect([list.items.length, list.items[0]?.id]).toEqual([1_000, (last.json as { id: string }).id]);
    expect((await server.call('DELETE', `${path}/api-keys/${list.items[0]?.id}`, { headers })).status).toBe(204);
    expect((await create()).status).toBe(201);
  });
});

describe('players', () => {
  test('over the limit are refused, and nothing of theirs is stored; known players still write', async () => {
    const project = await newProject({ apiRequests: 0, storageBytes: 0 });
    const add = [{ op: 'add', path: '/a', value: 1 }];
    expect([(await patchOwn(project, 'u', add)).status, (await patchOwn(project, 'v', add)).status]).toEqual([200, 200]);
    const refused = await patchOwn(project, 'w', add);
    expect(refused.json).toEqual({ code: 'QUOTA_END_USERS', message: expect.any(String), limit: 2, used: 2 });
    expect([refused.status, refused.headers['retry-after']]).toEqual([402, undefined]);
    expect((await call(project, 'GET', `${project.path}/user-states/development/w`)).status).toBe(204);
    expect((await patchOwn(project, 'u', add, { 'If-Match': '"1"' } as never)).status).toBe(200);
    await call(project, 'DELETE', `${project.path}/user-states/v`);
    expect((await patchOwn(project, 'w', add)).status).toBe(200);
  });
});

describe('bytes', () => {
  test('over the limit are refused for every kind of write, and nothing is stored', async () => {
    const project = await newProject({ apiRequests: 0 });
    expect((await put(project, { a: '12345678901234567' })).status).toBe(200); // 25 of 30
    const replaced = await put(project, { a: 12 }, { 'If-Match': '"1"' }); // 8
    expect(replaced.json).toEqual({ code: 'QUOTA_STORAGE', message: expect.any(String), limit: 30, used: 25 });
    expect([replaced.status, replaced.headers['retry-after']]).toEqual([402, undefined]);
    const patched = await call(project, 'PATCH', `${project.path}/public-state/development`, {
      headers: { 'If-Match': '"1"' },
      body: { ops: [{ op: 'replace', path: '/a', value: 1 }] },
    });
    const own = await patchOwn(project, 'u', [{ op: 'add', path: '/a', value: 1 }]);
    expect([patched.status, own.status]).toEqual([402, 402]);
    expect((await put(project, {}, { 'If-Match': '"9"' })).status).toBe(412);
    const { headers } = await call(project, 'GET', `${project.path}/public-state/development`);
    expect(headers.etag).toBe('"1"');
    expect((await put(project, {}, { 'If-Match': '"1"' })).status).toBe(200);
  });
});

describe('the usage of an account', () => {
  test('is returned with its limits, without deleted data', async () => {
    const project = await newProject({ apiRequests: 0 });
    const { accountId } = project.developer;
    await put(project, { a: 1 });
    await patchOwn(project, 'u', [{ op: 'add', path: '/a', value: 'é' }]);
    const path = `/v1/${accountId}/usage`;
    const answer = await call(project, 'GET', path);
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    const period = { start: '2036-11-01T00:00:00.000Z', end: '2036-12-01T00:00:00.000Z' };
    expect(answer.json).toEqual({
      period,
      apiRequests: { used: 2, limit: null },
      projects: { used: 1, limit: 3 },
      endUsers: { used: 1, limit: 2 },
      storageBytes: { used: 17, limit: 30 },
      daily: expect.any(Array),
    });
    const days = (answer.json as { daily: { start: string; apiRequests: number }[] }).daily;
    expect(days).toHaveLength(30);
    expect(days.at(-1)).toEqual({ start: new Date(Math.floor(clock / day) * day).toISOString(), apiRequests: 2 });
    expect(new Set(days.slice(0, -1).map(({ apiRequests }) => apiRequests))).toEqual(new Set([0]));
    await call(project, 'DELETE', project.path);
    expect((await call(project, 'GET', path)).json).toMatchObject({
      apiRequests: { used: 2 },
      projects: { used: 0 },
      endUsers: { used: 0 },
      storageBytes: { used: 0 },
    });
    clock = december + 5;
    expect((await call(project, 'GET', path)).json).toMatchObject({
      period: { start: period.end, end: '2037-01-01T00:00:00.000Z' },
      apiRequests: { used: 0 },
    });
  });
});

describe('a restart', () => {
  test('keeps the count of used requests, even right after the last request', async () => {
    const project = await newProject();
    expect(await statuses(6, () => read(project))).toEqual(Array(6).fill(204));
    await server.stop();
    await start();
    // The base URL, and with it the token issuer, changes with the restart.
    const token = await server.running.accessTokens.signDeveloperToken({
      accountId: project.developer.accountId,
      subject: 'operator',
      actsAs: 'operator',
      seconds: 900,
    });
    const again: Project = {
      ...project,
      developer: { ...project.developer, bearer: { Authorization: `Bearer ${token}` } },
    };
    expect((await usage(again)).apiRequests?.used).toBe(6);
    expect(await statuses(4, () => read(again))).toEqual([204, 204, 204, 402]);
  });

  test('keeps the order of limits: a request over its credential’s limit is 429, and does not count for the account', async () => {
    await server.stop();
    await start({ SVC_RATE_LIMIT_PER_MINUTE: '3' });
    clock = december;
    const project = await newProject({ apiRequests: 2 });
    expect(await statuses(4, () => read(project))).toEqual([204, 204, 429, 429]);
    clock += 60_000;
    expect(await statuses(4, () => read(project))).toEqual([402, 402, 402, 429]);
  });
});
