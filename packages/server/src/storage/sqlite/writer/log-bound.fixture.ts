import { statSync } from 'node:fs';
import { expect } from 'vitest';
import { unlimited } from '../../contract/usage.ts';
import { databasePath } from '../directory/database.ts';
import type { temporary } from '../temporary.fixture.ts';
import type { Reply } from './commands.ts';
import { WriterSession } from './writer-session.ts';

export const mebibyte = 2 ** 20;
/** The reply to a write that is refused. */
export const refused = expect.objectContaining({ outcomes: [expect.objectContaining({ failure: expect.anything() })] });

/** A writer of an empty store on a disk with as much room as `room` returns. */
export async function openSession(at: ReturnType<typeof temporary>) {
  const dataDir = at.directory();
  await (await at.open({ dataDir })).close();
  const path = databasePath(dataDir);
  const disk = { room: 2 ** 40 };
  const session = new WriterSession(path, unlimited, () => disk.room);
  session.open();
  const write = (): Reply => session.commit([['checkReady']]);
  return { session, disk, write, path, logBytes: () => statSync(`${path}-wal`).size };
}
