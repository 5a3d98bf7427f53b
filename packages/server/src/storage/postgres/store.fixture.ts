/** How the storage contract opens this engine. */
import type { CreateStoreHarness } from '../store.contract.ts';
import { leaseDatabase } from './fixtures/leases.fixture.ts';
import { openPostgresStore } from './store.ts';

/** Each costs both sides some milliseconds; these are enough to work on several things at once. */
const connectionsMax = 4;
/** What is tested is what is done, on a machine that may have much else to do, and not how fast. */
const answerMilliseconds = 20_000;

/** An empty database for each test. */
export const createPostgresHarness: CreateStoreHarness = async () => {
  const { url, release } = await leaseDatabase();
  const open: Awaited<ReturnType<CreateStoreHarness>>['open'] = (quotas) =>
    openPostgresStore({ url, connectionsMax, answerMilliseconds, ...(quotas && { quotas }) });
  return { open, openBeside: open, dispose: release };
};
