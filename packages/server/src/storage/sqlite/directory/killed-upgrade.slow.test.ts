import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { faultsOf } from '../inspect/inspect.fixture.ts';
import { appliedMigrations, migrate, migrations } from '../schema/migrations.ts';
import { openSqliteStore } from '../store.ts';
import { temporary } from '../temporary.fixture.ts';
import { databasePath } from './database.ts';

const at = temporary();
const program = fileURLToPath(new URL('test-processes/killed-upgrade.ts', import.meta.url));
/** Parallel upgrades. */
const together = 4;

/** Returns a directory with a database as created by 0.1.0, with an account. */
function oldDirectory(): string {
  const dataDir = at.directory();
  const old = new DatabaseSync(databasePath(dataDir), { timeout: 30_000 });
  migrate(old, migrations.slice(0, 1), 5);
  old.exec(
    `INSERT INTO accounts (account_id, name, idp_tenant_id, created_at, projects) VALUES ('acc_1', '"A"', 't', 1, 0)`,
  );
  old.close();
  return dataDir;
}

/**
 * Upgrades an old database with a process that is killed before the given statement, and then with one that is not. Returns the newest
 * migration that the first one left, or undefined if it ended before the statement.
 */
async function upgradeKilled(fatal: number): Promise<number | undefined> {
  const dataDir = oldDirectory();
  const child = spawn(process.execPath, [program, dataDir, String(fatal)], { stdio: ['ignore', 'ignore', 'pipe'] });
  const said = text(child.stderr);
  const [status, signal] = await once(child, 'close');
  if (signal === null) {
    expect([status, await said]).toEqual([0, '']);
    return undefined;
  }
  expect(signal).toBe('SIGKILL');
  const left = new DatabaseSync(databasePath(dataDir), { timeout: 30_000 });
  const newest = appliedMigrations(left).at(-1)?.number ?? 0;
  left.close();
  const store = await openSqliteStore({ dataDir });
  expect(await store.findAccount('acc_1')).toMatchObject({ name: 'A' });
  await store.close();
  expect(await faultsOf(dataDir)).toEqual([]);
  const beside = readdirSync(dataDir).filter((name) => name.includes('.before-'));
  expect(beside.length, `${fatal}: ${beside}`).toBeLessThanOrEqual(2);
  return newest;
}

test('the next start finishes an upgrade whose process was killed at any second statement, and nothing is lost', async () => {
  const newest: (number | undefined)[] = [];
  // Every other statement, in some runs one half of them and in some the other. At least two lie between one COMMIT and the next.
  const begin = 1 + Math.round(Math.random());
  while (!newest.includes(undefined)) {
    const fatals = Array.from({ length: together }, (_, index) => begin + 2 * (newest.length + index));
    newest.push(...(await Promise.all(fatals.map(upgradeKilled))));
  }
  const left = newest.slice(0, newest.indexOf(undefined));
  // After the copy, the migration and its COMMIT.
  expect(left.length).toBeGreaterThan(10);
  // A kill leaves whole migrations only, each of them at some point. After the last one there is little left to do: it may finish or not.
  const numbers = migrations.map(({ number }) => number);
  expect(numbers.slice(0, -1)).toEqual([...new Set(left)].filter((number) => number !== numbers.at(-1)));
});
