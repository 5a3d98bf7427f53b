/** PostgreSQL stops, crashes and restarts under a running service. @see docs/contract.md §11.3 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type PostgresCluster,
  startPostgres,
} from '../../packages/server/src/storage/postgres/fixtures/cluster.fixture.ts';
import { startUnhindered } from '../../tooling/readings.ts';
import type { Answer } from '../support/client.ts';
import { type Project, startServer, type TestServer } from '../support/server.ts';

/** The five seconds that the contract promises, and fifteen more for a busy machine. */
const secondsMax = 20;
let cluster: PostgresCluster;
let server: TestServer;
let project: Project;
beforeAll(async () => {
  cluster = await startPostgres();
  const databaseUrl = await cluster.createDatabase();
  const secretKey = randomBytes(32).toString('base64');
  server = await startServer({ settings: { SVC_DATABASE_URL: databaseUrl, SVC_SECRET_KEY: secretKey } });
});
afterAll(async () => {
  await server.stop();
  await cluster.dispose();
});

const ready = () => server.call('GET', '/readyz');
const document = (environment: string) => `${project.path}/public-state/${environment}`;
const read = (environment: string) => server.call('GET', document(environment), { headers: project.developer.bearer });
const create = (environment: string) =>
  server.call('PUT', document(environment), {
    headers: { ...project.developer.bearer, 'If-None-Match': '*' },
    body: { state: {} },
  });

test.each(['fast', 'immediate', 'kill'] as const)(
  'when PostgreSQL stops (%s), requests are 503, and work again after its start',
  async (mode) => {
    project = await server.newProject();
    expect((await create('staging')).status).toBe(200);
    await cluster.stop(mode);
    const elapsed = startUnhindered('self');
    const refused = [503, '5', expect.objectContaining({ error: 'service_unavailable' })];
    const seen = ({ status, headers, json }: Answer) => [status, headers['retry-after'], json];
    expect((await Promise.all([read('staging'), create('development')])).map(seen)).toEqual([refused, refused]);
    // The result of the last probe may be repeated once.
    await expect.poll(async () => seen(await ready())).toEqual(refused);
    expect(elapsed()).toBeLessThan(secondsMax * 1_000);
    expect((await server.call('GET', '/healthz')).status).toBe(200);

    await cluster.start();
    await expect.poll(async () => (await ready()).status).toBe(200);
    expect((await read('staging')).json).toMatchObject({ version: 1, state: {} });
    expect((await create('development')).json).toMatchObject({ version: 1 }); // the previous one left nothing behind
  },
);
