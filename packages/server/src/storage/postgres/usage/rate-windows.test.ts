/** Limits in this engine only: many parallel allotments, over many connections, and the room that windows take. */

import { hash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unobserved } from '../../contract/store-observer.ts';
import { databaseAddress } from '../connection/address.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { type LeasedDatabase, leaseDatabase } from '../fixtures/leases.fixture.ts';
import { migrate } from '../schema/migrations.ts';
import { createRateWindows } from './rate-windows.ts';

const minute = 60_000;
const now = 1_000_000;
const windowOf = (name: string, begins = now) => ({
  windowHash: hash('sha256', name, 'buffer'),
  limit: 1_000,
  endsAt: begins + minute,
});
let leased: LeasedDatabase;
let databases: Database[];
beforeAll(async () => {
  leased = await leaseDatabase();
  databases = [1, 2, 3].map(() => openDatabase(databaseAddress(leased.url, 4), { isPatient: true }));
  await migrate(databases[0] as Database);
});
afterAll(async () => {
  for (const database of databases) await database.close();
  await leased.release();
});

test('any number of simultaneous demands together get exactly the limit, each with a correct answer', async () => {
  const nodes = databases.map((database) => createRateWindows({ database, background: unobserved }));
  const shares = await Promise.all(
    Array.from({ length: 600 }, (_, i) =>
      nodes[i % 3]?.takeFromWindow(windowOf('many', now + i), { wanted: 3, used: 0, now: now + i }),
    ),
  );
  expect(shares.reduce((sum, share) => sum + (share?.granted ?? 0), 0)).toBe(1_000);
  expect(new Set(shares.map((share) => share?.endsAt)).size).toBe(1);
  const left = shares.filter((share) => share?.granted !== 0).map((share) => share?.left as number);
  expect(left.sort((a, b) => b - a)).toEqual([...Array.from({ length: 333 }, (_, i) => 997 - 3 * i), 0]);
});

test('only expired windows are removed in passing', async () => {
  const [database] = databases as [Database];
  const { takeFromWindow } = createRateWindows({ database, background: unobserved });
  const begin = (name: string, at: number) => takeFromWindow(windowOf(name, at), { wanted: 1, used: 0, now: at });
  const count = async () => (await database.query('SELECT count(*) AS windows FROM rate_windows'))[0]?.windows;
  await database.query('DELETE FROM rate_windows');
  for (let i = 0; i < 199; i++) await begin(`old ${i}`, now);
  expect(await count()).toBe(199);
  const later = now + 3 * minute;
  await begin('new', later);
  await expect.poll(count).toBe(1);
  expect((await begin('new', later)).left).toBe(998);
});
