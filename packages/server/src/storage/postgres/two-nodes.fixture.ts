/** Two nodes on one database, and a connection to look at it. */
import { afterEach, beforeEach } from 'vitest';
import type { Store } from '../store.ts';
import { type Database, openDatabase } from './connection.ts';
import { type LeasedDatabase, leaseDatabase } from './leases.fixture.ts';
import { openPostgresStore } from './store.ts';

export interface TwoNodes {
  readonly store: Store;
  readonly beside: Store;
  readonly database: Database;
  /** How many rows of a table fulfil a condition. */
  count(table: string, condition?: string): Promise<number>;
}

/** Opens both before each test. Everything is closed and emptied afterwards. */
export function withTwoNodes(): TwoNodes {
  let lease: LeasedDatabase;
  const at = {
    store: undefined as unknown as Store,
    beside: undefined as unknown as Store,
    database: undefined as unknown as Database,
    async count(table: string, condition = 'true') {
      const [row] = await at.database.query(`SELECT count(*) AS rows FROM ${table} WHERE ${condition}`);
      return row?.rows as number;
    },
  };
  beforeEach(async () => {
    lease = await leaseDatabase();
    at.store = await openPostgresStore({ url: lease.url, answerMilliseconds: 20_000 });
    at.beside = await openPostgresStore({ url: lease.url, answerMilliseconds: 20_000 });
    at.database = openDatabase({ urls: [lease.url], connectionsMax: 4, isPooled: false });
  });
  afterEach(async () => {
    await at.store.close();
    await at.beside.close();
    await at.database.close();
    await lease.release();
  });
  return at;
}
