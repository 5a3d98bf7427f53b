/** Overload: the refused requests, their answers, and the requests that continue. @see docs/contract.md §11.3 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { withHeldWrites } from '../support/held-writes.ts';
import { openPlace } from '../support/place.ts';
import { startServer, type TestServer } from '../support/server.ts';

test('while 256 writes are stalled, further ones are refused immediately and not carried out, and reads continue', async () => {
  const place = await openPlace();
  const gate = Promise.withResolvers<void>();
  const server = await startServer({
    place,
    openStore: async () => withHeldWrites(await place.openStore(), () => gate.promise),
  });
  onTestFinished(async () => {
    await server.stop();
    await place.remove();
  });
  const { path, developer } = await server.newProject();
  const document = `${path}/public-state/development`;
  const headers = { ...developer.bearer, 'If-None-Match': '*', 'Content-Type': 'application/json' };
  // Each on a separate connection, like writes of many clients.
  const create = () => fetch(`${server.baseUrl}${document}`, { method: 'PUT', headers, body: '{"state":{}}' });

  const writes = Array.from({ length: 300 }, create);
  const first = await Promise.race(writes);
  expect([first.status, first.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await first.json()).toMatchObject({ error: 'service_unavailable' });
  expect((await server.call('GET', document, { headers: developer.bearer })).status).toBe(204);
  expect((await server.call('GET', '/readyz')).status).toBe(200);
  gate.resolve();
  const statuses = (await Promise.all(writes)).map(({ status }) => status);
  const count = (status: number) => statuses.filter((found) => found === status).length;
  expect([count(200), count(412) + count(503)]).toEqual([1, 299]);
  expect(count(412)).toBeGreaterThanOrEqual(255); // more if some were sent only after the gate opened
  expect((await create()).status).toBe(412);
});

/** Opens a connection that sends a request. */
async function open({ baseUrl }: TestServer, request: string): Promise<Socket> {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write(request);
  return socket;
}

const health = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
const unfinished = 'POST /v1/auth/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n';

test('a connection over the limit is refused with a retry time, and idle ones make room', async () => {
  const server = await startServer({ settings: { SVC_CONNECTIONS_MAX: '4' } });
  onTestFinished(() => server.stop());
  for (let connection = 0; connection < 3; connection++) await open(server, unfinished);
  const idle = await open(server, health);
  await once(idle, 'data');

  const answer = await text(await open(server, health));
  expect(answer).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
  for (const header of ['API-Version: 1', 'Retry-After: 5', 'Connection: close'])
    expect(answer).toContain(`\r\n${header}\r\n`);
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ error: 'service_unavailable' });

  if (!idle.closed) await once(idle, 'close'); // it had no request in progress
  const [next] = (await once(await open(server, health), 'data')) as [Buffer];
  expect(next.toString('latin1')).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});
