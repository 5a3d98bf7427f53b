/**
 * The mark beside the database. It says how far the database had come when the service last wrote: a number that the database has too, and
 * that grows with every mark. So a database whose number is lower went back, such as to a copy that was put into its place.
 */
import { closeSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { createOwnedFile } from '../../../common/owned-files.ts';
import { integerAt } from '../../columns.ts';
import { noteWentBack } from '../../sql/marks.ts';
import { versionsAheadDefault } from '../../version-floors.ts';
import { engineSql } from '../engine-sql.ts';
import { takeSteps } from '../steps.ts';

export interface StoreMark {
  readonly beat: number;
  /** The floor of versions (version-floors.ts). */
  readonly versionFloor: number;
}

const markPath = (dataDir: string): string => join(dataDir, 'holdfast.mark');

/** Returns the mark of a data directory; undefined where there is none that can be read. */
export function readMark(dataDir: string): StoreMark | undefined {
  let text: string;
  try {
    text = readFileSync(markPath(dataDir), 'utf8');
  } catch {
    return undefined;
  }
  const [beat, versionFloor] = text.trim().split(' ').map(Number);
  return Number.isSafeInteger(beat) && Number.isSafeInteger(versionFloor)
    ? { beat: beat as number, versionFloor: versionFloor as number }
    : undefined;
}

/** Replaces the mark of a data directory. What it says has been committed. After a power cut it may be an earlier one. */
export function writeMark(dataDir: string, { beat, versionFloor }: StoreMark): void {
  const draft = `${markPath(dataDir)}.new`;
  rmSync(draft, { force: true });
  const file = createOwnedFile(draft);
  try {
    writeFileSync(file, `${beat} ${versionFloor}\n`);
  } finally {
    closeSync(file);
  }
  renameSync(draft, markPath(dataDir));
}

/** Returns the number of the last mark that a database knows of. */
export const beatOf = (database: DatabaseSync): number =>
  // One row, always: made with the table.
  integerAt(database.prepare('SELECT beat FROM heartbeat').get() ?? {}, 'beat');

/** Raises that number, above `least` too, and returns it. */
export const raiseBeat = (database: DatabaseSync, least = 0): number =>
  // One row, always.
  integerAt(database.prepare('UPDATE heartbeat SET beat = max(beat, ?) + 1 RETURNING beat').get(least) ?? {}, 'beat');

/**
 * Compares a database with the mark beside it. Where it went back, raises the floor of versions and returns it: null if it cannot be raised
 * any more. Undefined: it did not go back. The caller holds the lock of the directory.
 */
export function noticeWayBack(dataDir: string, database: DatabaseSync, now: number): number | null | undefined {
  const mark = readMark(dataDir);
  if (mark === undefined || mark.beat <= beatOf(database)) return undefined;
  database.exec('BEGIN IMMEDIATE');
  try {
    const back = { known: mark.versionFloor, ahead: versionsAheadDefault, now };
    const floor = takeSteps(database, noteWentBack({ engine: engineSql }, back));
    const beat = raiseBeat(database, mark.beat);
    database.exec('COMMIT');
    writeMark(dataDir, { beat, versionFloor: floor ?? mark.versionFloor });
    return floor ?? null;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
