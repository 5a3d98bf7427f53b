/** Follows docs/schemas.md: its files and commands, unchanged, get the results that the page states. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { typesOf } from '../../packages/server/src/cli/types/schema-types.ts';
import { codeBlocks } from '../../tooling/code-blocks.ts';
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

/** Saves the files and runs the shell blocks of the page in order, as in the demo. Returns the output of each block. */
async function follow(developer: { accountId: string; token: string }): Promise<string[]> {
  const place = mkdtempSync(join(tmpdir(), 'holdfast-schemas-page-'));
  try {
    mkdirSync(join(place, 'holdfast/data'), { recursive: true });
    mkdirSync(join(place, 'my-schemas'));
    const variables = [
      `export HOLDFAST_URL=${server.baseUrl} HOLDFAST_ACCOUNT_ID=${developer.accountId}`,
      `export HOLDFAST_DEVELOPER_TOKEN=${developer.token}`,
    ];
    writeFileSync(join(place, 'holdfast/data/dev.env'), variables.join('\n'));
    for (const [, name = '', text = ''] of page.matchAll(/Save as `(\S+\.json)`:\n\n```json\n(.*?)```/gs))
      writeFileSync(join(place, 'my-schemas', name), text);
    // The last two print types, which need the command, and put the demo back.
    const lines = codeBlocks(page, 'sh').slice(0, -2).join('printf "\\0"\n');
    const options = { cwd: join(place, 'holdfast'), env: { PATH: process.env.PATH } };
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', lines], options);
    return stdout.split('\0');
  } finally {
    rmSync(place, { recursive: true });
  }
}

test('the commands of the page get the responses on the page', async () => {
  const developer = await server.newDeveloper();
  const { accountId, bearer } = developer;
  const created = await server.call('POST', `/v1/${accountId}/projects`, { headers: bearer, body: { slug: 'hello' } });
  expect(created.status).toBe(201);
  const [, document, report, refusal, save, flags, flagsRefusal] = blocks;
  const outputs = await follow(developer);
  const answers = outputs.map((text) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line)),
  );
  expect(answers).toEqual([
    [],
    [expect.objectContaining({ version: 1, mode: 'report' })],
    [expect.objectContaining({ version: 1, state: document }), report],
    [expect.objectContaining({ version: 2, mode: 'enforce' }), refusal],
    [expect.objectContaining({ version: 1, ...save })],
    [expect.objectContaining({ flagsCheck: 'enforce' })],
    [flagsRefusal],
    [
      expect.objectContaining({ stored: expect.objectContaining({ checked: 0 }) }),
      expect.objectContaining({ version: 1, mode: 'report', schema: save?.schema }),
    ],
  ]);
  const corrected = JSON.stringify(flags).replace('evnet', 'event').replace('"yes"', '"on"');
  const written = await server.call('PUT', `/v1/${accountId}/projects/hello/public-state/staging`, {
    headers: { ...bearer, 'If-Match': '"1"' },
    body: { state: JSON.parse(corrected) },
  });
  expect(written.status).toBe(200);
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
