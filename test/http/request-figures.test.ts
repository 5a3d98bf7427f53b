/** Requests and errors by caller and day. @see docs/contract.md §8.2 */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readEvents } from '../support/events.ts';
import { newMember } from '../support/members.ts';
import { openPlace, type Place } from '../support/place.ts';
import { type Project, startServer, type TestServer } from '../support/server.ts';

const day = 86_400_000;
const today = Math.floor(Date.now() / day) * day;
let clock: number;
let place: Place;
let server: TestServer;
const start = async () => {
  server = await startServer({ place, now: () => clock });
};
beforeAll(async () => {
  clock = Date.now();
  place = await openPlace();
  await start();
});
afterAll(async () => {
  await server.stop();
  await place.remove();
});
beforeEach(() => {
  clock = Date.now();
});

interface Figures {
  readonly period: { readonly start: string; readonly end: string };
  readonly requests: number;
  readonly errors: readonly { readonly code: string; readonly requests: number }[];
  readonly daily: readonly Readonly<Record<string, unknown>>[];
  readonly callers: readonly Readonly<Record<string, unknown>>[];
  readonly openStreams: readonly Readonly<Record<string, unknown>>[];
}

const ask = ({ developer }: Project, query = '') =>
  server.call('GET', `/v1/${developer.accountId}/usage/requests${query}`, { headers: developer.bearer });
async function figures(project: Project, query = ''): Promise<Figures> {
  const answer = await ask(project, query);
  expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
  return answer.json as Figures;
}
const timeOf = (at: number) => new Date(at).toISOString();
const errorsOf = (code: string, requests: number) => [{ code, requests }];

async function playerHeaders({ developer: { accountId }, slug }: Project) {
  const claims = { accountId, slug, environment: 'development' as const, userId: 'ada', seconds: 900 };
  return { Authorization: `Bearer ${await server.running.accessTokens.signPlayerToken(claims)}` };
}

/** A project with requests from a key, a player and a developer. */
async function usedProject(): Promise<Project & { readonly keyId: string; readonly keyHeaders: Record<string, string> }> {
  const project = await server.newProject();
  const { id, apiKey } = await server.newApiKey(project, { name: 'web server' });
  const keyHeaders = { Authorization: `ApiKey ${apiKey}` };
  const path = `${project.path}/public-state/development`;
  for (let n = 0; n < 3; n++) await server.call('GET', path, { headers: keyHeaders });
  const again = { headers: { ...keyHeaders, 'If-Match': '"9"' }, body: { state: {} } };
  await server.call('PUT', path, again);
  await server.call('GET', `${project.path}/user-state/development`, { headers: await playerHeaders(project) });
  await server.call('GET', `${project.path}/public-state/nowhere`, { headers: project.developer.bearer });
  return { ...project, keyId: id, keyHeaders };
}

describe('request figures', () => {
  test('show callers, projects and results, immediately on this node', async () => {
    const project = await usedProject();
    const { slug, keyId } = project;
    const found = await figures(project, '?days=2');
    const caller = (kind: string, more: Readonly<Record<string, unknown>>) => ({
      projectSlug: slug,
      kind,
      id: null,
      name: null,
      errors: [],
      ...more,
    });
    expect(found).toEqual({
      period: { start: timeOf(today - day), end: timeOf(today + day) },
      requests: 6,
      errors: [
        { code: 'validation_error', requests: 1 },
        { code: 'version_conflict', requests: 1 },
      ],
      daily: [
        { start: timeOf(today - day), requests: 0, errors: [] },
        { start: timeOf(today), requests: 6, errors: found.errors },
      ],
      callers: [
        caller('api_key', { id: keyId, name: 'web server', requests: 4, errors: errorsOf('version_conflict', 1) }),
        // The path was refused before its project was known.
        caller('developer', { projectSlug: null, requests: 1, errors: errorsOf('validation_error', 1) }),
        caller('end_user', { requests: 1 }),
      ],
      openStreams: [],
    });
  });

  test('can be filtered by project and by caller', async () => {
    const project = await usedProject();
    const other = await server.newProject(project.developer);
    await server.call('GET', `${other.path}/public-state/staging`, { headers: project.developer.bearer });
    expect((await figures(project, `?projectSlug=${other.slug}`)).callers).toMatchObject([
      { kind: 'developer', requests: 1 },
    ]);
    expect(await figures(project, `?caller=${project.keyId}`)).toMatchObject({
      requests: 4,
      errors: errorsOf('version_conflict', 1),
    });
    expect(await figures(project, `?projectSlug=${other.slug}&caller=end_user`)).toMatchObject({
      requests: 0,
      callers: [],
    });
    expect((await figures(project)).requests).toBe(7);
  });

  test('show a revoked key by its id only, and are deleted with their project', async () => {
    const project = await usedProject();
    const { developer, path, keyId } = project;
    await server.call('DELETE', `${path}/api-keys/${keyId}`, { headers: developer.bearer });
    expect((await figures(project)).callers[0]).toMatchObject({ kind: 'api_key', id: keyId, name: null, requests: 4 });
    await server.call('DELETE', path, { headers: developer.bearer });
    expect((await figures(project)).callers.map(({ projectSlug }) => projectSlug)).toEqual([null]);
  });

  test('count neither management, nor refused credentials, nor anonymous requests', async () => {
    const project = await server.newProject();
    const { developer, path } = project;
    for (const target of [`/v1/${developer.accountId}/usage`, `/v1/${developer.accountId}/usage/requests`, path]) {
      await server.call('GET', target, { headers: developer.bearer });
    }
    await server.call('GET', `${path}/public-state/staging`, { headers: { Authorization: 'ApiKey svck_wrong' } });
    await server.call('GET', `${path}/auth/end-user/public-config`);
    expect((await figures(project)).requests).toBe(0);
  });

  test('count forbidden requests for the account of their caller, and are shown to nobody else', async () => {
    const [project, other] = [await usedProject(), await server.newProject()];
    await server.call('GET', `${other.path}/public-state/staging`, { headers: project.keyHeaders });
    expect((await figures(other)).requests).toBe(0);
    expect(await figures(project, `?caller=${project.keyId}`)).toMatchObject({ requests: 5 });
    const { status } = await server.call('GET', `/v1/${other.developer.accountId}/usage/requests`, {
      headers: project.developer.bearer,
    });
    expect([403, 404]).toContain(status);
  });

  test('survive a restart, by day, and are kept for 92 days', async () => {
    const project = await usedProject();
    clock += 2 * day;
    const askLater = async (path: string) => {
      const headers = { Authorization: `Bearer ${await tokenAt(project)}` };
      return server.call('GET', path, { headers });
    };
    const target = `/v1/${project.developer.accountId}/usage/requests`;
    await askLater(`${project.path}/public-state/staging`);
    await server.stop();
    await start();
    const asked = (await askLater(`${target}?days=3`)).json as Figures;
    expect(asked.daily.map(({ requests }) => requests)).toEqual([6, 0, 1]);
    expect(await server.running.store.sweepRequestFigures(today + day)).toBeGreaterThan(0);
    expect((await askLater(`${target}?days=92`)).json).toMatchObject({ requests: 1 });
  });

  test('show open streams and their documents', async () => {
    const project = await usedProject();
    const readers = [
      await readEvents(server.baseUrl, `${project.path}/public-state/development/changes`, project.keyHeaders),
      await readEvents(server.baseUrl, `${project.path}/public-state/staging/changes`, project.keyHeaders),
      await readEvents(server.baseUrl, `${project.path}/user-state/development/changes`, await playerHeaders(project)),
    ];
    onTestFinished(() => {
      for (const reader of readers) reader.close();
    });
    const { slug: projectSlug } = project;
    const open = [{ projectSlug, publicState: 2, userState: 1 }];
    expect(await figures(project)).toMatchObject({ requests: 9, openStreams: open });
    expect((await figures(project, `?projectSlug=${projectSlug}`)).openStreams).toEqual(open);
    expect((await figures(project, '?projectSlug=another')).openStreams).toEqual([]);
    for (const reader of readers) reader.close();
    await expect.poll(async () => (await figures(project)).openStreams).toEqual([]);
  });

  test('are visible to every member', async () => {
    const project = await usedProject();
    const viewer = await newMember(server, project.developer.accountId, 'viewer');
    expect((await figures({ ...project, developer: viewer })).callers[0]).toMatchObject({ name: 'web server' });
  });
});

test.each([
  ['?days=0', 'query parameter days: "0" must be a whole number from 1 to 92'],
  ['?days=93', 'query parameter days: "93" must be a whole number from 1 to 92'],
  ['?days=1.5', 'query parameter days: "1.5" must be a whole number'],
  ['?days=', 'query parameter days: "" must be a whole number'],
  ['?days=1&days=2', 'query parameter days is given 2 times'],
  ['?projectSlug=My%20Game', 'query parameter projectSlug: "My Game" is not a project slug'],
  [`?projectSlug=${'a'.repeat(5_000)}`, 'is not a project slug'],
  [
    '?caller=nobody',
    'query parameter caller: "nobody" must be the id of an API key or service account, or one of developer',
  ],
])('an invalid query is refused: %#', async (query, message) => {
  const answer = await ask(await server.newProject(), query);
  expect([answer.status, answer.json]).toMatchObject([400, { error: 'validation_error' }]);
  expect((answer.json as { message: string }).message).toContain(message);
});

async function tokenAt({ developer: { accountId } }: Project): Promise<string> {
  return server.running.accessTokens.signDeveloperToken({
    accountId,
    subject: 'operator',
    actsAs: 'operator',
    seconds: 900,
  });
}
