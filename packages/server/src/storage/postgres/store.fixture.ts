/** Opens this engine for the storage contract's tests. */
import type { CreateStoreHarness } from '../store-suite/suite.ts';
import { leaseDatabase } from './fixtures/leases.fixture.ts';
import { openPostgresStore } from './store.ts';

/** Each connection costs both sides some milliseconds; these are enough for parallel work. */
const connectionsMax = 4;
/** These tests check results, not speed, and the machine may be busy. */
const answerMilliseconds = 60_000;

const harnessWith =
  (options: { readonly isDistributed?: boolean }): CreateStoreHarness =>
  async () => {
    const { url, release } = await leaseDatabase();
    const open: Awaited<ReturnType<CreateStoreHarness>>['open'] = (quotas) =>
      openPostgresStore({ url, connectionsMax, answerMilliseconds, ...options, ...(quotas && { quotas }) });
    return { open, openParallel: open, dispose: release };
  };

/** An empty database for each test. */
export const createPostgresHarness = harnessWith({});
/** The same, written to by the statements for a distributed database. */
export const createDistributedHarness = harnessWith({ isDistributed: true });
