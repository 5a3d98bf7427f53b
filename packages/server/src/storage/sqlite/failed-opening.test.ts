import { readdirSync, readlinkSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { databasePath } from './directory/database.ts';
import { placeEmptyDatabase } from './empty-database.fixture.ts';
import { openSqliteStore } from './store.ts';
import { temporary } from './temporary.fixture.ts';

const at = temporary();

/** Files of a directory that this process holds open, on any thread. */
function filesHeldIn(dataDir: string): string[] {
  const held = readdirSync('/proc/self/fd').map((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      return ''; // closed since
    }
  });
  return held.filter((path) => path.startsWith(dataDir));
}

/** The writer thread has started by then: the main thread alone reads the numbers of ended tokens. */
it.skipIf(process.platform !== 'linux')('an opening that fails late leaves no thread and no open file', async () => {
  const dataDir = at.directory();
  await placeEmptyDatabase(dataDir);
  const database = new DatabaseSync(databasePath(dataDir));
  database.exec('ALTER TABLE ended_tokens RENAME COLUMN ended_number TO damaged');
  database.close();
  let heldByWriter: string[] = [];
  const onOpen = () => {
    heldByWriter = filesHeldIn(dataDir);
  };
  const observer = { onOpen, onCommit: () => undefined, onFailure: () => undefined };
  await expect(openSqliteStore({ dataDir, observer })).rejects.toThrow('cannot read from the database');

  expect(heldByWriter).toContain(databasePath(dataDir));
  expect(filesHeldIn(dataDir)).toEqual([]);
});
