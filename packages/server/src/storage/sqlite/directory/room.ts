/** The disk space that an upgrade of the schema needs, estimated before it begins. */
import { existsSync, statfsSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { integerAt } from '../../rows/columns.ts';
import type { Migration } from '../schema/migrations.ts';
import { databasePath } from './database.ts';

export interface UpgradeRoom {
  /** The size of the copy: the database with the contents of its log. 0 if no copy is made. */
  readonly copyBytes: number;
  /** The maximum size of the write-ahead log, and growth of the database: the pages of new indexes. */
  readonly logBytes: number;
  readonly freeBytes: number;
}

/** Pages of tables that get columns, and of the schema. */
const pagesOfSchemaBytes = 1024 * 1024;
/** Bytes of an index entry apart from its columns, including unused space in its pages. */
const entryBytes = 16;
const fill = 1.25;

/** Returns the space that these migrations of a database need. Reads all rows of tables that get an index. */
export function roomFor(
  database: DatabaseSync,
  dataDir: string,
  pending: readonly Migration[],
  isCopied: boolean,
): UpgradeRoom {
  const files = isCopied ? [databasePath(dataDir), `${databasePath(dataDir)}-wal`] : [];
  const { bavail, bsize } = statfsSync(dataDir);
  const indexes = indexBytes(database, pending.map(({ sql }) => sql).join('\n'));
  return {
    copyBytes: files.reduce((bytes, file) => bytes + (existsSync(file) ? statSync(file).size : 0), 0),
    // Once in the log, and once in the database.
    logBytes: pending.length === 0 ? 0 : 2 * indexes + pagesOfSchemaBytes,
    freeBytes: bavail * bsize,
  };
}

/** The bytes of new indexes of existing tables. */
function indexBytes(database: DatabaseSync, sql: string): number {
  const made = new Set(Array.from(sql.matchAll(/CREATE TABLE (\w+)/g), ([, table]) => table));
  const found = Array.from(sql.matchAll(/CREATE (?:UNIQUE )?INDEX \w+ ON (\w+) \((.*)\)/g));
  const bytes = found.map(([, table = '', columns = '']) => (made.has(table) ? 0 : entriesOf(database, table, columns)));
  return Math.ceil(bytes.reduce((sum, each) => sum + each, 0) * fill);
}

function entriesOf(database: DatabaseSync, table: string, columns: string): number {
  const parts = columns.split(/,(?![^(]*\))/).map((column) => column.replace(/ (?:ASC|DESC)$/, '').trim());
  const known = parts.filter((part) => isKnown(database, table, part));
  const lengths = known.map((part) => `coalesce(octet_length(${part}), 0)`);
  const row = database
    .prepare(`SELECT coalesce(sum(${[entryBytes, ...lengths].join(' + ')}), 0) AS bytes FROM ${table}`)
    .get();
  return integerAt(row ?? {}, 'bytes');
}

/** A column added by the same upgrade takes almost nothing: it is null, or has its default. */
function isKnown(database: DatabaseSync, table: string, part: string): boolean {
  try {
    database.prepare(`SELECT ${part} FROM ${table} LIMIT 0`);
    return true;
  } catch {
    return false;
  }
}

/** Describes the missing space; undefined if there is enough. */
export function missingRoom({ copyBytes, logBytes, freeBytes }: UpgradeRoom): string | undefined {
  if (copyBytes + logBytes <= freeBytes) return undefined;
  const copy = copyBytes > 0 ? `its copy takes ${copyBytes} bytes, ` : '';
  return `${copy}its log and its growth take up to ${logBytes}, and ${freeBytes} are free`;
}

/** Throws an `Error` with advice if the disk has too little space. */
export function requireRoom(dataDir: string, room: UpgradeRoom): void {
  const missing = missingRoom(room);
  if (missing === undefined) return;
  const other = room.copyBytes > 0 ? ', or make a backup elsewhere and set SVC_UPGRADE_COPY=off' : '';
  throw new Error(`cannot upgrade the database in ${dataDir}: ${missing}; make room${other}`);
}
