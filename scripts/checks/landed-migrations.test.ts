import { describe, expect, it } from 'vitest';
import { migrations as postgres } from '../../packages/server/src/storage/postgres/schema/migrations.ts';
import type { SharedTable } from '../../packages/server/src/storage/sql/schema/declaration.ts';
import {
  type Migration,
  migrationsOf,
  postgresDialect,
  sqliteDialect,
} from '../../packages/server/src/storage/sql/schema/migrations.ts';
import { newestMigration } from '../../packages/server/src/storage/sql/schema/releases.ts';
import { sharedTables } from '../../packages/server/src/storage/sql/schema/tables.ts';
import { migrations as sqlite } from '../../packages/server/src/storage/sqlite/schema/migrations.ts';
import { type Engine, findChanged, findLong, findUnpinned } from './landed-migrations.ts';

const engines = { sqlite: [sqlite, sqliteDialect], postgres: [postgres, postgresDialect] } as const;
const names = Object.keys(engines) as Engine[];
const declared: Readonly<Record<string, SharedTable>> = sharedTables;

/** The migrations of an engine for another declaration of some tables. */
function withTables(engine: Engine, changed: Readonly<Record<string, SharedTable>>): Migration[] {
  const [migrations, dialect] = engines[engine];
  const now = migrationsOf(dialect, {});
  const then = migrationsOf(dialect, {}, { ...declared, ...changed });
  // The generated part is at the end of each.
  const own = migrations.map((migration, index) => {
    const made = now[index]?.sql ?? '';
    return { ...migration, sql: migration.sql.slice(0, migration.sql.length - made.length) };
  });
  return own.map((migration, index) => ({ ...migration, sql: migration.sql + then[index]?.sql }));
}

/** A deliberate change of the declaration, and the migration that must reveal it. */
const { projects, users, version_floors: floors } = declared as Record<string, SharedTable>;
const plants: readonly (readonly [string, number, Readonly<Record<string, SharedTable>>])[] = [
  [
    'a column without a version',
    1,
    { projects: { ...projects, columns: { ...projects?.columns, planted_by_a_test: 'text?' } } as SharedTable },
  ],
  [
    'an index without a version',
    1,
    { users: { ...users, indexes: { ...users?.indexes, users_by_name: '(name)' } } as SharedTable },
  ],
  ['another type', 1, { projects: { ...projects, columns: { ...projects?.columns, created_at: 'text' } } as SharedTable }],
  ['another key', 1, { version_floors: { ...floors, key: ['slug', 'account_id', 'environment'] } as SharedTable }],
  [
    'another default',
    2,
    {
      projects: {
        ...projects,
        columns: { ...projects?.columns, protected_environments: { since: 2, type: 'text', default: '' } },
      } as SharedTable,
    },
  ],
];

describe.each(names)('the migrations of %s', (engine) => {
  it('match the landed ones', () => {
    expect(findChanged(engine)).toEqual([]);
    expect(withTables(engine, {})).toEqual(engines[engine][0]);
  });

  it.each(plants)('are reported as changed by %s', (_what, number, changed) => {
    expect(findChanged(engine, withTables(engine, changed))).toEqual([
      expect.stringMatching(new RegExp(`^migration ${number} of ${engine} has changed, and databases were made with it`)),
    ]);
  });

  it('may include a new one, which the check asks to pin', () => {
    const next = {
      number: newestMigration + 1,
      sql: 'ALTER TABLE projects ADD COLUMN planted_by_a_test text;',
      program: '9.0.0',
      opensWith: 1,
    };
    const all = [...engines[engine][0], next];
    expect(findChanged(engine, all)).toEqual([]);
    expect(findUnpinned(engine, all).at(-1)).toMatch(
      new RegExp(`^migration ${newestMigration + 1} of ${engine} is new.* "${engine}: '[0-9a-f]{64}'"`),
    );
  });

  it('must be listed', () => {
    const columns = { ...projects?.columns, planted_by_a_test: { since: 99, type: 'text?' } };
    expect(() => withTables(engine, { projects: { ...projects, columns } as SharedTable })).toThrow(
      'migration 99 is not among',
    );
  });

  it('are never fewer', () => {
    expect(findChanged(engine, engines[engine][0].slice(0, -1))).toEqual([
      `migration ${newestMigration} of ${engine} is gone`,
    ]);
  });
});

describe('the steps over PostgreSQL', () => {
  const found = (sql: string) => findLong([{ number: 9, sql, program: '9.0.0', opensWith: 1 }]);

  it('are no slower for many rows', () => {
    expect(findLong()).toEqual([]);
  });

  it.each([
    "ALTER TABLE user_states ADD COLUMN place text NOT NULL DEFAULT 'here';",
    'CREATE TABLE moves (\n  account_id text NOT NULL,\n  PRIMARY KEY (account_id)\n);\nCREATE INDEX moves_by_account ON moves (account_id);',
    'CREATE INDEX projects_by_name ON projects (name);',
    "-- Said once; and again.\nUPDATE developers SET role = 'owner';",
  ])('may contain %j', (sql) => {
    expect(found(sql)).toEqual([]);
  });

  it.each([
    'CREATE INDEX user_states_by_time ON user_states (updated_at);',
    "UPDATE refresh_families SET place = 'here';",
    'INSERT INTO users SELECT * FROM end_users;',
    'ALTER TABLE end_users ALTER COLUMN environments SET NOT NULL;',
    'ALTER TABLE user_states ADD COLUMN id uuid DEFAULT gen_random_uuid();',
    'CREATE TABLE copies AS SELECT * FROM user_states;',
  ])('may not contain %j', (sql) => {
    expect(found(sql)).toEqual([expect.stringContaining('migration 9 takes longer the more rows a table has')]);
  });
});
