/** The schema of the database, in numbered steps of plain SQL. */

import { setTimeout as delay } from 'node:timers/promises';
import { readProgramText } from '../../../common/program/program-files.ts';
import { now } from '../../../common/time/clock.ts';
import type { SigningKeyRecord } from '../../contract/sign-ins.ts';
import type { BeforeChange, OnUpgrade } from '../../contract/store-observer.ts';
import { toSigningKey } from '../../rows/sign-in-rows.ts';
import { type AppliedMigration, pendingOf, sha256Of, toAppliedMigration } from '../../sql/schema/applied-migrations.ts';
import { type Migration, migrationsOf, postgresDialect } from '../../sql/schema/migrations.ts';
import { reasonOf } from '../../store.ts';
import { incompleteCopy } from '../../transfer/copy.ts';
import type { Database } from '../connection/database.ts';
import type { Query } from '../connection/query.ts';
import { createIndexes } from './later-indexes.ts';
import { lockHolders } from './lock-holders.ts';

export type { Migration } from '../../sql/schema/migrations.ts';

const file = (name: string) => readProgramText(new URL(`./migrations/${name}`, import.meta.url));

/** The SQL of this engine's own tables, by migration. */
export const migrations: readonly Migration[] = migrationsOf(postgresDialect, {
  1: file('0001-initial.sql'),
  4: file('0004-exchange-marks.sql'),
  8: file('0008-how-and-where.sql'),
  9: file('0009-guests.sql'),
  11: file('0011-players.sql'),
  12: file('0012-save-history.sql'),
  13: file('0013-linked-guests.sql'),
  16: file('0016-open-streams.sql'),
  20: file('0020-heartbeats.sql'),
  27: file('0027-collecting.sql'),
});

/** A statement that waits for a lock blocks all statements after it. A step therefore waits only briefly, and is repeated. */
const lockTimeoutMilliseconds = 250;
const attemptsMax = 120;
const pauseMilliseconds = 250;

/** The options of a migration. */
interface MigrateOptions {
  readonly onUpgrade?: OnUpgrade | undefined;
  readonly beforeChange?: BeforeChange | undefined;
  /** How often a step that waits for a lock is tried. */
  readonly attempts?: number;
}

/**
 * Brings the schema up to date. If several nodes start together, one node runs each step while the rest wait. A new database gets
 * everything in one step and counts as finished (`isUpgradeFinished`), since no older program has ever used it. Throws as `pendingOf` and
 * `beforeChange` do, and throws an `Error` that names the holders if a lock is held for a minute.
 */
export async function migrate(
  database: Database,
  known: readonly Migration[] = migrations,
  { onUpgrade = () => undefined, beforeChange, attempts = attemptsMax }: MigrateOptions = {},
): Promise<void> {
  const begunAt = performance.now();
  let from = 0;
  if (beforeChange !== undefined) await beforeFirstChange(database, known, beforeChange);
  await repeatWhenBusy(() => ensureTable(database), attempts);
  for (;;) {
    const applied = await appliedMigrations(database.query);
    const [next, ...others] = pendingOf(applied, known);
    const isNew = applied.length === 0;
    if (next === undefined) {
      const to = applied.at(-1)?.number ?? 0;
      if (from > 0) onUpgrade({ from, to, copy: null, milliseconds: Math.round(performance.now() - begunAt) });
      return;
    }
    from ||= applied.at(-1)?.number ?? 0;
    const step = isNew ? [next, ...others] : [next];
    await repeatWhenBusy(() => apply(database, step, isNew), attempts).catch(async (error: Error) => {
      const holders = reasonOf(error).startsWith(lockNotAvailable)
        ? await lockHolders(database.query, step.map(({ sql }) => sql).join('\n'))
        : [];
      const reason = holders.length > 0 ? `its tables are locked by ${holders.join(', ')}` : reasonOf(error);
      throw new Error(`cannot apply migration ${next.number}: ${reason}`, { cause: error });
    });
  }
}

/** Calls `beforeChange` unless the schema is up to date. Throws as `pendingOf` does. */
async function beforeFirstChange(
  { query }: Database,
  known: readonly Migration[],
  beforeChange: BeforeChange,
): Promise<void> {
  // No row: no program has ever used the database.
  const found = await query(
    "SELECT 1 FROM information_schema.tables WHERE table_name = 'migrations' AND table_schema = current_schema()",
  );
  const applied = found.length === 0 ? [] : await appliedMigrations(query);
  if (pendingOf(applied, known).length === 0) return;
  await beforeChange(applied.length === 0 ? [] : await readSigningKeys(query));
}

/** Returns every signing key of a database that has any migration. */
export async function readSigningKeys(query: Query): Promise<SigningKeyRecord[]> {
  const sql = 'SELECT purpose, key_id, public_jwk, sealed_private_jwk, created_at FROM signing_keys';
  return (await query(sql)).map(toSigningKey);
}

/** Runs a step, unless another node has run it in the meantime. The insertion waits for a node that is running it. */
async function apply(database: Database, step: readonly Migration[], isNew: boolean): Promise<void> {
  await database.transaction('serializable', async (query) => {
    await query(`SET LOCAL lock_timeout = ${lockTimeoutMilliseconds}`);
    await query('SET LOCAL statement_timeout = 0');
    for (const { number, sql, program, opensWith } of step) {
      const appliedAt = now();
      // No row: another node has run it.
      const rows = await query(
        `INSERT INTO migrations (number, sha256, applied_at, program, opens_with, finished_at) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (number) DO NOTHING RETURNING number`,
        [number, sha256Of({ sql }), appliedAt, program, opensWith, isNew ? appliedAt : null],
      );
      if (rows.length === 0) return;
      if (sql !== '') await query(sql);
      if (isNew) await createIndexes(query, number);
    }
  });
}

/** Creates the table of migrations as 0.1.0 did, and adds later columns. */
async function ensureTable(database: Database): Promise<void> {
  const found = await database.query(
    'SELECT column_name FROM information_schema.columns WHERE table_name = $1 AND table_schema = current_schema()',
    ['migrations'],
  );
  if (found.length === 0) {
    await database.query(
      'CREATE TABLE IF NOT EXISTS migrations (number bigint PRIMARY KEY, sha256 text NOT NULL, applied_at bigint NOT NULL)',
    );
  }
  if (found.some((row) => row.column_name === 'finished_at')) return;
  for (const column of ['program text', 'opens_with bigint', 'finished_at bigint']) {
    await database.query(`ALTER TABLE migrations ADD COLUMN IF NOT EXISTS ${column}`);
  }
}

/** Returns the migrations that a database has. */
export async function appliedMigrations(query: Query): Promise<AppliedMigration[]> {
  return (await query('SELECT * FROM migrations ORDER BY number')).map(toAppliedMigration);
}

/** Codes of temporary failures: a lock that could not be taken, and two nodes that create the same table at the same moment. */
const lockNotAvailable = '55P03 ';
const busyCodes = /^(55P03|23505|42P07|42710|40001|40P01) /;

async function repeatWhenBusy(step: () => Promise<void>, attempts: number): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await step();
      return;
    } catch (error) {
      const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
      if (attempt >= attempts || !busyCodes.test(reason)) throw error;
      await delay(pauseMilliseconds * (0.5 + Math.random()));
    }
  }
}

/** Rejects with an `Error` if the database holds an incomplete copy of another store. */
export async function requireComplete(query: Query, name: string): Promise<void> {
  // No row: no copy is running.
  const found = await query('SELECT 1 FROM incoming_copy');
  if (found.length > 0) throw new Error(`cannot open the database: ${incompleteCopy(name)}`);
}
