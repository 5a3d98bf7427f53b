import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { leaseDatabase } from '../fixtures/leases.fixture.ts';
import { openPostgresStore } from '../store.ts';

const delayMilliseconds = 3_000;

/** Returns the address of the database behind a network on which every connection takes three seconds. */
async function slowUrl(databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl);
  const { hostname: host, port } = url;
  const server = createServer(async (socket) => {
    socket.on('error', () => {});
    await sleep(delayMilliseconds);
    const database = connect({ host, port: Number(port) }).on('error', () => {});
    socket.pipe(database).pipe(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return url.href;
}

test('a store opens over a slow connection if answers may take as long', async () => {
  const lease = await leaseDatabase();
  onTestFinished(() => lease.release());
  const url = await slowUrl(lease.url);
  await expect(openPostgresStore({ url })).rejects.toThrow('cannot use the database');
  const store = await openPostgresStore({ url, answerMilliseconds: 30_000 });
  expect(await store.isEmpty()).toBe(true);
  await store.close();
});
