import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandSandbox, createCommandSandbox, type Served } from './command.fixture.ts';

const writers = 64;

let place: CommandSandbox;
let server: Served;
let account: { accountId: string; developerToken: string };
beforeAll(async () => {
  place = await createCommandSandbox();
  server = await place.serve({ SVC_RATE_LIMIT_PER_MINUTE: '0' });
  account = JSON.parse((await place.run(['account', 'create', '--name', 'Acme', '--json'])).stdout);
  await call('POST', '/projects', { slug: 'game' });
  for (let writer = 0; writer < writers; writer++) await call('POST', '/projects', { slug: slugOf(writer) });
});
afterAll(async () => {
  await server.stop();
  await place.remove();
});

const slugOf = (writer: number) => `w${writer}`;
const at = (name: string) => join(place.folder, name);

async function call(method: string, path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`http://127.0.0.1:${place.environment.SVC_PORT}/v1/${account.accountId}${path}`, {
    method,
    headers: { authorization: `Bearer ${account.developerToken}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  expect(response.ok, await response.clone().text()).toBe(true);
  return (await response.json()) as { version: number };
}

async function json(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { code, stdout, stderr } = await place.run([...args, '--json'], environment);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

describe('holdfast backup', () => {
  const backupsIn = () => readdirSync(place.folder).filter((name) => name.includes('.backup'));

  it('is one file that any SQLite opens, with the secret key only on request', async () => {
    const key = Buffer.from(readFileSync(join(place.dataDir, 'secret.key'), 'utf8'), 'base64');
    await json(['backup', 'plain.backup']);
    expect(await json(['backup', 'complete.backup', '--with-secret-key', '--no-verify'])).toMatchObject({
      secretKey: 'included',
      verified: false,
      counts: null,
    });
    expect(readFileSync(at('plain.backup')).includes(key)).toBe(false);
    expect(readFileSync(at('complete.backup')).includes(key)).toBe(true);
    const database = new DatabaseSync(at('plain.backup'), { readOnly: true });
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'delete' });
    expect(database.prepare('SELECT name FROM accounts').all()).toContainEqual({ name: '"Acme"' });
    database.close();
    expect(backupsIn().filter((name) => /partial|wal|shm|journal/.test(name))).toEqual([]);
  });

  it('replaces a file only with --force', async () => {
    writeFileSync(at('taken.backup'), 'mine');
    expect(await place.run(['backup', 'taken.backup'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `holdfast: cannot write ${at('taken.backup')}: the file exists; --force replaces it\n`,
    });
    expect(readFileSync(at('taken.backup'), 'utf8')).toBe('mine');
    await json(['backup', 'taken.backup', '--force']);
    expect(statSync(at('taken.backup')).size).toBeGreaterThan(100_000);
  });
});
