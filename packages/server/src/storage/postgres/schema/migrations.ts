/** The schema of the database, in numbered steps of plain SQL. */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { readOwnText } from '../../../common/own-files.ts';
import { type Migration, migrationsOf, postgresDialect } from '../../cold/schema.ts';
import { incompleteCopy } from '../../transfer.ts';
import type { Database } from '../connection/database.ts';
import type { Query } from '../connection/query.ts';

export type { Migration } from '../../cold/schema.ts';

const file = (name: string) => readOwnText(new URL(`./migrations/${name}`, import.meta.url));

export const migrations: readonly Migration[] = migrationsOf(postgresDialect, { 1: file('0001-initial.sql') });

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * A statement that waits for a lock blocks all statements after it. So a step waits only for a short time, and is repeated.
 */
const lockTimeoutMilliseconds = 250;
const attemptsMax = 120;
const pauseMilliseconds = 250;

/**
 * Brings the schema up to date. When several nodes start together, one runs each step and the others wait for it. Throws an
 * `Error` that names the migration when one was changed after it was applied, and when the database is newer.
 */
export async function migrate(database: Database, known: readonly Migration[] = migrations): Promise<void> {
  await repeatWhenBusy(() => ensureTable(database));
  for (const migration of pending(await applied(database.query), known)) {
    await repeatWhenBusy(() => apply(database, migration, known));
  }
}

/** Runs one step, unless another node has run it meanwhile. The insertion waits for another node that is running it. */
async function apply(database: Database, migration: Migration, known: readonly Migration[]): Promise<void> {
  const { number, sql } = migration;
  await database.transaction('serializable', async (query) => {
    await query(`SET LOCAL lock_timeout = ${lockTimeoutMilliseconds}`);
    await query('SET LOCAL statement_timeout = 0');
    // No row: another node has run it.
    const rows = await query(
      `INSERT INTO migrations (number, sha256, applied_at) VALUES ($1, $2, $3)
       ON CONFLICT (number) DO NOTHING RETURNING number`,
      [number, sha256(sql), Date.now()],
    );
    if (rows.length === 0)
      pending(await applied(query), known); // what it ran must be what we know
    else await query(sql);
  });
}

async function ensureTable(database: Database): Promise<void> {
  const [found] = await database.query(
    'SELECT 1 FROM information_schema.tables WHERE table_name = $1 AND table_schema = current_schema()',
    ['migrations'],
  );
  if (found !== undefined) return;
  await database.query(
    'CREATE TABLE IF NOT EXISTS migrations (number bigint PRIMARY KEY, sha256 text NOT NULL, applied_at bigint NOT NULL)',
  );
}

async function applied(query: Query): Promise<Map<number, string>> {
  const rows = await query('SELECT number, sha256 FROM migrations ORDER BY number');
  return new Map(rows.map(({ number, sha256 }) => [number as number, sha256 as string]));
}

/** Compares the migrations that a database has applied with those of the program. Returns those that are still to be applied. */
function pending(done: ReadonlyMap<number, string>, known: readonly Migration[]): Migration[] {
  const newest = known.at(-1)?.number ?? 0;
  for (const number of done.keys()) {
    if (number > newest) {
      throw new Error(
        `cannot open the database: it has migration ${number}, this program knows ${newest} and no newer; update the program`,
      );
    }
  }
  return known.filter(({ number, sql }) => {
    const checksum = done.get(number);
    if (checksum !== undefined && checksum !== sha256(sql)) {
      throw new Error(`cannot open the database: migration ${number} was changed after it was applied`);
    }
    return checksum === undefined;
  });
}

/**
 * Codes of failures that pass: a lock that could not be taken, and two nodes that create the same table at the same moment.
 */
const busyCodes = /^(55P03|23505|42P07|42710|40001|40P01) /;

async function repeatWhenBusy(step: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await step();
      return;
    } catch (error) {
      const reason = ((error as Error).cause as Error | undefined)?.message ?? '';
      if (attempt >= attemptsMax || !busyCodes.test(reason)) throw error;
      await delay(pauseMilliseconds * (0.5 + Math.random()));
    }
  }
}

/** Rejects with an `Error` when the database holds a copy of another store that is not complete. */
export async function demandComplete(query: Query, name: string): Promise<void> {
  // No row: no copy is under way.
  const found = await query('SELECT 1 FROM incoming_copy');
  if (found.length > 0) throw new Error(`cannot open the database: ${incompleteCopy(name)}`);
}
