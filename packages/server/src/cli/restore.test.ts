import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../storage/sqlite/store.ts';
import { anAccount, aProject, byOperator } from '../storage/store-contract/records.fixture.ts';
import { type CommandSandbox, createCommandSandbox, type Ended } from './command.fixture.ts';

const versions = 60;
const key = { accountId: 'acc_1', slug: 'game', environment: 'production' } as const;

let place: CommandSandbox;
beforeAll(async () => {
  place = await createCommandSandbox();
  await place.run(['account', 'create', '--name', 'Acme']);
  const store = await openSqliteStore({ dataDir: place.dataDir });
  await store.createAccount(anAccount({ accountId: key.accountId, name: 'a', idpTenantId: 't', createdAt: 1 }));
  await store.createProject(byOperator, aProject({ ...key, name: 'g', createdAt: 1 }));
  const stateText = JSON.stringify({ filler: 'x'.repeat(250_000) });
  for (let version = 0; version < versions; version++) {
    const expected = version === 0 ? ({ kind: 'absent' } as const) : ({ kind: 'version', version } as const);
    const next = { stateText, stateBytes: stateText.length, comment: null, writtenAt: 1, author: null };
    await store.writePublicState(key, expected, next);
  }
  await store.close();
  await json(['backup', 'good.backup']);
  await json(['backup', 'complete.backup', '--with-secret-key']);
});
afterAll(() => place.remove());

const at = (name: string) => join(place.folder, name);
const databaseIn = (dataDir: string) => join(dataDir, 'holdfast.sqlite');
const restore = (file: string, dataDir: string, ...flags: readonly string[]) =>
  place.run(['restore', file, ...flags], { SVC_DATA_DIR: dataDir });

async function json(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { code, stdout, stderr } = await place.run([...args, '--json'], environment);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** The one line that a refused command prints. */
function refusal({ code, stdout, stderr }: Ended): string {
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^holdfast: /);
  return stderr.slice('holdfast: '.length).trimEnd();
}

describe('holdfast restore', () => {
  it('restores everything except tokens, so that a service starts on it', async () => {
    const dataDir = at('served');
    expect(await json(['restore', 'complete.backup'], { SVC_DATA_DIR: dataDir })).toMatchObject({
      secretKey: 'restored',
      counts: { accounts: 2, projects: 1, publicStateVersions: versions, userStates: 0 },
      replaced: null,
    });
    for (const name of ['holdfast.sqlite', 'secret.key']) expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);
    const secretKey = readFileSync(join(dataDir, 'secret.key'));
    expect(secretKey).toEqual(readFileSync(join(place.dataDir, 'secret.key')));
    const bytes = Buffer.from(secretKey.toString(), 'base64');
    expect(readFileSync(databaseIn(dataDir)).includes(bytes)).toBe(false);
    const tokenOf = async (environment = {}) =>
      (await place.run(['account', 'token', key.accountId], environment)).stdout.trim();
    const [before, token] = [await tokenOf(), await tokenOf({ SVC_DATA_DIR: dataDir })];
    const server = await place.serve({ SVC_DATA_DIR: dataDir });
    const url = `http://127.0.0.1:${place.environment.SVC_PORT}/v1/acc_1/projects/game/public-state/production`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    expect([response.status, response.headers.get('etag')]).toEqual([200, `"${versions}"`]);
    expect((await fetch(url, { headers: { authorization: `Bearer ${before}` } })).status).toBe(401);
    expect(refusal(await restore('good.backup', dataDir, '--force'))).toBe(
      `cannot restore into ${dataDir}: a service is running there; stop it first`,
    );
    await server.stop();
  });
});
