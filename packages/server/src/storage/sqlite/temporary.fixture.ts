import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { Store } from '../store.ts';
import { openSqliteStore, type SqliteStoreOptions } from './store.ts';

/** Creates directories and stores that are closed and removed after the test. */
export function temporary() {
  const directories: string[] = [];
  const stores: Store[] = [];
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
  });
  return {
    directory(): string {
      const directory = mkdtempSync(join(tmpdir(), 'holdfast-sqlite-'));
      directories.push(directory);
      return directory;
    },
    async open(options: SqliteStoreOptions): Promise<Store> {
      const store = await openSqliteStore(options);
      stores.push(store);
      return store;
    },
  };
}
