/** An empty database with its schema, made once for all tests of a process: migrating a new one takes 20 ms of a processor. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoised } from '../../common/memoised.ts';
import { databasePath } from './directory/database.ts';
import { openSqliteStore } from './store.ts';

const emptyDatabase = memoised(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-empty-'));
  try {
    await (await openSqliteStore({ dataDir })).close(); // whatever was in the log is in the file then
    return readFileSync(databasePath(dataDir));
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});

/** Puts an empty database into a folder. Tests of how a database is made do without. */
export async function placeEmptyDatabase(dataDir: string): Promise<void> {
  writeFileSync(databasePath(dataDir), await emptyDatabase(), { mode: 0o600 });
}
