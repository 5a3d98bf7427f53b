/**
 * Empty databases of the run's PostgreSQL for tests. Making one takes a quarter of a second and deleting the rows of one a
 * few milliseconds, so they are emptied and lent again: within a file, and from file to file.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import { afterAll, inject } from 'vitest';
import { createDatabase, tableNames } from './databases.fixture.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The superuser's URL of the PostgreSQL of this run. */
    readonly postgresUrl: string;
  }
}

export interface LeasedDatabase {
  readonly url: string;
  /** Ends all connections to it and empties it. */
  release(): Promise<void>;
}

interface Held {
  readonly url: string;
  readonly sql: Sql;
}

/** Says which migrations the tables stem from, and so stays. */
const keptTable = 'migrations';

const idle: Held[] = [];
let lender: Sql | undefined;

afterAll(async () => {
  for (const { url, sql } of idle.splice(0)) {
    await sql.end({ timeout: 5 });
    await cluster()`INSERT INTO free_databases (url) VALUES (${url})`;
  }
  await lender?.end({ timeout: 5 });
  lender = undefined;
});

const connect = (url: string) => postgres(url, { max: 1, onnotice: () => {} });

function cluster(): Sql {
  lender ??= connect(inject('postgresUrl'));
  return lender;
}

/** Returns a database without rows that nobody else uses: without tables too when it was never lent before. */
export async function leaseDatabase(): Promise<LeasedDatabase> {
  const held = idle.pop() ?? (await takeDatabase());
  return {
    url: held.url,
    async release() {
      await empty(held.sql);
      idle.push(held);
    },
  };
}

async function takeDatabase(): Promise<Held> {
  const [free] = await cluster()<{ url: string }[]>`
    DELETE FROM free_databases
    WHERE url = (SELECT url FROM free_databases LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING url`;
  const url = free?.url ?? (await createDatabase(inject('postgresUrl')));
  return { url, sql: connect(url) };
}

async function empty(sql: Sql): Promise<void> {
  // A server that was killed may have left a transaction that its connection would still commit.
  while ((await endOthers(sql)) > 0) await sleep(3);
  const tables = (await tableNames(sql)).filter((name) => name !== keptTable);
  await sql.unsafe(tables.map((name) => `DELETE FROM ${name};`).join(''));
}

/** Ends the other connections to the database, and returns how many there were. */
async function endOthers(sql: Sql): Promise<number> {
  const ended = await sql`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`;
  return ended.length;
}
