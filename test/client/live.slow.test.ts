/** Live changes over buffered or cut connections, against a real server. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startUnhindered } from '../../tooling/readings.ts';
import { count, counted, cutRepeatedly, type Doc, listen, versions } from './live.fixture.ts';
import { type ClientWorld, openClientWorld } from './world.ts';

let world: ClientWorld;
beforeAll(async () => {
  world = await openClientWorld();
});
afterAll(() => world.server.stop());

/** A proxy that buffers a stream until it ends. */
async function startBufferingProxy(target: string): Promise<string> {
  const proxy = createServer(({ method = '', headers, url = '' }, response) => {
    const onward = request(new URL(url, target), { method, headers, agent: false }, async (answer) => {
      const body = await buffer(answer).catch(() => undefined);
      if (body !== undefined) response.writeHead(answer.statusCode ?? 500, answer.headers).end(body);
    }).end();
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

describe('a connection', () => {
  test('buffered by a proxy shows the document immediately, and becomes a long poll', async () => {
    const project = await world.newProject();
    const { counts, fetch } = counted();
    const baseUrl = await startBufferingProxy(world.server.baseUrl);
    const writer = await world.clientOf<{ publicState: Doc }>(project);
    await writer.publicState.update(count);
    const elapsed = startUnhindered('self');
    const seen = listen(await world.clientOf<{ publicState: Doc }>(project, { baseUrl, fetch }));
    await expect.poll(() => seen.at(-1)?.version).toBe(1);
    expect(elapsed()).toBeLessThan(4_000);
    await writer.publicState.update(count);
    await expect.poll(() => seen.at(-1)?.version).toBe(2);
    expect([versions(seen), counts.streams]).toEqual([[1, 2], 1]);
  });

  test('cut repeatedly loses no version and repeats none', async () => {
    const [writes, cuts] = process.env.HOLDFAST_CLIENT_FULL ? [5_000, 200] : [300, 12];
    await cutRepeatedly(world, writes, cuts);
  }, 600_000);
});
