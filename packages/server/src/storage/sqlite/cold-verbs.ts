/** How the embedded engine takes the steps of verbs: reads on this thread, writes on the writer thread, in its transaction. */
import type { DatabaseSync } from 'node:sqlite';
import { runNow, type Statement, type Value } from '../cold/steps.ts';
import { effectOf, stepsOf } from '../cold/verb.ts';
import { type ColdStore, coldStore, coldVerb } from '../cold/verbs.ts';
import type { Row } from '../rows.ts';
import type { QuotaLimits } from '../usage-store.ts';
import type { Parts } from './parts.ts';
import type { Commands } from './writer/commands.ts';

/** The same statement for SQLite, which numbers parameters with `?` and has only one writer, who holds everything. */
const forSqlite = (sql: string): string => sql.replaceAll(/\$(?=\d)/g, '?').replaceAll(/\sFOR UPDATE\b/g, '');

/** Returns a function that carries out a statement, which `prepare` translates once. */
function translated<Prepared>(
  prepare: (sql: string) => Prepared,
  query: (prepared: Prepared, values: readonly Value[]) => readonly Row[],
): (statement: Statement) => readonly Row[] {
  const known = new Map<string, Prepared>();
  return ({ sql, values }) => {
    let prepared = known.get(sql);
    if (prepared === undefined) {
      prepared = prepare(forSqlite(sql));
      known.set(sql, prepared);
    }
    return query(prepared, values);
  };
}

/** Returns the methods of the store that are written once for both engines. */
export function createColdStore({
  changeAccess,
  reader,
  quotas,
}: Pick<Parts, 'changeAccess' | 'reader' | 'quotas'>): ColdStore {
  const query = translated(
    (sql) => sql,
    (sql, values) => reader.all(sql, ...values),
  );
  return coldStore((verb, name, args) => {
    if (verb.kind === 'read') return runNow(stepsOf(verb, { quotas }, args), query);
    return changeAccess(effectOf(verb, args), 'cold', name, args);
  });
}

/** The writes among the verbs, on the writer thread. */
export function coldWrites(database: DatabaseSync, quotas: QuotaLimits): Pick<Commands, 'cold'> {
  const query = translated(
    (sql) => database.prepare(sql),
    (prepared, values) => prepared.all(...values),
  );
  return { cold: (name, args) => runNow(stepsOf(coldVerb(name), { quotas }, args), query) };
}
