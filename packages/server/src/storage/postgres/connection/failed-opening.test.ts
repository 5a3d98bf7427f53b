import { expect, it } from 'vitest';
import { leaseDatabase } from '../fixtures/leases.fixture.ts';
import { openPostgresStore } from '../store.ts';
import { databaseAddress } from './address.ts';
import { withDatabase } from './database.ts';

it('an opening that fails late leaves no connection', async () => {
  const { url, release } = await leaseDatabase();
  await (await openPostgresStore({ url, answerMilliseconds: 60_000 })).close();
  await withDatabase(databaseAddress(url, 1), async ({ query }) => {
    await query('ALTER TABLE marks RENAME COLUMN value TO damaged');
    await expect(openPostgresStore({ url, answerMilliseconds: 60_000 })).rejects.toThrow('that SVC_DATABASE_URL names');
    await query('ALTER TABLE marks RENAME COLUMN damaged TO value');
    // A row for each other connection. The server notices the end of one a little later.
    const others = () =>
      query('SELECT query FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()');
    await expect.poll(others, { timeout: 60_000 }).toEqual([]);
  });
  await release();
});
