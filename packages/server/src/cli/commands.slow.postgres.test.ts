/** The operator's commands on a database in use by nodes. */
import postgres from 'postgres';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createDatabase } from '../storage/postgres/fixtures/databases.fixture.ts';
import { newDatabase, removeDatabase } from '../storage/postgres/fixtures/leases.fixture.ts';
import { type Migration, migrations } from '../storage/postgres/schema/migrations.ts';
import { sha256Of } from '../storage/sql/schema/applied-migrations.ts';
import { newestMigration } from '../storage/sql/schema/releases.ts';
import { type CommandSandbox, createCommandSandbox } from './command.fixture.ts';

let place: CommandSandbox;
let url: string;
let environment: Record<string, string>;

beforeEach(async () => {
  url = await newDatabase();
  environment = { SVC_DATABASE_URL: url, SVC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') };
  place = await createCommandSandbox();
});
afterEach(async () => {
  await place.remove();
  await removeDatabase(url);
});

const run = async (...args: string[]) => {
  const ended = await place.run(args, environment);
  return { ...ended, json: () => JSON.parse(ended.stdout) };
};

/** Uses a database instead that has no tables, even where those of the tests are in place. */
async function useEmptyDatabase(): Promise<void> {
  await removeDatabase(url);
  url = await createDatabase(inject('postgresUrl'));
  environment = { ...environment, SVC_DATABASE_URL: url };
}

/** Runs an SQL statement on the database directly. */
async function administer(statement: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  await sql.unsafe(statement);
  await sql.end();
}

describe('a node over PostgreSQL', () => {
  it('names the database without its password, creates no demo, and has no database in the folder', async () => {
    const node = await place.serve(environment);
    expect(node.output()).toContain(`"data":"PostgreSQL, 127.0.0.1:${new URL(url).port}/`);
    expect(node.output()).not.toContain(new URL(url).password);
    expect(node.output()).not.toContain('"demo"');
    expect(await node.stop()).toMatchObject({ code: 0 });
    const accounts = (await run('account', 'list', '--json')).json();
    expect(accounts).toEqual([]);
  });

  it('accepts accounts and tokens that a command creates, and notices a rotation', async () => {
    const node = await place.serve(environment);
    const { accountId, developerToken, baseUrl } = (await run('account', 'create', '--name', 'Ada', '--json')).json();
    const ask = (token: string) =>
      fetch(`${baseUrl}/v1/${accountId}`, { headers: { Authorization: `Bearer ${token}` } }).then(({ status }) => status);
    expect(await ask(developerToken)).toBe(200);
    expect((await run('keys', 'rotate', '--revoke')).code).toBe(0);
    await expect.poll(() => ask(developerToken)).toBe(401);
    const { developerToken: next } = (await run('account', 'token', accountId, '--json')).json();
    expect(await ask(next)).toBe(200);
    expect((await run('account', 'delete', accountId, '--yes')).code).toBe(0);
    await expect.poll(() => ask(next)).toBe(401);
    await node.stop();
  });

  it('has its clock compared by "doctor --network", and is found at its own address', async () => {
    const node = await place.serve(environment);
    const { network } = (await run('doctor', '--quick', '--network', '--json')).json();
    const address = `http://127.0.0.1:${place.environment.SVC_PORT}`;
    expect(network).toEqual([
      {
        check: 'database_clock',
        asked: 'the clock of the database',
        answer: expect.stringMatching(/^is 0\.0 s (behind|ahead of) that of this machine$/),
        level: null,
        advice: '',
      },
      { check: 'base_url', asked: `the address ${address}`, answer: 'leads to this service', level: null, advice: '' },
    ]);
    await node.stop();
  });

  it('upgrades a database of an older release, and the operator finishes the upgrade', async () => {
    await useEmptyDatabase();
    const [first] = migrations as [Migration];
    await administer(
      'CREATE TABLE migrations (number bigint PRIMARY KEY, sha256 text NOT NULL, applied_at bigint NOT NULL)',
    );
    await administer(`${first.sql}; INSERT INTO migrations VALUES (1, '${sha256Of(first)}', 5)`);
    const later = migrations.slice(1).map(({ number }) => number);
    const check = async () => (await run('upgrade', '--check', '--json')).json();
    expect(await check()).toMatchObject({ madeBy: '0.1.0', migration: 1, pending: later, copy: null, unfinished: [] });
    expect(await run('upgrade', '--finish')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing to finish'),
    });
    const node = await place.serve(environment);
    expect(await check()).toMatchObject({ migration: newestMigration, pending: [], unfinished: later });
    expect((await run('doctor')).stdout).toContain('the upgrade of the database is not finished');
    expect(await run('upgrade', '--finish')).toMatchObject({ code: 0, stdout: 'The upgrade is finished.\n' });
    expect(await run('upgrade', '--finish')).toMatchObject({ code: 0, stdout: 'There is nothing to finish.\n' });
    expect(await check()).toMatchObject({ pending: [], unfinished: [] });
    await node.stop();
  });

  it("refuses another installation's secret key, and says what to do", async () => {
    await (await place.serve(environment)).stop();
    const ended = await place.run(['serve'], {
      ...environment,
      SVC_SECRET_KEY: Buffer.alloc(32, 8).toString('base64'),
    });
    expect(ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^holdfast: [^\n]*sealed with another secret key\n.*keys rotate --revoke/s),
    });
  });
});

it('a command says what a database refuses, and why', async () => {
  await run('account', 'create', '--name', 'Ada');
  await administer('ALTER TABLE accounts RENAME COLUMN name TO other_name');
  const { code, stderr } = await run('account', 'list');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^holdfast: the database refused a statement: 42703 column .*\n$/),
  });
});

describe('holdfast doctor on PostgreSQL', () => {
  it('reports that the service has never run, and later that all is well', async () => {
    await useEmptyDatabase();
    const first = await run('doctor', '--json');
    expect([first.code, first.json().findings]).toEqual([3, [expect.objectContaining({ area: 'database' })]]);
    await run('account', 'create', '--name', 'Ada');
    const second = await run('doctor');
    expect(second).toMatchObject({ code: 0, stdout: expect.stringMatching(/PostgreSQL 1\d.*Nothing to do\./s) });
    expect((await run('doctor', '--json')).json().database.counts).toMatchObject({ accounts: 1, projects: 0 });
  });

  it('finds a missing version and wrong counts', async () => {
    const node = await place.serve(environment);
    const { accountId, developerToken, baseUrl } = (await run('account', 'create', '--name', 'Ada', '--json')).json();
    const headers = { Authorization: `Bearer ${developerToken}`, 'Content-Type': 'application/json' };
    const post = (path: string, body: unknown) =>
      fetch(`${baseUrl}/v1/${accountId}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect((await post('/projects', { slug: 'game' })).status).toBe(201);
    const state = `${baseUrl}/v1/${accountId}/projects/game/public-state/staging`;
    for (let n = 0; n < 3; n++) {
      const precondition = n === 0 ? { 'If-None-Match': '*' } : { 'If-Match': `"${n}"` };
      const body = JSON.stringify({ state: { n } });
      expect((await fetch(state, { method: 'PUT', headers: { ...headers, ...precondition }, body })).status).toBe(200);
    }
    await node.stop();
    expect((await run('doctor')).code).toBe(0);
    await administer('DELETE FROM public_state_versions WHERE version = 2');
    const { code, json } = await run('doctor', '--json');
    expect(code).toBe(1);
    expect(json().findings.map(({ level, finding }: { level: string; finding: string }) => [level, finding])).toEqual([
      ['error', `history: versions of ${accountId}/game/staging are missing`],
      ['warning', `usage: the bytes of ${accountId}/game/staging are counted wrongly`],
    ]);
  });

  it('finds records without an owner, and wrong project numbers', async () => {
    const { accountId } = (await run('account', 'create', '--name', 'Ada', '--json')).json();
    await administer(`
      INSERT INTO developers VALUES ('x', '"issuer"', '"subject"', 'acc_nobody');
      INSERT INTO end_user_auth VALUES ('${accountId}', 'none', '{');
      INSERT INTO passkeys VALUES ('', 'c', 'usr_nobody', 1, 0, 1, NULL, '', 'x');
      UPDATE accounts SET projects = 3`);
    const { code, json } = await run('doctor', '--json');
    expect(code).toBe(1);
    expect(json().findings.map(({ level, finding }: { level: string; finding: string }) => [level, finding])).toEqual([
      ['error', 'references: 1 sign-in settings belong to no project'],
      ['error', 'references: 1 developers belong to no account'],
      ['error', 'references: 1 passkeys belong to no user'],
      ['error', 'references: 1 passkeys have transports that are not JSON'],
      ['error', 'references: 1 sign-in settings are not JSON'],
      ['warning', `usage: ${accountId} is counted with 3 projects, but has 0`],
    ]);
  });

  it('notes providers that a project allows but its account has not configured', async () => {
    const node = await place.serve(environment);
    const { accountId, developerToken, baseUrl } = (await run('account', 'create', '--name', 'Ada', '--json')).json();
    const headers = { Authorization: `Bearer ${developerToken}`, 'Content-Type': 'application/json' };
    const send = (method: string, path: string, body: unknown) =>
      fetch(`${baseUrl}/v1/${accountId}${path}`, { method, headers, body: JSON.stringify(body) });
    for (const slug of ['one', 'two', 'off']) expect((await send('POST', '/projects', { slug })).status).toBe(201);
    const google = { clientId: 'c', clientSecret: 's' };
    expect((await send('PUT', '/identity-providers/google.com', google)).status).toBe(200);
    const settings = (slug: string, body: unknown) => send('PUT', `/projects/${slug}/auth/end-user/config`, body);
    await settings('one', { enabled: true, allowedIdps: ['password', 'google.com'] });
    await settings('two', { enabled: true, allowedIdps: ['google.com', 'apple.com'] });
    await settings('off', { enabled: false, allowedIdps: ['apple.com'] });
    await node.stop();
    const { code, json } = await run('doctor', '--json');
    expect(json().findings).toEqual([
      {
        level: 'note',
        area: 'database',
        finding: `end users of ${accountId}/two cannot sign in by apple.com, which is allowed and not configured`,
        advice: expect.stringContaining(`/v1/${accountId}/identity-providers/apple.com`),
      },
    ]);
    expect(code).toBe(0);
  });

  it('finds a server with too few free connections', async () => {
    await run('account', 'create', '--name', 'Ada');
    const { json } = {
      json: (await place.run(['doctor', '--json'], { ...environment, SVC_DATABASE_CONNECTIONS: '9000' })).stdout,
    };
    expect(JSON.parse(json).findings).toEqual([
      expect.objectContaining({ level: 'warning', finding: expect.stringMatching(/connections of the server are in use/) }),
    ]);
  });
});

it('backup and restore name the PostgreSQL tools to use instead', async () => {
  for (const args of [
    ['backup', 'x.backup'],
    ['restore', 'x.backup'],
  ]) {
    expect(await run(...args)).toMatchObject({ code: 1, stderr: expect.stringMatching(/pg_dump/) });
  }
});
