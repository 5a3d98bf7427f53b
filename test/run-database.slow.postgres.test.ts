import { expect, test } from 'vitest';
import { isAnswering } from '../packages/server/src/storage/postgres/fixtures/databases.fixture.ts';
import { closeRunDatabases, openRunDatabase } from '../tooling/database.ts';

test('a run that has closed its databases can open another', async () => {
  await openRunDatabase();
  await closeRunDatabases();
  const { url } = await openRunDatabase();
  try {
    expect(await isAnswering(url)).toBe(true);
  } finally {
    await closeRunDatabases();
  }
});
