/** An empty database with its schema, made once for all tests of a process: migrating a new one takes 20 ms of processor time. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoised } from '../../common/async/memoised.ts';
import { databasePath } from './directory/database.ts';
import { openSqliteStore } from './store.ts';

const emptyDatabase = memoised(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-empty-'));
  try {
    await (await openSqliteStore({ dataDir })).close(); // the contents of the log are then in the file
    return readFileSync(databasePath(dataDir));
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});

/** Places an empty database in a folder. Tests of creating a database do not use it. */
export async function placeEmptyDatabase(dataDir: string): Promise<void> {
  writeFileSync(databasePath(dataDir), await emptyDatabase(), { mode: 0o600 });
}
