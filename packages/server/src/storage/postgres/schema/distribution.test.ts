import { expect, inject, test } from 'vitest';
import type { Row } from '../connection/query.ts';
import { createDatabase } from '../fixtures/databases.fixture.ts';
import { distribute, misplacedTables, previewDistribution } from './distribution.ts';
import { placements } from './placements.ts';

/** A database of several machines with these tables in its catalog. */
const withTables =
  (tables: readonly Row[]) =>
  async (text: string): Promise<readonly Row[]> => {
    if (text.includes('pg_extension')) return [{ extversion: '13.2-1' }];
    if (text.includes('count(*)')) return [{ placed: tables.length }];
    return tables;
  };

const rowOf = (name: string): Row | undefined => {
  const placement = placements[name];
  if (placement === undefined || placement === 'local') return undefined;
  if (typeof placement === 'object') return { name, method: 'h', model: 's', together: 7, column_name: placement.by };
  return { name, method: 'n', model: placement === 'reference' ? 't' : 's', together: 0, column_name: null };
};
const allPlaced = Object.keys(placements)
  .map(rowOf)
  .filter((row) => row !== undefined);

test('a database of several machines whose tables are in place has nothing to place', async () => {
  expect(await misplacedTables(withTables(allPlaced))).toEqual([]);
});

test('tables that are missing, elsewhere or apart from their accounts are named', async () => {
  const changed = allPlaced.flatMap((row) => {
    if (row.name === 'projects' || row.name === 'api_keys') return [];
    if (row.name === 'user_states') return [{ ...row, together: 8 }];
    return [row];
  });
  const elsewhere = { name: 'api_keys', method: 'h', model: 's', together: 9, column_name: 'key_hash' };
  expect(await misplacedTables(withTables([...changed, elsewhere]))).toEqual([
    'user_states (apart instead of by account_id)',
    'projects (on the coordinator instead of a copy on every machine)',
    'api_keys (by key_hash instead of on the coordinator, known to Citus)',
  ]);
});

test('a database that was never distributed has no misplaced tables', async () => {
  expect(await misplacedTables(withTables([]))).toEqual([]);
});

test('without Citus nothing is placed, and the reason says what to do', async () => {
  const url = await createDatabase(inject('postgresUrl'));
  const found = await previewDistribution(url);
  expect(found).toMatchObject({ version: null, steps: [], obstacles: [expect.stringContaining('CREATE EXTENSION citus')] });
  await expect(distribute(url, () => undefined)).rejects.toThrow('CREATE EXTENSION citus');
});
