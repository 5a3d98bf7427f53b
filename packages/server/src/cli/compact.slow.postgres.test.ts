/** `holdfast compact`, run by an operator beside a running service, and on a database of an earlier release. */
import { readdirSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasePath } from '../storage/sqlite/directory/database.ts';
import type { Ended } from './command.fixture.ts';
import { createStage, type Stage } from './migrate-store/stage.fixture.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await createStage();
});
afterAll(() => stage.remove());

const json = async (args: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
  const { code, stdout, stderr } = await stage.sandbox.run([...args, '--json'], environment);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
};

/** Runs SQL in the database file, even while others have it open. */
function inFile(sql: string): void {
  const database = new DatabaseSync(databasePath(stage.source), { timeout: 10_000 });
  database.exec(sql);
  database.close();
}

const mebibyte = 1024 * 1024;
const fileBytes = () => statSync(databasePath(stage.source)).size;
/** Leaves 24 MB unused. */
const leaveRoom = () =>
  inFile(
    `CREATE TABLE room (content BLOB); INSERT INTO room SELECT zeroblob(8000) FROM generate_series(1, 3000);
    DROP TABLE room; PRAGMA wal_checkpoint(TRUNCATE)`.replace('generate_series(1, 3000)', `(${threeThousand})`),
  );
const threeThousand =
  'WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000) SELECT n FROM numbers';

describe('holdfast compact', () => {
  it('frees disk space while the service reads and writes, and asks to rewrite an older database once', {
    timeout: 180_000,
  }, async () => {
    const { sandbox: workplace, source } = stage;
    let server = await workplace.serve();
    const { accountId, developerToken } = await json(['account', 'create', '--name', 'Roomy']);
    const answer = async (method: string, path: string, body?: object, condition = {}) =>
      fetch(`http://127.0.0.1:${workplace.environment.SVC_PORT}/v1/${accountId}${path}`, {
        method,
        headers: { authorization: `Bearer ${developerToken}`, 'content-type': 'application/json', ...condition },
        ...(body && { body: JSON.stringify(body) }),
      });
    expect((await answer('POST', '/projects', { slug: 'a' })).status).toBe(201);
    leaveRoom();
    const full = fileBytes();
    expect(full).toBeGreaterThan(23 * mebibyte);
    const compacting = json(['compact']);
    let isDone = false;
    void compacting.finally(() => {
      isDone = true;
    });
    for (let written = 0; !isDone; written++) {
      const condition = written === 0 ? { 'if-none-match': '*' } : { 'if-match': `"${written}"` };
      const put = await answer('PUT', '/projects/a/public-state/staging', { state: { written } }, condition);
      expect(put.status).toBe(200);
    }
    const { before, after } = await compacting;
    expect(before.unusedBytes).toBeGreaterThan(23 * mebibyte);
    expect(after.unusedBytes).toBeLessThan(mebibyte);
    await expect.poll(fileBytes).toBeLessThan(full - 20 * mebibyte);
    expect((await answer('GET', '/projects/a/public-state/staging')).status).toBe(200);

    await server.stop();
    inFile('PRAGMA auto_vacuum = NONE; VACUUM'); // as 0.1.0 creates it
    leaveRoom();
    server = await workplace.serve();
    const refusal = async (...args: string[]): Promise<Ended> => workplace.run(['compact', ...args]);
    expect(await refusal()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/stop the service, run "holdfast compact --rewrite"/),
    });
    expect(await refusal('--rewrite')).toMatchObject({ code: 1, stderr: expect.stringMatching(/a service uses/) });
    await server.stop();
    expect(await refusal()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/earlier release.*\n.*run "holdfast compact --rewrite"/),
    });
    const rewritten = await json(['compact', '--rewrite']);
    expect(rewritten).toMatchObject({ engine: 'sqlite', rewritten: true, after: { unusedBytes: 0 } });
    expect(fileBytes()).toBe(rewritten.after.bytes);
    expect(readdirSync(source).filter((name) => /etilqs|vacuum/.test(name))).toEqual([]);
    expect(await stage.faults(source)).toEqual([]);
    const { code, stdout } = await workplace.run(['compact']);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Before .* 0 bytes are unused\nAfter .* 0 bytes are unused\n$/),
    ]);
  });

  it('vacuums every table over PostgreSQL beside nodes, and has no other mode there', async () => {
    const { url } = stage;
    const environment = { SVC_DATABASE_URL: url, SVC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') };
    await stage.use(url, async (store) => {
      await store.createAccount({ accountId: 'acc_1', name: 'n', idpTenantId: 't', createdAt: 1 });
      const { engine, before, after, tables } = await json(['compact'], environment);
      expect([engine, after.bytes > 0, before.bytes > 0]).toEqual(['postgresql', true, true]);
      expect(tables.map(({ table }: { table: string }) => table)).toEqual(
        expect.arrayContaining(['accounts', 'user_states', 'public_state_versions']),
      );
    });
    const vacuumed = async () =>
      (await stage.runSql('SELECT relname FROM pg_stat_user_tables WHERE vacuum_count = 0')).map(({ relname }) => relname);
    await expect.poll(vacuumed).toEqual([]);
    expect(await stage.sandbox.run(['compact', '--rewrite'], environment)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/VACUUM FULL/),
    });
  });
});
