/** A folder, a database and another folder, and copies from one to the next, as an operator makes them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { expect } from 'vitest';
import { newDatabase, removeDatabase } from '../../storage/postgres/fixtures/leases.fixture.ts';
import { inspectPostgres } from '../../storage/postgres/inspect/inspect.ts';
import { openPostgresStore } from '../../storage/postgres/store.ts';
import { faultsOf } from '../../storage/sqlite/inspect/inspect.fixture.ts';
import { openSqliteStore } from '../../storage/sqlite/store.ts';
import type { Store } from '../../storage/store.ts';
import { type CommandSandbox, createCommandSandbox, type Ended } from '../command.fixture.ts';

export interface Stage {
  readonly sandbox: CommandSandbox;
  /** Locations of stores: a folder, a database, and another folder, which does not exist yet. */
  readonly source: string;
  readonly url: string;
  readonly back: string;
  /** Runs `work` with the store at a location. */
  use<Result>(place: string, work: (store: Store) => Promise<Result>): Promise<Result>;
  /** Returns the faults of the store at a location. */
  faults(place: string): Promise<readonly string[]>;
  copy(from: string, to: string, ...more: string[]): Promise<Ended>;
  /** Starts a copy and kills it after this many records. */
  killCopy(from: string, to: string, records: number): Promise<void>;
  /** Starts the service at a location where it must fail, and returns its message. */
  serve(place: string): Promise<string>;
  /** Runs an SQL statement on the database directly. */
  runSql(statement: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  remove(): Promise<void>;
}

const isUrl = (place: string): boolean => place.startsWith('postgres://');

export async function createStage(): Promise<Stage> {
  const sandbox = await createCommandSandbox();
  const url = await newDatabase();
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const argumentsOf = (from: string, to: string) => ['migrate-store', '--from', from, '--to', to];
  const runSql: Stage['runSql'] = (statement) => sql.unsafe(statement);
  return {
    sandbox,
    source: sandbox.dataDir,
    url,
    back: join(sandbox.folder, 'back'),
    async use(place, work) {
      const store = await (isUrl(place) ? openPostgresStore({ url: place }) : openSqliteStore({ dataDir: place }));
      try {
        return await work(store);
      } finally {
        await store.close();
      }
    },
    async faults(place) {
      if (!isUrl(place)) return faultsOf(place);
      return (await inspectPostgres(place, { isQuick: false })).faults.map(({ message }) => message);
    },
    copy: (from, to, ...more) => sandbox.run([...argumentsOf(from, to), ...more]),
    async killCopy(from, to, records) {
      const copied = isUrl(to) ? () => copiedToDatabase(runSql) : async () => copiedToFolder(to);
      const { child, ended } = sandbox.start(argumentsOf(from, to));
      while (child.exitCode === null && (await copied()) < records) await sleep(5);
      child.kill('SIGKILL');
      expect(await ended).toMatchObject({ code: null, stdout: '' });
    },
    async serve(place) {
      const secretKey = Buffer.alloc(32, 1).toString('base64');
      const settings = isUrl(place) ? { SVC_DATABASE_URL: place, SVC_SECRET_KEY: secretKey } : { SVC_DATA_DIR: place };
      const { code, stderr } = await sandbox.run(['serve'], settings);
      expect(code).toBe(1);
      return stderr;
    },
    runSql,
    async remove() {
      await sql.end();
      await sandbox.remove();
      await removeDatabase(url);
    },
  };
}

/** Records copied into the database so far; 0 before the copy begins. */
async function copiedToDatabase(runSql: Stage['runSql']): Promise<number> {
  const rows = await runSql('SELECT records FROM incoming_copy').catch(() => []);
  return Number(rows[0]?.records ?? 0);
}

/** The same for a folder. */
function copiedToFolder(folder: string): number {
  const path = join(folder, 'holdfast.sqlite.incoming');
  if (!existsSync(path)) return 0;
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 1_000 });
    try {
      return Number(database.prepare('SELECT records FROM incoming_copy').get()?.records ?? 0);
    } finally {
      database.close();
    }
  } catch {
    return 0; // it is being created
  }
}
