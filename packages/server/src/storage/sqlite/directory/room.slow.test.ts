import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { migrate, migrations } from '../schema/migrations.ts';
import { temporary } from '../temporary.fixture.ts';
import { databasePath, openForWriting } from './database.ts';
import { roomFor } from './room.ts';

const at = temporary();
const mebibyte = 1024 * 1024;

test('the upgrade of a large database takes about as much disk beside its copy as estimated, and never more', () => {
  const dataDir = at.directory();
  const path = databasePath(dataDir);
  const database = openForWriting(path);
  migrate(database, migrations.slice(0, 1), 5);
  const state = JSON.stringify({ text: 'x'.repeat(100) });
  database.exec(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
    INSERT INTO user_states (project_id, environment, version, updated_at, state_bytes, end_user_id, state)
    SELECT 1 + i % 3, 0, 1, 5, 113, json_quote('player-' || i || hex(randomblob(12))), '${state}' FROM n;
    PRAGMA wal_checkpoint(TRUNCATE)`);
  const pending = migrations.slice(1);
  const before = statSync(path).size;
  const room = roomFor(database, dataDir, pending, true);
  expect(room.copyBytes).toBe(before);
  expect(roomFor(database, dataDir, pending, false).copyBytes).toBe(0);
  migrate(database, pending, 6);
  const log = statSync(`${path}-wal`).size;
  database.close();
  const taken = log + statSync(path).size - before;
  expect(taken).toBeGreaterThan(4 * mebibyte);
  expect(taken).toBeLessThan(room.logBytes);
  expect(room.logBytes).toBeLessThan(2 * taken);
});
