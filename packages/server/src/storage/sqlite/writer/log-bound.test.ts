/** How far the write-ahead log grows while the disk or a reader keeps it from being copied into the database. */
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { unlimited } from '../../contract/usage-store.ts';
import { databasePath } from '../directory/database.ts';
import { temporary } from '../temporary.fixture.ts';
import type { Reply } from './commands.ts';
import { WriterSession } from './writer-session.ts';

const at = temporary();
const mebibyte = 2 ** 20;
const refused = expect.objectContaining({ outcomes: [expect.objectContaining({ failure: expect.anything() })] });

/** A writer of an empty store on a disk with as much room as `room` returns. */
async function openSession() {
  const dataDir = at.directory();
  await (await at.open({ dataDir })).close();
  const path = databasePath(dataDir);
  const disk = { room: 2 ** 40 };
  const session = new WriterSession(path, unlimited, () => disk.room);
  session.open();
  const write = (): Reply => session.commit([['checkReady']]);
  return { session, disk, write, path, logBytes: () => statSync(`${path}-wal`).size };
}

test('writes are refused from 16 MiB on, whenever the log can next be copied', async () => {
  const { session, write, path, logBytes } = await openSession();
  const other = new DatabaseSync(path);
  other.exec(`INSERT INTO orphans (kind, target, account_id) VALUES ('account', 999, 'gone')`);
  other.close();
  let written = 0;
  while (written < 3_000 && !refused.asymmetricMatch(write())) {
    written++;
    session.lookAtLog();
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

test('beside a reader, the log grows as long as the disk has room to copy it', async () => {
  const { session, disk, write, path, logBytes } = await openSession();
  const reader = new DatabaseSync(path, { readOnly: true });
  reader.exec('BEGIN; SELECT * FROM readiness');
  const writeOn = (times: number) => {
    for (let i = 0; i < times; i++) {
      if (refused.asymmetricMatch(write())) return i;
      if (session.lookAtLog()) session.copyLog();
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
