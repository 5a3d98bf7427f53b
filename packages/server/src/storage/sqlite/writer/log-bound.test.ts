/** How far the write-ahead log grows while the disk keeps it from being copied into the database. */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { temporary } from '../temporary.fixture.ts';
import { mebibyte, openSession, refused } from './log-bound.fixture.ts';

const at = temporary();

test('writes are refused from 16 MiB on, whenever the log can next be copied', async () => {
  const { session, write, path, logBytes } = await openSession(at);
  const other = new DatabaseSync(path);
  other.exec(`INSERT INTO orphans (kind, target, account_id) VALUES ('account', 999, 'gone')`);
  other.close();
  let written = 0;
  while (written < 3_000 && !refused.asymmetricMatch(write())) {
    written++;
    session.checkLogLength();
  }
  expect(written).toBeLessThan(2_100);
  const bytes = logBytes();
  expect(bytes).toBeGreaterThan(15 * mebibyte);
  expect(bytes).toBeLessThan(17 * mebibyte);
  // The sweep would write too.
  expect(session.sweep()).toEqual({ hasMore: false, hasChanged: false, isStuck: true });
  expect(write()).toEqual(refused);
  expect(logBytes()).toBe(bytes);
  session.copyLog();
  expect(write()).not.toEqual(refused);
  expect(session.sweep().hasMore).toBe(true);
  expect(logBytes()).toBe(bytes);
  session.close();
});
