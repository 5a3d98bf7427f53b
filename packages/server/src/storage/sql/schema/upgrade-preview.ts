/** Previews the upgrade that starting this program would make to a database. */
import { type AppliedMigration, pendingOf } from './applied-migrations.ts';
import type { Migration } from './migrations.ts';

export interface UpgradePreview {
  /** The release of the database's newest migration; null if unknown. */
  readonly madeBy: string | null;
  readonly migration: number;
  /** The migrations that a start would apply. */
  readonly pending: readonly Migration[];
  /** Existing tables that get an index, which takes longer the more rows they have. */
  readonly indexed: readonly string[];
  /** Why this program cannot use the database; null if it can. */
  readonly refusal: string | null;
}

/** For migrations from releases that did not record their version. */
const firstRelease = { migration: 1, program: '0.1.0' };

/** Previews the upgrade of a database with these migrations. */
export function previewUpgrade(applied: readonly AppliedMigration[], known: readonly Migration[]): UpgradePreview {
  const newest = applied.at(-1);
  const migration = newest?.number ?? 0;
  const madeBy = newest?.program ?? (migration === firstRelease.migration ? firstRelease.program : null);
  try {
    const pending = pendingOf(applied, known);
    const sql = pending.map((each) => each.sql).join('\n');
    const made = new Set(Array.from(sql.matchAll(/CREATE TABLE (\w+)/g), ([, table]) => table));
    const indexed = Array.from(sql.matchAll(/CREATE (?:UNIQUE )?INDEX \w+ ON (\w+)/g), ([, table]) => table as string);
    return {
      madeBy,
      migration,
      pending,
      indexed: [...new Set(indexed)].filter((table) => !made.has(table)),
      refusal: null,
    };
  } catch (error) {
    return { madeBy, migration, pending: [], indexed: [], refusal: (error as Error).message };
  }
}

/** Disks seldom write and sync faster, however fast they read. */
const writtenBytesPerSecondMax = 150 * 1024 * 1024;
/** For one slow core. */
const indexedRowsPerSecond = 200_000;

/** The data that a start copies, at the speed at which the database was read. */
export interface Copied {
  readonly bytes: number;
  readonly readBytesPerSecond: number;
}

/** Returns about how many seconds longer than usual a start invalidates. Adding a column takes no time, even to a large table. */
export function upgradeSeconds(pending: readonly Migration[], indexedRows: number, copied?: Copied): number {
  if (pending.length === 0) return 0;
  return Math.ceil((copied ? copySeconds(copied) : 0) + indexedRows / indexedRowsPerSecond) || 1;
}

const copySeconds = ({ bytes, readBytesPerSecond: read }: Copied): number =>
  bytes / read + bytes / Math.min(read, writtenBytesPerSecondMax);
