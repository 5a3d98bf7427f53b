/** Storage of a test's servers: the embedded database or PostgreSQL, depending on the Vitest project. */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Store } from '../../packages/server/src/storage/store.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The engine of this project's servers, named as in spans. */
    readonly engine: 'sqlite' | 'postgresql';
  }
}

/** Servers with the same folder and settings share their data. */
export interface Place {
  readonly dataDir: string;
  /** Server variables in addition to `SVC_DATA_DIR`. */
  readonly settings: Readonly<Record<string, string>>;
  /** Opens the store as a server does. */
  openStore(): Promise<Store>;
  /** Opens the store while a server runs, as operator commands do. */
  openParallel(): Promise<Store>;
  /** The servers' secret key, once one has started. */
  secretKeyText(): string;
  /** All stored data as one string, one character per byte. */
  storedText(): Promise<string>;
  /** Blocks all writes, as another program may, until the returned function is called. */
  holdWrites(): Promise<() => Promise<void>>;
  /** Runs statements as another program may, and returns the rows of the last one. */
  runSql(...statements: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Deletes all data. Its servers must have stopped. */
  remove(): Promise<void>;
}

/** Returns an empty place on the project's engine. */
export async function openPlace(): Promise<Place> {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-test-'));
  if (inject('engine') === 'sqlite') return (await import('./place-sqlite.ts')).emptySqlitePlace(dataDir);
  return (await import('./place-postgres.ts')).postgresPlace(dataDir);
}

/** Runs `work` with an empty place that is removed afterwards. */
export async function withPlace<Result>(work: (place: Place) => Promise<Result>): Promise<Result> {
  const place = await openPlace();
  try {
    return await work(place);
  } finally {
    await place.remove();
  }
}

/**
 * Returns all files below a folder as one string, one character per byte. A write-ahead log is read before its database: what is copied
 * from one to the other meanwhile is in what is read.
 */
export function filesText(folder: string): string {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return paths
    .sort()
    .reverse()
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');
}
