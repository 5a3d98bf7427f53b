/** Previews the upgrade that starting this program would make to the database of a data directory. Changes nothing. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { SigningKeyRecord } from '../../contract/sign-ins.ts';
import { countWordless } from '../../sql/players/player-words.ts';
import { previewUpgrade, type UpgradePreview } from '../../sql/schema/upgrade-preview.ts';
import { databasePath, openForReading } from '../directory/database.ts';
import { roomFor, type UpgradeRoom } from '../directory/room.ts';
import { appliedMigrations, migrations } from '../schema/migrations.ts';
import { takeSteps } from '../steps.ts';
import { readSigningKeys } from './keys.ts';

export interface SqliteUpgradePreview extends UpgradePreview {
  /** The disk space that the upgrade needs, including the copy. */
  readonly room: UpgradeRoom;
  /** The signing keys that a start would try to open with the secret key. */
  readonly signingKeys: readonly SigningKeyRecord[];
  /** The speed at which part of the file was read. */
  readonly readBytesPerSecond: number;
  /** Rows of tables that get an index. */
  readonly indexedRows: number;
  /** Accounts with players who are not yet found by words. */
  readonly wordless: number;
}

/** Inspects the database of a data directory, with or without a running service. Throws if it cannot be read. */
export function previewSqliteUpgrade(dataDir: string, isCopied: boolean): SqliteUpgradePreview {
  const database = openForReading(databasePath(dataDir));
  try {
    const preview = previewUpgrade(appliedMigrations(database), migrations);
    const rows = preview.indexed.map((table) =>
      Number(database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.rows),
    );
    return {
      ...preview,
      room: roomFor(database, dataDir, preview.pending, isCopied),
      signingKeys: preview.migration > 0 ? readSigningKeys(database) : [],
      readBytesPerSecond: readPace(databasePath(dataDir)),
      indexedRows: rows.reduce((sum, count) => sum + count, 0),
      wordless: takeSteps(database, countWordless(preview.migration)),
    };
  } finally {
    database.close();
  }
}

const pieceBytes = 1024 * 1024;
const pieces = 64;
const readMillisecondsMax = 200;

/** Reads pieces throughout a file for a short time, and returns the bytes read per second. */
function readPace(path: string): number {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const piece = Buffer.allocUnsafe(pieceBytes);
    const begun = performance.now();
    let bytes = 0;
    for (let index = 0; index < pieces && performance.now() - begun < readMillisecondsMax; index++) {
      bytes += readSync(file, piece, 0, pieceBytes, Math.floor((size * index) / pieces));
    }
    return (Math.max(bytes, 1) * 1000) / Math.max(performance.now() - begun, 0.001);
  } finally {
    closeSync(file);
  }
}
