/** A schema saved on one node applies to writes on another. @see docs/contract.md §5.6 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let other: TestServer;
beforeAll(async () => {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  server = await startServer({ settings: { SVC_PORT: String(port), SVC_BASE_URL: baseUrl } });
  const settings = { SVC_PORT: String(await freePort()), SVC_BASE_URL: baseUrl };
  other = await startServer({ place: server.place, settings });
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});

test('a schema deleted during writes at both nodes refuses no write after the response', {
  timeout: 180_000,
}, async () => {
  const project = await server.newProject();
  const { bearer } = project.developer;
  const schemaPath = `${project.path}/schemas/production/user-state`;
  const body = { mode: 'enforce', schema: { required: ['never'] } };
  const absent = { 'If-None-Match': '*' };
  expect((await server.call('PUT', schemaPath, { headers: { ...bearer, ...absent }, body })).status).toBe(200);
  let players = 0;
  const write = (node: TestServer) =>
    node.call('PATCH', `${project.path}/user-states/production/player-${++players}`, {
      headers: { ...bearer, ...absent },
      body: { ops: [{ op: 'add', path: '/n', value: 1 }] },
    });
  let isOver = false;
  const statuses = new Set<number>();
  for (const node of [server, other]) expect((await write(node)).status).toBe(400);
  const writers = [server, other].map(async (node) => {
    while (!isOver) statuses.add((await write(node)).status);
  });
  const removed = await server.call('DELETE', schemaPath, { headers: { ...bearer, 'If-Match': '"1"' } });
  expect(removed.status).toBe(204);
  const after = await Promise.all([write(server), write(other), write(server), write(other)]);
  expect(after.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  isOver = true;
  await Promise.all(writers);
  expect([...statuses].filter((status) => status !== 200 && status !== 400)).toEqual([]);
});

test('a newly enforced check of flags applies at the other node within a second', async () => {
  const project = await server.newProject();
  const { bearer } = project.developer;
  const wrong = { flags: { shop: { state: 'ENABLED', variants: { on: true }, defaultVariant: 'off' } } };
  let version = 0;
  const write = async (node: TestServer) => {
    const precondition = version === 0 ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` };
    const path = `${project.path}/public-state/production`;
    const { status } = await node.call('PUT', path, { headers: { ...bearer, ...precondition }, body: { state: wrong } });
    if (status === 200) version += 1;
    return status;
  };
  expect(await write(other)).toBe(200);
  const body = { flagsCheck: 'enforce' };
  expect((await server.call('PATCH', project.path, { headers: bearer, body })).status).toBe(200);
  expect(await write(server)).toBe(400);
  await expect.poll(() => write(other)).toBe(400);
});

test('a schema applies at every node to writes after its response', async () => {
  const project = await server.newProject();
  const { bearer } = project.developer;
  const schemaPath = `${project.path}/schemas/production/public-state`;
  const statePath = `${project.path}/public-state/production`;
  const absent = { 'If-None-Match': '*' };
  const first = await other.call('PUT', statePath, { headers: { ...bearer, ...absent }, body: { state: { n: 0 } } });
  expect(first.status).toBe(200);
  let version = 1;
  for (let round = 1; round <= 6; round++) {
    const precondition: Record<string, string> = round === 1 ? absent : { 'If-Match': `"${round - 1}"` };
    const schema = { properties: { n: { const: round } } };
    const headers = { ...bearer, ...precondition };
    const written = await server.call('PUT', schemaPath, { headers, body: { mode: 'enforce', schema } });
    expect(written.status).toBe(200);
    const write = (n: number) =>
      other.call('PUT', statePath, { headers: { ...bearer, 'If-Match': `"${version}"` }, body: { state: { n } } });
    expect((await write(round - 1)).status).toBe(400);
    expect((await write(round)).status).toBe(200);
    version++;
  }
});
