import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

/** A statement that is prepared when it is first used: most writers never run most of theirs. */
export function statement(database: DatabaseSync, sql: string) {
  let prepared: ReturnType<DatabaseSync['prepare']> | undefined;
  const lazily = () => {
    prepared ??= database.prepare(sql);
    return prepared;
  };
  return {
    get: (...values: SQLInputValue[]) => lazily().get(...values),
    all: (...values: SQLInputValue[]) => lazily().all(...values),
    changes: (...values: SQLInputValue[]) => Number(lazily().run(...values).changes),
  };
}
