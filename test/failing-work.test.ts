/** Failures in background work and internal errors: the operator sees both in the log and the metrics. */
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { databasePath } from '../packages/server/src/storage/sqlite/directory/database.ts';
import { startServer } from './support/server.ts';

/** Starts a server that logs to `lines`; also returns a direct connection to its database. */
async function startLogged() {
  const lines: Record<string, unknown>[] = [];
  const logOutput = { write: (line: string) => void lines.push(JSON.parse(line)), close: async () => {} };
  const server = await startServer({ settings: { SVC_LOG_LEVEL: 'info', SVC_METRICS_PORT: '0' }, logOutput });
  const database = new DatabaseSync(databasePath(server.place.dataDir), { timeout: 30_000 });
  onTestFinished(async () => {
    database.close();
    await server.stop();
  });
  const metric = async (name: string): Promise<number> => {
    const page = await (await fetch(server.running.metricsUrl as string)).text();
    const line = page.split('\n').find((one) => one.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1));
  };
  return { server, lines, database, metric };
}

test('a failing sweep is logged and counted, and the service stays ready', async () => {
  const { server, lines, database, metric } = await startLogged();
  const failures = 'holdfast_background_failures_total{task="sweep"}';
  expect(await metric(failures)).toBe(0);
  database.exec(
    `ALTER TABLE passkeys RENAME TO hidden; INSERT INTO orphans (kind, account_id) VALUES ('account', 'acc_gone')`,
  );
  const ofSweep = () => lines.filter(({ task }) => task === 'sweep');
  await vi.waitFor(async () => expect(await metric(failures)).toBeGreaterThan(1), { timeout: 60_000 });
  expect(ofSweep()).toMatchObject([
    { level: 'error', failures: 1, error: { message: expect.stringContaining('passkeys') } },
  ]);
  expect((await server.call('GET', '/readyz')).status).toBe(200);
  database.exec('ALTER TABLE hidden RENAME TO passkeys');
  await vi.waitFor(() => expect(ofSweep()).toHaveLength(2), { timeout: 60_000 });
  expect(ofSweep()[1]).toMatchObject({ level: 'info', msg: 'background work succeeds again' });
});

test('a constraint violation is a 500 with a line in the log, and does not ask for a repeat', async () => {
  const { server, lines, database, metric } = await startLogged();
  const { path, developer } = await server.newProject();
  database.exec(`CREATE TRIGGER refuse BEFORE INSERT ON public_state_versions BEGIN SELECT RAISE(ABORT, 'refused'); END`);
  const put = () =>
    server.call('PUT', `${path}/public-state/staging`, {
      headers: { ...developer.bearer, 'If-None-Match': '*' },
      body: { state: {} },
    });
  const refused = await put();
  expect([refused.status, refused.headers['retry-after']]).toEqual([500, undefined]);
  expect(refused.json).toMatchObject({ error: 'internal_error' });
  const requestId = refused.headers['x-request-id'];
  expect(lines.find((line) => line.requestId === requestId && line.level === 'error')).toMatchObject({
    error: { type: 'StoreFault', cause: { message: 'refused' } },
  });
  expect(await metric('holdfast_http_refusals_total{code="internal_error"}')).toBe(1);
  expect(await metric('holdfast_store_write_failures_total')).toBe(1);
  database.exec('DROP TRIGGER refuse');
  expect((await put()).status).toBe(200);
});
