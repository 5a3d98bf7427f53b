/** Databases under inspection, for its tests. */
import { DatabaseSync } from 'node:sqlite';
import { databasePath, openForReading } from '../directory/database.ts';
import { type Inspection, inspectDatabase } from './inspect.ts';

/** Returns the result of inspecting the database of a data directory. */
export function inspect(dataDir: string): Inspection {
  const database = openForReading(databasePath(dataDir));
  try {
    return inspectDatabase(database, () => undefined);
  } finally {
    database.close();
  }
}

/** Returns a line for each fault. */
export const faultsOf = (dataDir: string): string[] =>
  inspect(dataDir).faults.map(({ check, message }) => `${check}: ${message}`);

/** Changes the database of a data directory without the store's knowledge. */
export function runSql(dataDir: string, sql: string): void {
  const database = new DatabaseSync(databasePath(dataDir), { timeout: 30_000 });
  database.exec(sql);
  database.close();
}
