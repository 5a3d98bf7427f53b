import { expect, it } from 'vitest';
import { leaseDatabase } from '../fixtures/leases.fixture.ts';
import { openPostgresStore } from '../store.ts';
import { databaseAddress } from './address.ts';
import { withDatabase } from './database.ts';

it('an opening that fails late leaves no connection', async () => {
  const { url, release } = await leaseDatabase();
  await (await openPostgresStore({ url, answerMilliseconds: 60_000 })).close();
  await withDatabase(databaseAddress(url, 1), async ({ query }) => {
    // A row for each other connection. One of the leases may be there from before.
    const others = () =>
      query('SELECT pid, query FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()');
    const before = new Set((await others()).map(({ pid }) => pid));
    await query('ALTER TABLE marks RENAME COLUMN value TO damaged');
    await expect(openPostgresStore({ url, answerMilliseconds: 60_000 })).rejects.toThrow('that SVC_DATABASE_URL names');
    await query('ALTER TABLE marks RENAME COLUMN damaged TO value');
    // The server notices the end of a connection a little later.
    const left = async () => (await others()).filter(({ pid }) => !before.has(pid));
    await expect.poll(left, { timeout: 60_000 }).toEqual([]);
  });
  await release();
});
