/** Recovers a database that went back, while no service uses it. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Rollback } from '../../contract/installation.ts';
import { highestVersion, recoverStore } from '../../sql/upkeep/store-rollback.ts';
import { engineSql } from '../engine-sql.ts';
import { migrate, pendingMigrations } from '../schema/migrations.ts';
import { takeSteps } from '../steps.ts';
import { databasePath, openForReading, openForWriting } from './database.ts';
import { beatOf, raiseBeat, readMark, type StoreMark } from './mark.ts';

/** Facts about the database that a new one replaces in a data directory. */
export interface Replaced {
  /** The highest version or floor; 0 if there is none or it cannot be read. */
  readonly highest: number;
  readonly beat: number;
}

/** Returns the facts about assigned versions in a data directory. Never throws. */
export function replacedIn(dataDir: string): Replaced {
  const { beat = 0, versionFloor = 0 } = readMark(dataDir) ?? {};
  if (!existsSync(databasePath(dataDir))) return { highest: versionFloor, beat };
  let database: DatabaseSync | undefined;
  try {
    database = openForReading(databasePath(dataDir));
    const highest = takeSteps(database, highestVersion(engineSql));
    return { highest: Math.max(versionFloor, highest), beat: Math.max(beat, beatOf(database)) };
  } catch {
    return { highest: versionFloor, beat }; // damaged, or of an earlier release
  } finally {
    database?.close();
  }
}

/**
 * Brings the database in `path` up to date, raises its version floor and ends everything issued before (`recoverStore`), in one
 * transaction. Returns the mark to store next to it; undefined, with nothing changed, if versions would get too large. With `isDraft`, it
 * stays a single, private file.
 */
export function recoverDatabase(path: string, back: Rollback, leastBeat: number, isDraft: boolean): StoreMark | undefined {
  const database = isDraft ? new DatabaseSync(path, { allowExtension: false, defensive: true }) : openForWriting(path);
  try {
    database.exec('PRAGMA secure_delete = ON');
    migrate(database, pendingMigrations(database), back.now);
    database.exec('BEGIN IMMEDIATE');
    const versionFloor = takeSteps(database, recoverStore({ engine: engineSql }, back));
    const beat = raiseBeat(database, leastBeat);
    database.exec(versionFloor === undefined ? 'ROLLBACK' : 'COMMIT');
    return versionFloor === undefined ? undefined : { beat, versionFloor };
  } finally {
    database.close();
  }
}
