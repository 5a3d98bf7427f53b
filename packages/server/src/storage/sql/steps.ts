/**
 * A verb of the store as steps, written once for both engines: each step is a statement, and gets its rows back. The embedded engine runs
 * all steps immediately, in the transaction of its writer thread; over PostgreSQL each waits for the network, in one transaction.
 *
 * Statements are SQL that both databases understand. Parameters are `$1`, `$2` …, in a CAST if a database cannot infer the type. The clause
 * `FOR UPDATE` locks rows until the end of a transaction; the embedded engine has only one writer and needs no locks. Conditions in results
 * are `CASE WHEN … THEN 1 ELSE 0 END`, since only one of the databases has booleans.
 */
import { StoreFault } from '../contract/errors.ts';
import type { Row } from '../rows/columns.ts';

export type Value = string | number | null | Uint8Array;

/** A statement, always the same text, and the values of its parameters. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** Yields statements that may be sent together, and receives the rows of each. */
export type Steps<Result> = Generator<readonly Statement[], Result, readonly (readonly Row[])[]>;

/** A step that returns all rows of a statement. */
export function* all(sql: string, values: readonly Value[] = []): Steps<readonly Row[]> {
  const [rows = []] = yield [{ sql, values }];
  return rows;
}

/** A step that returns the first row of a statement, or undefined. */
export function* first(sql: string, values: readonly Value[] = []): Steps<Row | undefined> {
  return (yield* all(sql, values))[0];
}

/** A step that returns the only row of a statement that always returns one. Throws a `StoreFault` if there is none. */
export function* one(sql: string, values: readonly Value[] = []): Steps<Row> {
  const row = yield* first(sql, values);
  if (row === undefined) throw new StoreFault('a statement that always returns a row returned none');
  return row;
}

/** A step of statements that do not depend on each other's rows. */
export function* together(statements: readonly Statement[]): Steps<readonly (readonly Row[])[]> {
  return yield statements;
}

/** Runs all steps immediately. An error of a statement ends them and is thrown. */
export function runNow<Result>(steps: Steps<Result>, query: (statement: Statement) => readonly Row[]): Result {
  let step = steps.next();
  while (!step.done) step = steps.next(step.value.map(query));
  return step.value;
}

/** Runs the steps in order. A rejected statement ends them. */
export async function runLater<Result>(
  steps: Steps<Result>,
  query: (statement: Statement) => Promise<readonly Row[]>,
): Promise<Result> {
  let step = steps.next();
  while (!step.done) step = steps.next(await Promise.all(step.value.map(query)));
  return step.value;
}
