/** Runs steps on a connection of the embedded engine. */
import type { DatabaseSync } from 'node:sqlite';
import type { Row } from '../rows/columns.ts';
import { runNow, type Statement, type Steps, type Value } from '../sql/steps.ts';

/** Returns the same statement for SQLite, which numbers parameters with `?`, and needs no row locks since it has only one writer. */
export const forSqlite = (sql: string): string => sql.replaceAll(/\$(?=\d)/g, '?').replaceAll(/\sFOR UPDATE\b/g, '');

/** Returns a function that runs a statement, which `prepare` translates once. */
export function translated<Prepared>(
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

/** Returns a function that runs statements on a connection, each of which is prepared once. */
export const statements = (database: DatabaseSync): ((statement: Statement) => readonly Row[]) =>
  translated(
    (sql) => database.prepare(sql),
    (prepared, values) => prepared.all(...values),
  );

/** Runs steps on a connection, all immediately. Throws as the statements do. */
export const takeSteps = <Result>(database: DatabaseSync, steps: Steps<Result>): Result =>
  runNow(steps, statements(database));
