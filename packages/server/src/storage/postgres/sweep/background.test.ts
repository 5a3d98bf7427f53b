/** Failures that nobody waits for are reported and retried later. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import postgres from 'postgres';
import { expect, test, vi } from 'vitest';
import { StoreUnavailable } from '../../store.ts';
import { observed } from '../../store-suite/harness.ts';
import type { Database } from '../connection/database.ts';
import { leaseDatabase } from '../fixtures/leases.fixture.ts';
import { openPostgresStore } from '../store.ts';
import { startSweep } from './sweep.ts';

const soon = { timeout: 60_000, interval: 20 };

test('a failure to look for changes is reported, and everything counts as changed meanwhile', async () => {
  const lease = await leaseDatabase();
  const { failures, recoveries, background } = observed();
  const store = await openPostgresStore({ url: lease.url, background });
  const sql = postgres(lease.url, { max: 1, onnotice: () => {} });
  let told = 0;
  store.onAccessChange(() => told++);
  try {
    await sql`ALTER TABLE access_changes RENAME TO hidden`;
    await vi.waitFor(() => expect(failures.length).toBeGreaterThan(2), soon);
    expect(new Set(failures.map(({ task }) => task))).toEqual(new Set(['changes']));
    expect(failures[0]?.error).toMatchObject({ cause: { message: expect.stringContaining('access_changes') } });
    expect(told).toBeGreaterThan(1);
  } finally {
    await sql`ALTER TABLE hidden RENAME TO access_changes`;
  }
  await vi.waitFor(() => expect(recoveries).toEqual(['changes']), soon);
  await sql.end();
  await store.close();
  await lease.release();
});

/** A database that answers while `outage.isOver`, and counts its statements. */
function failing() {
  const outage = { isOver: false, statements: 0 };
  const database: Database = {
    query: async () => {
      outage.statements += 1;
      if (!outage.isOver) throw new StoreUnavailable('a test');
      return [];
    },
    transaction: () => Promise.reject(new StoreUnavailable('a test')),
    waiting: () => 0,
    requireSupported: () => undefined,
    close: async () => undefined,
  };
  return { outage, database };
}

test('a failing sweep is reported, and retried at growing intervals until it succeeds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { outage, database } = failing();
    const { failures, recoveries, background } = observed();
    const stop = startSweep(database, background);
    const begun: number[] = [];
    for (let seconds = 0; seconds < 1_500; seconds += 20) {
      if (seconds === 1_000) outage.isOver = true;
      vi.advanceTimersByTime(20_000);
      await nextTurn();
      if (failures.length > begun.length) begun.push(seconds + 20);
    }
    // 20 s after the first one, then 40, 80, 160 and 300 s at most.
    expect(begun).toEqual([20, 40, 80, 160, 320, 620, 920]);
    expect(new Set(failures.map(({ task }) => task))).toEqual(new Set(['sweep']));
    expect(recoveries).toEqual(['sweep']);
    await stop();
  } finally {
    vi.useRealTimers();
  }
});
