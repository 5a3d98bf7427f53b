/** Opens this engine for the storage contract's tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CreateStoreHarness } from '../store-suite/suite.ts';
import { placeEmptyDatabase } from './empty-database.fixture.ts';
import { openSqliteStore } from './store.ts';

/** A separate data directory for each test. */
export const createSqliteHarness: CreateStoreHarness = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-store-'));
  await placeEmptyDatabase(dataDir);
  return {
    open: (quotas) => openSqliteStore({ dataDir, ...(quotas && { quotas }) }),
    openParallel: (quotas) => openSqliteStore({ dataDir, exclusive: false, ...(quotas && { quotas }) }),
    dispose: async () => rmSync(dataDir, { recursive: true }),
  };
};
