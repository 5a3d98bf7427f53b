import postgres, { type Sql } from 'postgres';
import { afterEach, beforeEach } from 'vitest';
import type { Store } from '../../../store.ts';
import { type LeasedDatabase, leaseDatabase } from '../../fixtures/leases.fixture.ts';
import { inspectPostgres } from '../../inspect/inspect.ts';
import { openPostgresStore } from '../../store.ts';

/** Opens a store, and a connection to change its rows, before each test. Both are closed afterwards. */
export function withHistories() {
  let lease: LeasedDatabase;
  const at = {
    store: undefined as unknown as Store,
    sql: undefined as unknown as Sql,
    url: '',
    /** What an inspection finds. */
    async faults(): Promise<string[]> {
      const { faults } = await inspectPostgres(at.url, { isQuick: false });
      return faults.map(({ check, message }) => `${check}: ${message}`);
    },
  };
  beforeEach(async () => {
    lease = await leaseDatabase();
    at.url = lease.url;
    at.store = await openPostgresStore({ url: lease.url, answerMilliseconds: 60_000 });
    at.sql = postgres(lease.url, { max: 1, onnotice: () => {} });
  });
  afterEach(async () => {
    await at.store.close();
    await at.sql.end();
    await lease.release();
  });
  return at;
}
