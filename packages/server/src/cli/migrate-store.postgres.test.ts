import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createSealer } from '../access/secrets.ts';
import { createDatabase, dropDatabase } from '../storage/postgres/databases.fixture.ts';
import { inspectPostgres } from '../storage/postgres/inspect.ts';
import { openPostgresStore } from '../storage/postgres/store.ts';
import { faultsOf } from '../storage/sqlite/inspect.fixture.ts';
import { openSqliteStore } from '../storage/sqlite/store.ts';
import type { Store } from '../storage/store.ts';
import { command, createWorkplace, type Workplace } from './command.fixture.ts';
import { fillMore, fillStore, moreRecords, readStore, writeUser } from './migrate-store.fixture.ts';
import { createProgram } from './program.ts';
import { examplesOf } from './program-parts.ts';

let place: Workplace;
let url: string;
let back: string;

beforeEach(async () => {
  place = await createWorkplace();
  url = await createDatabase(inject('postgresUrl'));
  back = join(place.folder, 'back');
});
afterEach(async () => {
  await place.remove();
  await dropDatabase(inject('postgresUrl'), url);
});

const argumentsOf = (from: string, to: string) => ['migrate-store', '--from', from, '--to', to];
const migrate = (from: string, to: string, ...more: string[]) => place.run([...argumentsOf(from, to), ...more]);

/** Runs `work` with an open store and closes it. */
async function use<Result>(opening: Promise<Store>, work: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await opening;
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const openSource = () => openSqliteStore({ dataDir: place.dataDir });
const openCopy = () => openPostgresStore({ url });
const openBack = () => openSqliteStore({ dataDir: back });

/** Runs a statement on the database behind the back of everybody. */
async function runSql(statement: string): Promise<readonly Record<string, unknown>[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}

const done = { code: 0, stderr: '' };
const failed = (line: RegExp | string) => ({ code: 1, stdout: '', stderr: expect.stringMatching(line) });

describe('a copy', () => {
  it('to PostgreSQL and back answers everything as the original does', async () => {
    await use(openSource(), fillStore);
    const original = await use(openSource(), readStore);
    expect(await migrate(place.dataDir, url)).toMatchObject(done);
    expect((await inspectPostgres(url, { isQuick: false })).faults).toEqual([]);
    expect(await use(openCopy(), readStore)).toEqual(original);
    expect(await migrate(url, `sqlite:${back}`)).toMatchObject(done);
    expect(faultsOf(back)).toEqual([]);
    expect(await use(openBack(), readStore)).toEqual(original);
    expect(await use(openSource(), readStore)).toEqual(original);
  });

  it('of the other engine from folder to folder and database to database is the same', async () => {
    await use(openCopy(), fillStore);
    const original = await use(openCopy(), readStore);
    const second = await createDatabase(inject('postgresUrl'));
    try {
      expect(await migrate(url, second)).toMatchObject(done);
      expect(await use(openPostgresStore({ url: second }), readStore)).toEqual(original);
      expect(await migrate(second, place.dataDir)).toMatchObject(done);
      expect(await migrate(place.dataDir, back)).toMatchObject(done);
      expect(await use(openBack(), readStore)).toEqual(original);
      expect(faultsOf(back)).toEqual([]);
    } finally {
      await dropDatabase(inject('postgresUrl'), second);
    }
  });

  it.each(['postgres', 'sqlite'] as const)('goes on with versions and counts where the original ended, on %s', async (to) => {
    await use(openSource(), fillStore);
    await migrate(place.dataDir, url);
    if (to === 'sqlite') await migrate(url, back);
    await use(to === 'sqlite' ? openBack() : openCopy(), async (store) => {
      const game = { accountId: 'acc_alpha', slug: 'game' };
      const shop = { accountId: 'acc_alpha', slug: 'shop', environment: 'production' } as const;
      const version = async (key: { accountId: string; slug: string; endUserId: string }) => {
        await writeUser(store, { ...key, environment: 'production' }, 1);
        const read = await store.readUserState({ ...key, environment: 'production' });
        return read.kind === 'present' ? read.record.version : null;
      };
      expect(await version({ ...game, endUserId: 'deleted' })).toBeGreaterThan(12);
      expect(await version({ ...shop, endUserId: 'early' })).toBeGreaterThan(9);
      // One that lives goes on by one, though a deleted one had a higher version.
      const known = await store.readUserState({ ...game, environment: 'production', endUserId: 'ada' });
      expect(await version({ ...game, endUserId: 'ada' })).toBe(known.kind === 'present' ? known.record.version + 1 : null);
      // The newest record comes first in the list.
      const listed = await store.listUserStates({ ...game, environment: 'production' }, { after: null, itemsMax: 1 });
      expect(listed).toMatchObject({ page: { items: [{ endUserId: 'deleted' }] } });

      await store.deleteProject(shop);
      await store.createProject({ ...shop, name: 'Third', createdAt: 9_000 });
      const next = { stateText: '{}', stateBytes: 2, comment: null, writtenAt: 9_000 };
      expect(await store.writePublicState(shop, { kind: 'absent' }, next)).toEqual({ kind: 'written', version: 10 });
      const brief = { accountId: 'acc_gamma', slug: 'brief', environment: 'staging' } as const;
      await store.createProject({ ...brief, name: 'Brief', createdAt: 9_000 });
      expect(await store.writePublicState(brief, { kind: 'absent' }, next)).toEqual({ kind: 'written', version: 4 });
      expect(await store.readUsage('acc_gamma', 0)).toMatchObject({ used: { projects: 1, storageBytes: 2, endUsers: 0 } });

      const keys = (await store.listApiKeys(game)).map(({ keyId }) => keyId);
      expect(keys).toEqual(['key_0_3', 'key_0_2', 'key_0_1']);
    });
    if (to === 'sqlite') expect(faultsOf(back)).toEqual([]);
    else expect((await inspectPostgres(url, { isQuick: false })).faults).toEqual([]);
  });
});

/** Starts a copy and kills it when `isTime`; resolves when it has ended. */
async function killWhen(from: string, to: string, isTime: () => Promise<boolean>): Promise<void> {
  const { child, ended } = place.start(argumentsOf(from, to));
  while (child.exitCode === null && !(await isTime())) await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill('SIGKILL');
  expect(await ended).toMatchObject({ code: null, stdout: '' });
}

/** Records that a copy into the database has come to; 0 before it has begun. */
async function copiedToDatabase(): Promise<number> {
  const rows = await runSql('SELECT records FROM incoming_copy').catch(() => []);
  return Number(rows[0]?.records ?? 0);
}

/** As above, into the folder. */
async function copiedToFolder(): Promise<number> {
  const path = join(back, 'holdfast.sqlite.incoming');
  if (!existsSync(path)) return 0;
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 1_000 });
    try {
      return Number(database.prepare('SELECT records FROM incoming_copy').get()?.records ?? 0);
    } finally {
      database.close();
    }
  } catch {
    return 0; // it is being made
  }
}

describe('a copy that is killed', () => {
  it.each(['to PostgreSQL', 'from PostgreSQL'])('%s at any moment goes on, and nobody opens it before', async (direction) => {
    await use(openSource(), async (store) => {
      await fillStore(store);
      await fillMore(store);
    });
    const original = await use(openSource(), readStore);
    const isOut = direction === 'to PostgreSQL';
    if (!isOut) expect(await migrate(place.dataDir, url)).toMatchObject(done);
    const [from, to] = isOut ? [place.dataDir, url] : [url, back];
    const copied = isOut ? copiedToDatabase : copiedToFolder;
    const serving = isOut
      ? { SVC_DATABASE_URL: url, SVC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') }
      : { SVC_DATA_DIR: back };

    for (const records of [1, moreRecords / 3, (2 * moreRecords) / 3, moreRecords]) {
      await killWhen(from, to, async () => (await copied()) >= records);
      expect(await copied()).toBeGreaterThanOrEqual(records);
      expect(await place.run(['serve'], serving)).toMatchObject(failed(/holds a copy that is not complete/));
    }
    expect(await place.run(['account', 'list'], serving)).toMatchObject(failed(/holds a copy that is not complete/));
    const before = await copied();
    // Killed while it compares.
    await killWhen(from, to, async () => {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      return true;
    }).catch(() => undefined);
    const ended = await migrate(from, to, '--json');
    if (ended.code === 0) {
      expect(JSON.parse(ended.stdout)).toMatchObject({ verified: true, kinds: { public_state_versions: {} } });
      expect(JSON.parse(ended.stdout).resumedAt).toBeGreaterThanOrEqual(before);
    }
    expect(await use(isOut ? openCopy() : openBack(), readStore)).toEqual(original);
    if (!isOut) expect(faultsOf(back)).toEqual([]);
  });
});
