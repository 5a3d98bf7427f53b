import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { faultsOf } from '../inspect/inspect.fixture.ts';
import { appliedMigrations, migrate, migrations } from '../schema/migrations.ts';
import { openSqliteStore } from '../store.ts';
import { temporary } from '../temporary.fixture.ts';
import { databasePath } from './database.ts';

const at = temporary();
const program = fileURLToPath(new URL('test-processes/killed-upgrade.ts', import.meta.url));

test('an upgrade whose process is killed at any statement is done by the next start, and nothing is lost', async () => {
  const newestSeen = new Set<number>();
  for (let fatal = 1; ; fatal++) {
    const dataDir = at.directory();
    const old = new DatabaseSync(databasePath(dataDir));
    migrate(old, migrations.slice(0, 1), 5);
    old.exec(
      `INSERT INTO accounts (account_id, name, idp_tenant_id, created_at, projects) VALUES ('acc_1', '"A"', 't', 1, 0)`,
    );
    old.close();
    const { signal, status, stderr } = spawnSync(process.execPath, [program, dataDir, String(fatal)], { encoding: 'utf8' });
    if (signal === null) {
      expect([status, stderr]).toEqual([0, '']);
      // Past the copy, the migration and its COMMIT.
      expect(fatal).toBeGreaterThan(10);
      break;
    }
    expect(signal).toBe('SIGKILL');
    const left = new DatabaseSync(databasePath(dataDir));
    newestSeen.add(appliedMigrations(left).at(-1)?.number ?? 0);
    left.close();
    const store = await openSqliteStore({ dataDir });
    expect(await store.findAccount('acc_1')).toMatchObject({ name: 'A' });
    await store.close();
    expect(await faultsOf(dataDir)).toEqual([]);
    const beside = readdirSync(dataDir).filter((name) => name.includes('.before-'));
    expect(beside.length, `${fatal}: ${beside}`).toBeLessThanOrEqual(2);
  }
  // A kill leaves whole migrations only. The very last statement is the COMMIT of the last one.
  expect([...newestSeen]).toEqual(migrations.slice(0, -1).map(({ number }) => number));
}, 60_000);
