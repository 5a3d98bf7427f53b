/** Sends the bodies in docs/schemas.md unchanged, and expects the results that the page states. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { typesOf } from '../../packages/server/src/cli/schema-types.ts';
import { startServer, type TestServer } from '../support/server.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/schemas.md'), 'utf8');
const blocks = [...page.matchAll(/```json\n(.*?)```/gs)].map(
  ([, text = '']) => JSON.parse(text) as Record<string, unknown>,
);

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

test('the example shop is reported first, then enforced', async () => {
  const [schema, document, report, refusal] = blocks;
  const project = await server.newProject();
  const send = (path: string, body: unknown, precondition: Record<string, string>) =>
    server.call('PUT', project.path + path, { headers: { ...project.developer.bearer, ...precondition }, body });
  const absent = { 'If-None-Match': '*' };
  expect((await send('/schemas/production/public-state', schema, absent)).status).toBe(200);
  expect((await send('/public-state/production', { state: document }, absent)).status).toBe(200);
  const path = `${project.path}/schemas/production/public-state/report`;
  expect((await server.call('GET', path, { headers: project.developer.bearer })).json).toEqual(report);
  expect(
    (await send('/schemas/production/public-state', { ...schema, mode: 'enforce' }, { 'If-Match': '"1"' })).status,
  ).toBe(200);
  expect(await send('/public-state/production', { state: document }, { 'If-Match': '"1"' })).toMatchObject({
    status: 400,
    json: refusal,
  });
});

test('a flag file with typos is refused', async () => {
  const [setting, document, refusal] = blocks.slice(5);
  const project = await server.newProject();
  const { bearer } = project.developer;
  expect((await server.call('PATCH', project.path, { headers: bearer, body: setting })).status).toBe(200);
  const write = (state: unknown) =>
    server.call('PUT', `${project.path}/public-state/production`, {
      headers: { ...bearer, 'If-None-Match': '*' },
      body: { state },
    });
  expect(await write(document)).toMatchObject({ status: 400, json: refusal });
  const corrected = JSON.stringify(document).replace('evnet', 'event').replace('"yes"', '"on"');
  expect((await write(JSON.parse(corrected))).status).toBe(200);
});

test('the commands on the page bring a schema from staging to production', async () => {
  const [lines = ''] = [...page.matchAll(/```bash\n(.*?)```/gs)].map(([, text]) => text);
  const developer = await server.newDeveloper();
  const { accountId, bearer, token } = developer;
  const created = await server.call('POST', `/v1/${accountId}/projects`, { headers: bearer, body: { slug: 'hello' } });
  expect(created.status).toBe(201);
  const path = (environment: string) => `/v1/${accountId}/projects/hello/schemas/${environment}/user-state`;
  const write = (precondition: Record<string, string>) =>
    server.call('PUT', path('staging'), { headers: { ...bearer, ...precondition }, body: blocks[4] });
  expect((await write({ 'If-None-Match': '*' })).status).toBe(200);
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-promote-'));
  const promote = () =>
    promisify(execFile)('bash', ['--norc', '-c', lines], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOLDFAST_URL: server.baseUrl,
        HOLDFAST_ACCOUNT_ID: accountId,
        HOLDFAST_DEVELOPER_TOKEN: token,
      },
    });
  const production = async () => (await server.call('GET', path('production'), { headers: bearer })).json;
  const { schema } = blocks[4] as { schema: unknown };
  expect((await promote()).stdout).toContain('"checked":0');
  expect(await production()).toEqual({ version: 1, mode: 'report', schema, comment: null });
  await write({ 'If-Match': '"1"' });
  await promote();
  expect(await production()).toMatchObject({ version: 2, mode: 'report' });
  rmSync(folder, { recursive: true });
});

test('the types match the page', async () => {
  const [types] = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, text]) => text);
  const { schema } = blocks[4] as { schema: unknown };
  expect(await typesOf(JSON.stringify(schema), 'Save')).toBe(types);
});

test('only the server changes the gold of a user state', async () => {
  const schema = blocks[4];
  const project = await server.newProject();
  const { accountId, bearer } = project.developer;
  const absent = { 'If-None-Match': '*' };
  await server.call('PUT', `${project.path}/schemas/production/user-state`, {
    headers: { ...bearer, ...absent },
    body: schema,
  });
  const player = { accountId, slug: project.slug, environment: 'production', userId: 'ada', seconds: 900 } as const;
  const token = await server.running.accessTokens.signPlayerToken(player);
  const own = (value: unknown, precondition: Record<string, string>) =>
    server.call('PATCH', `${project.path}/user-state/production`, {
      headers: { Authorization: `Bearer ${token}`, ...precondition },
      body: { ops: [{ op: 'replace', path: '', value }] },
    });
  const keywords = async (answering: ReturnType<typeof own>) => {
    const { violations = [] } = (await answering).json as { violations?: { keyword: string }[] };
    return violations.map(({ keyword }) => keyword);
  };
  expect((await own({ level: 1, trophies: ['cup'] }, absent)).status).toBe(200);
  const gives = await server.call('PATCH', `${project.path}/user-states/production/ada`, {
    headers: { ...bearer, 'If-Match': '"1"' },
    body: { ops: [{ op: 'add', path: '/gold', value: 100 }] },
  });
  expect(gives.status).toBe(200);
  const current = { 'If-Match': '"2"' };
  expect(await keywords(own({ level: 1, trophies: ['cup'] }, current))).toEqual(['x-write']);
  expect(await keywords(own({ level: 3, trophies: [], gold: 100 }, current))).toEqual(['x-increase-max', 'x-append-only']);
  expect((await own({ level: 2, trophies: ['cup', 'crown'], gold: 100 }, current)).status).toBe(200);
});
