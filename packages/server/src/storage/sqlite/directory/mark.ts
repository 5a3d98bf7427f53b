/**
 * The mark next to the database. It holds a number that grows with every mark and is also stored in the database, as of the service's last
 * write. A database with a lower number went back, for example to a restored copy.
 */
import { closeSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { createOwnedFile } from '../../../common/files/owned-files.ts';
import { versionsAheadDefault } from '../../history/version-floors.ts';
import { integerAt } from '../../rows/columns.ts';
import { recordRollback } from '../../sql/upkeep/store-rollback.ts';
import { engineSql } from '../engine-sql.ts';
import { takeSteps } from '../steps.ts';

export interface StoreMark {
  readonly beat: number;
  /** The version floor (version-floors.ts). */
  readonly versionFloor: number;
}

const markPath = (dataDir: string): string => join(dataDir, 'holdfast.mark');

/** Returns the mark of a data directory; undefined if there is no readable mark. */
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

/** Replaces the mark of a data directory, whose contents are committed. After a power cut, an earlier mark may be back. */
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

/** Returns the number of the last mark known to a database. */
export const beatOf = (database: DatabaseSync): number =>
  // One row, always: made with the table.
  integerAt(database.prepare('SELECT beat FROM heartbeat').get() ?? {}, 'beat');

/** Raises the number, to more than `least` too, and returns it. */
export const raiseBeat = (database: DatabaseSync, least = 0): number =>
  // One row, always.
  integerAt(database.prepare('UPDATE heartbeat SET beat = max(beat, ?) + 1 RETURNING beat').get(least) ?? {}, 'beat');

/**
 * Compares a database with the mark next to it. If it went back, raises the version floor and returns it: null if it cannot be raised
 * further. Undefined if the database did not go back. The caller holds the lock of the directory.
 */
export function detectRollback(dataDir: string, database: DatabaseSync, now: number): number | null | undefined {
  const mark = readMark(dataDir);
  if (mark === undefined || mark.beat <= beatOf(database)) return undefined;
  database.exec('BEGIN IMMEDIATE');
  try {
    const back = { known: mark.versionFloor, ahead: versionsAheadDefault, now };
    const floor = takeSteps(database, recordRollback({ engine: engineSql }, back));
    const beat = raiseBeat(database, mark.beat);
    database.exec('COMMIT');
    writeMark(dataDir, { beat, versionFloor: floor ?? mark.versionFloor });
    return floor ?? null;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
