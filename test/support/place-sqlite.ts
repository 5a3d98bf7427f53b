import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { placeEmptyDatabase } from '../../packages/server/src/storage/sqlite/empty-database.fixture.ts';
import { openSqliteStore } from '../../packages/server/src/storage/sqlite/store.ts';
import { filesText, type Place } from './place.ts';

/** Returns a place whose embedded database is in the folder, or will be created there. */
export function sqlitePlace(dataDir: string): Place {
  return {
    dataDir,
    settings: {},
    openStore: () => openSqliteStore({ dataDir }),
    openParallel: () => openSqliteStore({ dataDir, exclusive: false }),
    secretKeyText: () => readFileSync(join(dataDir, 'secret.key'), 'utf8'),
    storedText: async () => filesText(dataDir),
    async holdWrites() {
      // The service may be writing at this moment.
      const database = new DatabaseSync(join(dataDir, 'holdfast.sqlite'), { timeout: 30_000 });
      database.exec('BEGIN IMMEDIATE');
      return async () => database.close();
    },
    async runSql(...statements) {
      const database = new DatabaseSync(join(dataDir, 'holdfast.sqlite'), { timeout: 30_000 });
      const rows = statements.map((statement) => database.prepare(statement).all());
      database.close();
      return rows.at(-1) ?? [];
    },
    remove: async () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

/** Creates an empty database in an empty folder, and returns it as a place. */
export async function emptySqlitePlace(dataDir: string): Promise<Place> {
  await placeEmptyDatabase(dataDir);
  return sqlitePlace(dataDir);
}
