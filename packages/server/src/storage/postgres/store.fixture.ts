/** How the storage contract opens this engine. */
import type { CreateStoreHarness } from '../store.contract.ts';
import { leaseDatabase } from './leases.fixture.ts';
import { openPostgresStore } from './store.ts';

/** An empty database for each test. */
export const createPostgresHarness: CreateStoreHarness = async () => {
  const { url, release } = await leaseDatabase();
  const open: Awaited<ReturnType<CreateStoreHarness>>['open'] = (quotas) =>
    openPostgresStore({ url, ...(quotas && { quotas }) });
  return { open, openBeside: open, dispose: release };
};
