/**
 * Looks for damage in a database. Changes nothing. This engine's own tables have their own rules; the rules for all other tables are shared
 * (sql/upkeep/inspection.ts).
 */
import { DatabaseSync } from 'node:sqlite';
import { newerThan } from '../../sql/schema/applied-migrations.ts';
import { previewUpgrade } from '../../sql/schema/upgrade-preview.ts';
import { damagedUserStates } from '../../sql/states/user-state-inspection.ts';
import { runNow } from '../../sql/steps.ts';
import { countRecords, type RecordCounts } from '../../sql/upkeep/inspection.ts';
import type { OnShare } from '../directory/backup.ts';
import { engineSql } from '../engine-sql.ts';
import { appliedMigrations, type Migration, migrate, migrations, pendingMigrations } from '../schema/migrations.ts';
import { statements, takeSteps } from '../steps.ts';
import { inspectHistory } from './history.ts';
import { inspectReferences } from './references.ts';
import { inspectUsage } from './usage.ts';

/**
 * The checks: whether this program can use the database, its schema, the pages and indexes, the versions of public state and of user
 * states, the references between records, and the totals of accounts. Wrong totals do not damage records.
 */
export type CheckName = 'migrations' | 'schema' | 'integrity' | 'history' | 'references' | 'usage';

interface DatabaseFault {
  readonly check: CheckName;
  readonly message: string;
}

export interface Inspection {
  readonly faults: readonly DatabaseFault[];
  readonly counts: RecordCounts;
}

/** Called when a check begins, and with its progress, if known. */
export type OnCheck = (check: CheckName, share?: number) => void;

/** How many faults of one check are listed. */
const faultsMax = 20;

/**
 * Returns everything that is wrong with the database, and its record counts. A check that cannot finish because of damage is itself a
 * fault. Works while a server runs; each check sees one snapshot.
 */
export function inspectDatabase(database: DatabaseSync, onCheck: OnCheck): Inspection {
  const checks: Readonly<Record<CheckName, (onShare: OnShare) => Iterable<string>>> = {
    migrations: () => inspectMigrations(database),
    schema: () => inspectSchema(database),
    integrity: () => inspectIntegrity(database),
    history: (onShare) => inspectHistories(database, onShare),
    references: () => inspectReferences(database),
    // In a damaged database this would only report the same damage again.
    usage: () => (faults.length > 0 ? [] : inspectUsage(database)),
  };
  const faults: DatabaseFault[] = [];
  for (const check of Object.keys(checks) as CheckName[]) {
    // A database of another program can be checked only by that program, apart from its pages.
    if (faults.some((fault) => fault.check === 'migrations') && check !== 'integrity') continue;
    onCheck(check);
    const found = collect(database, () => checks[check]((share) => onCheck(check, share)));
    faults.push(...found.map((message) => ({ check, message })));
  }
  return { faults, counts: countReadable(database) };
}

/** Runs a check in a transaction, so that it sees one snapshot. */
function collect(database: DatabaseSync, check: () => Iterable<string>): string[] {
  const found: string[] = [];
  let more = 0;
  database.exec('BEGIN');
  try {
    for (const fault of check()) {
      if (found.length < faultsMax) found.push(fault);
      else more += 1;
    }
  } catch (error) {
    found.push(`could not be examined to its end: ${error instanceof Error ? error.message : error}`);
  } finally {
    if (database.isTransaction) database.exec('COMMIT');
  }
  return more === 0 ? found : [...found, `and ${more} more of the kind`];
}

function* inspectHistories(database: DatabaseSync, onShare: OnShare): Iterable<string> {
  yield* inspectHistory(database, onShare);
  yield* takeSteps(database, damagedUserStates(engineSql.userStates));
}

/** @see https://sqlite.org/pragma.html#pragma_integrity_check */
function* inspectIntegrity(database: DatabaseSync): Iterable<string> {
  for (const { integrity_check: line } of database.prepare('PRAGMA integrity_check').iterate()) {
    if (line !== 'ok') yield String(line);
  }
}

function* inspectMigrations(database: DatabaseSync): Iterable<string> {
  const { refusal } = previewUpgrade(appliedMigrations(database), migrations);
  if (refusal !== null) yield refusal;
}

/** Compares the tables and indexes with those that the applied migrations create, unless a newer program has applied some of them. */
function* inspectSchema(database: DatabaseSync): Iterable<string> {
  if (newerThan(appliedMigrations(database), migrations).length > 0) return;
  const pending = new Set(pendingMigrations(database));
  const expected = schemaOf(migrations.filter((migration) => !pending.has(migration)));
  const actual = readSchema(database);
  for (const [name, sql] of expected) {
    if (!actual.has(name)) yield `${name} is missing`;
    else if (actual.get(name) !== sql) yield `${name} is not as this program made it`;
  }
}

function schemaOf(applied: readonly Migration[]): Map<string, string> {
  const model = new DatabaseSync(':memory:');
  migrate(model, applied, 0);
  const schema = readSchema(model);
  model.close();
  return schema;
}

function readSchema(database: DatabaseSync): Map<string, string> {
  const rows = database.prepare(
    "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name <> 'migrations'",
  );
  return new Map(rows.all().map(({ name, sql }) => [String(name), String(sql)]));
}

/** A damaged table counts as empty: the checks have reported it. */
function countReadable(database: DatabaseSync): RecordCounts {
  const query = statements(database);
  return runNow(countRecords(), (statement) => {
    try {
      return query(statement);
    } catch {
      return [];
    }
  });
}
