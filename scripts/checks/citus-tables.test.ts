/** The list of tables for Citus in `docs/scaling.md` has every table of PostgreSQL, once. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrations } from '../../packages/server/src/storage/postgres/schema/migrations.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/scaling.md'), 'utf8');
const part = page.slice(page.indexOf('## Citus'), page.indexOf('## CockroachDB'));
/** They stay on the coordinator. */
const [, coordinator = ''] = /^These remain on the coordinator: ([^.]*)\./m.exec(part) ?? [];

test('the list for Citus has every table, distributed or on the coordinator', () => {
  const sql = migrations.map((migration) => migration.sql).join('\n');
  const tables = [...sql.matchAll(/CREATE (?:UNLOGGED )?TABLE (\w+) \(/g)].map(([, name = '']) => name);
  const placed = [...part.matchAll(/^SELECT create_(?:reference|distributed)_table\('(\w+)'/gm)].map(
    ([, name = '']) => name,
  );
  const kept = [...coordinator.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  expect([...placed, ...kept].filter((name) => name !== 'migrations').sort()).toEqual([...tables].sort());
});
