import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeContract } from '../store.contract.ts';
import { openSqliteStore } from './store.ts';

storeContract('SQLite', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-store-'));
  return {
    open: () => openSqliteStore({ dataDir }),
    openBeside: () => openSqliteStore({ dataDir, exclusive: false }),
    dispose: async () => rmSync(dataDir, { recursive: true }),
  };
});
