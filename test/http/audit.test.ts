/** The audit trail over HTTP. @see docs/contract.md §8.10 */
import type { AuditRecordBody } from '@holdfast/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInIssuerName } from '../../packages/server/src/storage/contract/identity.ts';
import type { Store } from '../../packages/server/src/storage/store.ts';
import { newMember } from '../support/members.ts';
import { type Developer, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let store: Store;
const lines: string[] = [];
beforeAll(async () => {
  const logOutput = { write: (line: string) => void lines.push(line), close: async () => undefined };
  server = await startServer({ settings: { SVC_LOG_LEVEL: 'info' }, logOutput });
  store = server.running.store;
});
afterAll(() => server.stop());

type Page = { items: AuditRecordBody[]; cursor: string | null; hasMore: boolean };
const trail = async ({ accountId, bearer }: Developer, query = '', headers = {}) =>
  server.call('GET', `/v1/${accountId}/audit${query}`, { headers: { ...bearer, ...headers } });
const page = async (developer: Developer, query = '') => {
  const answer = await trail(developer, query);
  expect(answer.status).toBe(200);
  return answer.json as Page;
};

describe('GET /v1/{accountId}/audit', () => {
  it('says who changed what, newest first', async () => {
    const project = await server.newProject();
    const { accountId, bearer } = project.developer;
    const { id } = await server.newApiKey(project, { name: 'ci', environments: ['staging'], access: 'read' });
    const headers = bearer;
    await server.call('PATCH', project.path, { headers, body: { name: 'Two' } });
    await server.call('DELETE', `${project.path}/api-keys/${id}`, { headers });
    await server.call('PATCH', `/v1/${accountId}`, { headers, body: { name: 'Studio' } });
    const { items, cursor, hasMore } = await page(project.developer);
    expect([cursor, hasMore]).toEqual([null, false]);
    const actor = { kind: 'operator', id: 'operator', name: null };
    expect(items).toEqual(
      [
        ['account.update', accountId, { name: { from: 'Test', to: 'Studio' } }],
        [
          'api_key.revoke',
          `projects/${project.slug}/api-keys/${id}`,
          { name: { from: 'ci' }, start: { from: expect.any(String) } },
        ],
        ['project.update', `projects/${project.slug}`, { name: { from: project.slug, to: 'Two' } }],
        [
          'api_key.create',
          `projects/${project.slug}/api-keys/${id}`,
          {
            name: { to: 'ci' },
            start: { to: expect.stringMatching(/^svck_.{1,6}$/) },
            kind: { to: 'secret' },
            access: { to: 'read' },
            environments: { to: ['staging'] },
          },
        ],
        ['project.create', `projects/${project.slug}`, { name: { to: project.slug } }],
      ].map(([action, target, detail], index) => ({
        accountId,
        id: String(5 - index),
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        actor,
        action,
        target,
        detail,
        requestId: expect.any(String),
      })),
    );
  });

  it('names members as they are called now, never by an email address, in pages and lines', async () => {
    const developer = await server.newDeveloper();
    const { accountId, bearer: headers } = developer;
    const member = await newMember(server, accountId, 'admin');
    await server.call('POST', `/v1/${accountId}/projects`, { headers: member.bearer, body: { slug: 'hello' } });
    const claims = { email: null, name: 'grace@example.com' };
    await store.recordSignIn(accountId, builtInIssuerName, member.subject, claims, Date.now());
    const query = '?action=project.create';
    const actor = { kind: 'developer', id: member.memberId, name: 'grace' };
    expect((await page(developer, query)).items[0]?.actor).toEqual(actor);
    const lines = await trail(developer, query, { Accept: 'application/x-ndjson' });
    expect(JSON.parse(lines.text)).toMatchObject({ actor });
    await server.call('DELETE', `/v1/${accountId}/members/${member.memberId}`, { headers });
    expect((await page(developer, query)).items[0]?.actor).toEqual({ ...actor, name: null });
  });

  it('names a request by an id of the service, which the log shows beside the client’s id', async () => {
    const developer = await server.newDeveloper();
    const rename = (headers = {}) =>
      server.call('PATCH', `/v1/${developer.accountId}`, {
        headers: { ...developer.bearer, ...headers },
        body: { name: 'x' },
      });
    const plain = await rename();
    const forged = await rename({ 'X-Request-Id': String(plain.headers['x-request-id']) });
    expect(forged.headers['x-request-id']).toBe(plain.headers['x-request-id']);
    const [second, first] = (await page(developer)).items;
    expect(first?.requestId).toBe(plain.headers['x-request-id']);
    expect(second?.requestId).not.toBe(first?.requestId);
    const logged = lines.map((line) => JSON.parse(line)).filter(({ account }) => account === developer.accountId);
    const renames = logged.filter(({ operation }) => operation === 'updateAccount');
    expect(renames.map(({ requestId, auditRequestId }) => [requestId, auditRequestId])).toEqual([
      [first?.requestId, undefined],
      [first?.requestId, second?.requestId],
    ]);
  });

  it('has pages and filters, unaffected by new records', async () => {
    const developer = await server.newDeveloper();
    const { accountId, bearer: headers } = developer;
    for (let i = 0; i < 5; i++)
      await server.call('POST', `/v1/${accountId}/projects`, { headers, body: { slug: `p${i}` } });
    const first = await page(developer, '?limit=2&action=project.create');
    await server.call('DELETE', `/v1/${accountId}/projects/p4`, { headers });
    await server.call('POST', `/v1/${accountId}/projects`, { headers, body: { slug: 'late' } });
    const second = await page(developer, `?limit=2&action=project.create&cursor=${first.cursor}`);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(['5', '4', '3', '2']);
    const third = await page(developer, `?limit=2&action=project.create&actor=operator&cursor=${second.cursor}`);
    expect([third.items.map(({ id }) => id), third.cursor, third.hasMore]).toEqual([['1'], null, false]);
    expect((await page(developer, '?action=project.delete')).items.map(({ target }) => target)).toEqual(['projects/p4']);
    expect((await page(developer, '?actor=mem_none')).items).toEqual([]);
  });

  it.each([
    '?action=',
    '?action=project.destroy',
    '?action=toString',
    '?action=project.create&action=project.delete',
    '?actor=',
    `?actor=${'a'.repeat(513)}`,
    '?actor=a&actor=b',
    '?cursor=x',
    '?limit=1.5',
  ])('refuses %s', async (query) => {
    const answer = await trail(await server.newDeveloper(), query);
    expect([answer.status, answer.json]).toEqual([400, expect.objectContaining({ error: 'validation_error' })]);
  });

  it('refuses another account’s cursor, another account’s trail, and requests without a credential', async () => {
    const [mine, other] = [await server.newDeveloper(), await server.newDeveloper()];
    for (const { accountId, bearer: headers } of [mine, mine, other, other])
      await server.call('PATCH', `/v1/${accountId}`, { headers, body: { name: 'y' } });
    const { cursor } = await page(other, '?limit=1');
    expect((await trail(mine, `?cursor=${cursor}`)).status).toBe(400);
    expect((await server.call('GET', `/v1/${other.accountId}/audit`, { headers: mine.bearer })).status).toBe(403);
    expect((await server.call('GET', `/v1/${mine.accountId}/audit`)).status).toBe(401);
    const project = await server.newProject(mine);
    const { apiKey } = await server.newApiKey(project);
    const headers = { Authorization: `ApiKey ${apiKey}` };
    expect((await server.call('GET', `/v1/${mine.accountId}/audit`, { headers })).status).toBe(401);
  });

  it('sends all records as JSON lines, with the same filters', async () => {
    const developer = await server.newDeveloper();
    const { accountId, bearer: headers } = developer;
    const count = 130;
    const names = Array.from({ length: count }, (_, i) => `Name ${i}`);
    for (const name of names) await server.call('PATCH', `/v1/${accountId}`, { headers, body: { name } });
    await server.call('POST', `/v1/${accountId}/projects`, { headers, body: { slug: 'p' } });
    const accept = { Accept: 'application/x-ndjson' };
    const answer = await trail(developer, '?limit=1', accept);
    expect([answer.status, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
      200,
      'application/x-ndjson',
      'no-store',
    ]);
    const records = answer.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditRecordBody);
    expect(records.map(({ id }) => Number(id))).toEqual(Array.from({ length: count + 1 }, (_, i) => count + 1 - i));
    expect(answer.text.endsWith('\n')).toBe(true);
    const { items, cursor } = await page(developer, '?limit=50');
    expect(items).toEqual(records.slice(0, 50));
    const rest = await trail(developer, `?action=account.update&cursor=${cursor}`, accept);
    expect(rest.text.trimEnd().split('\n')).toHaveLength(count + 1 - 50);
    expect((await trail(developer, '?action=project.delete', accept)).text).toBe('');
    expect(
      (await trail(developer, '', { Accept: 'application/json, application/x-ndjson;q=0' })).headers['content-type'],
    ).toBe('application/json');
  });

  it('does not count towards the monthly quota', async () => {
    const developer = await server.newDeveloper();
    const by = { actor: { kind: 'operator', id: 'operator', name: null }, requestId: 'r', at: Date.now() } as const;
    await store.writeOwnLimits(by, developer.accountId, { apiRequests: 1 });
    for (let i = 0; i < 3; i++) expect((await trail(developer)).status).toBe(200);
  });

  it('has no record of a refused change', async () => {
    const developer = await server.newDeveloper();
    const { accountId, bearer: headers } = developer;
    await server.call('POST', `/v1/${accountId}/projects`, { headers, body: { slug: 'Bad Slug' } });
    await server.call('DELETE', `/v1/${accountId}/projects/none`, { headers });
    await server.call('DELETE', `/v1/${accountId}/users/usr_none`, { headers });
    expect((await page(developer)).items).toEqual([]);
  });

  it('removes a deleted player’s id from earlier records', async () => {
    const project = await server.newProject();
    const { bearer: headers } = project.developer;
    const playerId = 'grace/hopper@example.com';
    const path = `${project.path}/user-states`;
    const writeState = (id: string, precondition: object, value: number) =>
      server.call('PATCH', `${path}/production/${encodeURIComponent(id)}`, {
        headers: { ...headers, ...precondition },
        body: { ops: [{ op: 'add', path: '/gold', value }] },
      });
    expect((await writeState(playerId, { 'If-None-Match': '*' }, 1)).status).toBe(200);
    expect((await writeState(playerId, { 'If-Match': '"1"' }, 2)).status).toBe(200);
    expect((await writeState('somebody-else', { 'If-None-Match': '*' }, 1)).status).toBe(200);
    const targets = async () =>
      (await page(project.developer)).items.map(({ action, target }) => [action, target.split('/players/')[1]]);
    expect(await targets()).toEqual([
      ['user_state.write', 'somebody-else'],
      ['user_state.write', encodeURIComponent(playerId)],
      ['user_state.write', encodeURIComponent(playerId)],
      ['project.create', undefined],
    ]);
    await server.call('DELETE', `${path}/${encodeURIComponent(playerId)}`, { headers });
    const erased = `erased-${(await page(project.developer)).items[0]?.requestId}`;
    expect(await targets()).toEqual([
      ['user_state.delete', erased],
      ['user_state.write', 'somebody-else'],
      ['user_state.write', erased],
      ['user_state.write', erased],
      ['project.create', undefined],
    ]);
  });

  it('records writes of public state in protected environments only', async () => {
    const project = await server.newProject();
    const { bearer: headers } = project.developer;
    await server.call('PATCH', project.path, { headers, body: { protectedEnvironments: ['production'] } });
    const put = (environment: string, precondition: object, body: object) =>
      server.call('PUT', `${project.path}/public-state/${environment}`, { headers: { ...headers, ...precondition }, body });
    expect((await put('staging', { 'If-None-Match': '*' }, { state: {} })).status).toBe(200);
    expect((await put('production', { 'If-None-Match': '*' }, { state: {}, comment: 'first' })).status).toBe(200);
    expect((await put('production', { 'If-Match': '"9"' }, { state: {}, comment: 'stale' })).status).toBe(412);
    expect((await put('production', { 'If-Match': '"1"' }, { state: { secret: 'x' }, comment: 'next' })).status).toBe(200);
    const { items } = await page(project.developer);
    expect(items.map(({ action, target, detail }) => [action, target, detail]).slice(0, 3)).toEqual([
      ['state.write', `projects/${project.slug}/public-state/production`, { version: { to: 2 }, comment: { to: 'next' } }],
      ['state.write', `projects/${project.slug}/public-state/production`, { version: { to: 1 }, comment: { to: 'first' } }],
      ['project.update', `projects/${project.slug}`, { protectedEnvironments: { from: [], to: ['production'] } }],
    ]);
  });

  it('says who deleted a player, but not which player', async () => {
    const project = await server.newProject();
    const { accountId, bearer: headers } = project.developer;
    const playerId = 'ada@example.com';
    const key = { accountId, slug: project.slug, environment: 'production', playerId } as const;
    await store.writeUserState(key, { kind: 'absent' }, { stateText: '{}', stateBytes: 2, writtenAt: 1 });
    await server.call('DELETE', `${project.path}/user-states/${encodeURIComponent(playerId)}`, { headers });
    const [record] = (await page(project.developer)).items;
    expect(record).toMatchObject({
      action: 'user_state.delete',
      target: `projects/${project.slug}/players/erased-${record?.requestId}`,
    });
    await expect.poll(() => server.place.storedText(), { interval: 500 }).not.toContain(playerId);
  });
});
