/** Receivers that are slow, dead, endless, or lead elsewhere: none keeps events from others, and none makes the service follow. */

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAuthority } from '../../packages/server/src/cli/doctor/network.fixture.ts';
import { byOperator } from '../../packages/server/src/storage/store-suite/records.fixture.ts';
import { type Project, startServer, type TestServer } from '../support/server.ts';
import { deliveriesOf, type Made, newWebhook, openReceiver, type Receiver, replyWith } from './webhook-receiver.ts';

let server: TestServer;
const receivers: Receiver[] = [];
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  for (const receiver of receivers) await receiver.close();
  await server?.stop();
});

async function receiverOf(project: Project): Promise<{ readonly receiver: Receiver; readonly made: Made }> {
  const receiver = await openReceiver();
  receivers.push(receiver);
  return { receiver, made: await newWebhook(server, project, { url: receiver.url, events: ['api_key.created'] }) };
}

const send = ({ path }: Made, { developer: { bearer: headers } }: Project) =>
  server.call('POST', `${path}/test`, { headers });

test('a redirect is a failure, and is not followed', async () => {
  const project = await server.newProject();
  const { receiver: elsewhere } = await receiverOf(project);
  const { receiver, made } = await receiverOf(project);
  receiver.respond = (response) => void response.writeHead(307, { Location: elsewhere.url }).end();
  await send(made, project);
  await expect.poll(() => deliveriesOf(server, project, made)).toMatchObject([{ status: 'waiting', responseStatus: 307 }]);
  expect(elsewhere.received).toEqual([]);
});

test('an endless response is read a little, and its status counts', async () => {
  const project = await server.newProject();
  const { receiver, made } = await receiverOf(project);
  const ended = Promise.withResolvers<number>();
  receiver.respond = async (response) => {
    let bytes = 0;
    response.on('close', () => ended.resolve(bytes));
    response.writeHead(200);
    while (!response.destroyed && bytes < 2 ** 28) {
      bytes += 65_536;
      if (!response.write(Buffer.alloc(65_536)))
        await Promise.race([sleep(20), new Promise((drained) => response.once('drain', drained))]);
    }
  };
  await send(made, project);
  await expect
    .poll(() => deliveriesOf(server, project, made))
    .toMatchObject([{ status: 'delivered', responseStatus: 200 }]);
  // What the kernel holds of it was sent too.
  expect(await ended.promise).toBeLessThan(2 ** 25);
});

test('a receiver with a certificate of an unknown authority gets no request, even in an opened network', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-authority-'));
  const authority = await createAuthority(folder);
  let [connections, requests] = [0, 0];
  const receiver = createServer(await authority.issue(9), (_request, response) => {
    requests += 1;
    response.end();
  });
  receiver.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const project = await server.newProject();
  const { accountId } = project.developer;
  await server.running.store.writeWebhookNetworks(byOperator, accountId, ['127.0.0.0/8']);
  const url = `https://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const made = await newWebhook(server, project, { url, events: ['api_key.created'] });
  await send(made, project);
  await expect
    .poll(() => deliveriesOf(server, project, made))
    .toMatchObject([{ status: 'waiting', responseStatus: null, milliseconds: expect.any(Number) }]);
  expect([connections, requests]).toEqual([1, 0]);
  receiver.close();
  rmSync(folder, { recursive: true });
});

test('a receiver that takes its time gets four requests at a time, and others get theirs meanwhile', async () => {
  const [slowProject, project] = [await server.newProject(), await server.newProject()];
  const { receiver: slow, made: slowMade } = await receiverOf(slowProject);
  const { receiver, made } = await receiverOf(project);
  const held = Promise.withResolvers<void>();
  slow.respond = (response) => void held.promise.then(() => response.writeHead(204).end());
  for (let n = 0; n < 10; n++) await send(slowMade, slowProject);
  await expect.poll(() => slow.load.now).toBe(4);
  await send(made, project);
  await receiver.next();
  expect(slow.received.length).toBe(4);
  held.resolve();
  await expect.poll(() => slow.received.length).toBe(10);
  expect(slow.load.max).toBe(4);
});

test('a receiver that never responds has failed after fifteen seconds, and one that is gone at once', async () => {
  const project = await server.newProject();
  const { receiver, made } = await receiverOf(project);
  receiver.respond = () => undefined;
  const dead = await newWebhook(server, project, { url: 'http://127.0.0.1:9', events: ['api_key.created'] });
  await Promise.all([send(made, project), send(dead, project)]);
  // A busy machine may have begun another try before this looks.
  const failed = { status: 'waiting', responseStatus: null, milliseconds: expect.any(Number) };
  await expect.poll(() => deliveriesOf(server, project, dead)).toMatchObject([failed]);
  await expect.poll(() => deliveriesOf(server, project, made)).toMatchObject([failed]);
  receiver.respond = replyWith(204);
});
