/** Where the servers of a test keep their data: in the embedded database or in PostgreSQL, as the project of the run says. */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Store } from '../../packages/server/src/storage/store.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The engine that the servers of this project run on, by the name that spans give it. */
    readonly engine: 'sqlite' | 'postgresql';
  }
}

/** Servers that are given its folder and settings share their data. */
export interface Place {
  readonly dataDir: string;
  /** Variables of a server beside `SVC_DATA_DIR`. */
  readonly settings: Readonly<Record<string, string>>;
  /** Opens the store as a server does. */
  openStore(): Promise<Store>;
  /** Opens the store beside a server, as an operator's command does. */
  openParallel(): Promise<Store>;
  /** What its servers seal with, once one has started. */
  secretKeyText(): string;
  /** Everything that is stored, as one text of bytes. */
  storedText(): Promise<string>;
  /** Keeps everybody from writing, as another program may, until the returned function is called. */
  holdWrites(): Promise<() => Promise<void>>;
  /** Runs statements as another program may, and returns the rows of the last one. */
  runSql(...statements: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Forgets everything. No server runs there any more. */
  remove(): Promise<void>;
}

/** Returns an empty place on the engine of the project. */
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

/** Returns all files below a folder as one text of bytes. */
export function filesText(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}
