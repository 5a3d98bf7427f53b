/** How far the write-ahead log grows while a reader keeps it from being copied into the database. */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { temporary } from '../temporary.fixture.ts';
import { mebibyte, openSession, refused } from './log-bound.fixture.ts';

const at = temporary();

test('beside a reader, the log grows as long as the disk has room to copy it', async () => {
  const { session, disk, write, path, logBytes } = await openSession(at);
  const reader = new DatabaseSync(path, { readOnly: true });
  reader.exec('BEGIN; SELECT * FROM readiness');
  const writeOn = (times: number) => {
    for (let i = 0; i < times; i++) {
      if (refused.asymmetricMatch(write())) return i;
      if (session.checkLogLength()) session.copyLog();
    }
    return times;
  };
  expect(writeOn(3_000)).toBe(3_000);
  const bytes = logBytes();
  expect(bytes).toBeGreaterThan(23 * mebibyte);

  disk.room = bytes - mebibyte;
  expect(() => writeOn(1_100)).toThrow('the disk has no room for a longer log');
  expect(write()).toEqual(refused);
  expect(() => session.copyLog()).toThrow('something reads the database');
  expect(logBytes()).toBeLessThan(bytes + 9 * mebibyte);

  reader.exec('COMMIT');
  reader.close();
  session.copyLog();
  const longest = logBytes();
  expect(writeOn(3_000)).toBe(3_000);
  expect(logBytes()).toBe(longest);
  session.close();
});
