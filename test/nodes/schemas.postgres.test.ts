/** A schema that is written at one node, and writes at another one. @see docs/contract.md §5.6 */
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

test('whoever has got the response to a schema is judged by it at every node', { timeout: 60_000 }, async () => {
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
