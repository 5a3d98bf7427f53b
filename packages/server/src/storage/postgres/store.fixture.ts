/** Opens this engine for the storage contract's tests. */
import type { CreateStoreHarness } from '../store-contract/suite.ts';
import { leaseDatabase } from './fixtures/leases.fixture.ts';
import { openPostgresStore } from './store.ts';

/** Each connection costs both sides some milliseconds; these are enough for parallel work. */
const connectionsMax = 4;
/** These tests check results, not speed, and the machine may be busy. */
const answerMilliseconds = 20_000;

/** An empty database for each test. */
export const createPostgresHarness: CreateStoreHarness = async () => {
  const { url, release } = await leaseDatabase();
  const open: Awaited<ReturnType<CreateStoreHarness>>['open'] = (quotas) =>
    openPostgresStore({ url, connectionsMax, answerMilliseconds, ...(quotas && { quotas }) });
  return { open, openParallel: open, dispose: release };
};
