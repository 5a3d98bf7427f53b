/** A store that is set back, over HTTP: by `holdfast restore`, and by replacing its file. */
import { copyFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type CommandSandbox, createCommandSandbox } from '../command.fixture.ts';

const places: CommandSandbox[] = [];
afterEach(async () => {
  for (const place of places.splice(0)) await place.remove();
});

/** A workplace with an account, whose operator token and calls the test uses. */
async function openPlace() {
  const place = await createCommandSandbox();
  places.push(place);
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await place.run(args);
    return { code, stdout, stderr, json: () => JSON.parse(stdout) as Record<string, unknown> };
  };
  const created = (await run('account', 'create', '--name', 'Studio', '--json')).json();
  const accountId = created.accountId as string;
  const base = `http://127.0.0.1:${place.environment.SVC_PORT}`;
  let token = '';
  const signIn = async () => {
    token = (await run('account', 'token', accountId, '--json')).json().developerToken as string;
  };
  const call = (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
    fetch(`${base}/v1/${accountId}${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...init.headers },
    });
  const document = '/projects/game/public-state/production';
  const write = async (n: number, expected: number | null) => {
    const precondition = expected === null ? { 'If-None-Match': '*' } : { 'If-Match': `"${expected}"` };
    const response = await call(document, { method: 'PUT', body: JSON.stringify({ state: { n } }), headers: precondition });
    return { status: response.status, version: ((await response.json()) as { version: number }).version };
  };
  return { ...place, run, accountId, base, signIn, call, write, document, token: () => token };
}

test('a restored backup repeats no version, ends issued credentials, and repeats revocations', async () => {
  const at = await openPlace();
  let service = await at.serve();
  await at.signIn();
  await at.call('/projects', { method: 'POST', body: '{"slug":"game"}' });
  for (const n of [1, 2]) await at.write(n, n === 1 ? null : n - 1);
  const keyOf = async (name: string) =>
    (await (await at.call('/projects/game/api-keys', { method: 'POST', body: JSON.stringify({ name }) })).json()) as {
      id: string;
      apiKey: string;
    };
  const [kept, revoked] = [await keyOf('kept'), await keyOf('revoked')];
  const players = join(at.folder, 'players.ndjson');
  const player = (playerId: string) =>
    JSON.stringify({ endUserId: playerId, environment: 'production', state: { gold: 1 } });
  writeFileSync(players, `${player('zoe-1')}\n${player('bob')}\n`);
  expect((await at.run('players', 'import', players, '--account', at.accountId, '--project', 'game')).code).toBe(0);
  const backup = join(at.folder, 'one.backup');
  expect((await at.run('backup', backup)).code).toBe(0);

  expect((await at.write(3, 2)).version).toBe(3);
  writeFileSync(players, `${player('late')}\n`);
  expect((await at.run('players', 'import', players, '--account', at.accountId, '--project', 'game')).code).toBe(0);
  await at.call(`/projects/game/api-keys/${revoked.id}`, { method: 'DELETE' });
  expect((await at.call('/projects/game/players/zoe-1', { method: 'DELETE' })).status).toBe(204);
  await at.call('/projects/game/players/bob/block', { method: 'PUT', body: '{"reason":"cheats"}' });
  await at.call('/projects/game/players/late/block', { method: 'PUT', body: '{"reason":"came after the backup"}' });
  const trail = await (await at.call('/audit', { headers: { Accept: 'application/x-ndjson' } })).text();
  expect(trail).not.toContain('zoe-1');
  const audit = join(at.folder, 'audit.ndjson');
  writeFileSync(audit, trail);
  await service.stop();

  const restored = (await at.run('restore', backup, '--force', '--audit', audit, '--json')).json();
  expect(restored).toMatchObject({ versionFloor: 1_000_003, repeated: { revoked: 1, blocked: 2, erased: 1 } });
  service = await at.serve();
  expect((await at.call(at.document)).status).toBe(401);
  const byKey = (apiKey: string, headers = {}) =>
    fetch(`${at.base}/v1/${at.accountId}${at.document}`, { headers: { Authorization: `ApiKey ${apiKey}`, ...headers } });
  expect((await byKey(kept.apiKey)).headers.get('etag')).toBe('"2"');
  expect((await byKey(revoked.apiKey)).status).toBe(401);
  await at.signIn();
  expect((await at.write(4, 2)).version).toBe(1_000_003);
  expect((await byKey(kept.apiKey, { 'If-None-Match': '"3"' })).status).toBe(200);
  expect((await at.write(5, 3)).status).toBe(412);
  const since = await at.call(`${at.document}/changes?since=3&wait=0`);
  expect(await since.json()).toMatchObject({ events: [{ type: 'snapshot', version: 1_000_003, state: { n: 4 } }] });
  expect((await at.call('/projects/game/players/zoe-1')).status).toBe(404);
  expect(await (await at.call('/projects/game/players/bob')).json()).toMatchObject({ blocked: { reason: 'cheats' } });
  expect(await (await at.call('/projects/game/players/late')).json()).toMatchObject({
    blocked: { reason: 'came after the backup' },
  });
  await service.stop();
  expect(await at.run('doctor', '--json').then(({ json }) => json().findings)).not.toContainEqual(
    expect.objectContaining({ level: 'error' }),
  );
  expect((await at.run('recovered', '--versions-ahead', String(2 ** 53 - 1))).stderr).toContain('2^53');
}, 400_000);

test('a service with an older database in the folder continues above its versions, reports that, and serves', async () => {
  const at = await openPlace();
  let service = await at.serve();
  await at.signIn();
  await at.call('/projects', { method: 'POST', body: '{"slug":"game"}' });
  await at.write(1, null);
  const copy = join(at.folder, 'copy.backup');
  await at.run('backup', copy);
  await at.write(2, 1);
  await service.stop();
  for (const name of readdirSync(at.dataDir)) {
    if (/^holdfast\.sqlite/.test(name)) rmSync(join(at.dataDir, name));
  }
  copyFileSync(copy, join(at.dataDir, 'holdfast.sqlite'));

  service = await at.serve();
  expect(service.output()).toMatch(/"level":"warn".*"versionFloor":1000001.*the store went back/);
  expect((await at.write(2, 1)).version).toBe(1_000_001);
  await service.stop();
  const doctor = await at.run('doctor');
  expect(doctor.stdout).toContain('the store went back to an earlier moment');
  expect(doctor.code).toBe(3);
  expect((await at.run('recovered')).code).toBe(0);
  expect((await at.run('doctor')).stdout).not.toContain('went back');
  service = await at.serve();
  expect(service.output()).not.toContain('went back');
  expect((await at.call(at.document)).status).toBe(401);
  await service.stop();
}, 400_000);
