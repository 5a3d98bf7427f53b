/** Webhooks of two nodes on one database: an event whose sender was killed is sent by the other node, unchanged. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectPath } from '../../tooling/credentials.ts';
import type { Node } from '../../tooling/node-stage.ts';
import { deliveriesOf, isVerified, newWebhook, openReceiver, type Receiver, replyWith } from '../http/webhook-receiver.ts';
import { call } from '../support/client.ts';
import { type NodesWorld, openNodes, startClock } from './world.ts';

/** Within this time, another node takes over. */
const takeOverMilliseconds = 30_000;

let world: NodesWorld;
let receiver: Receiver;
beforeAll(async () => {
  world = await openNodes({ nodes: 2 });
  receiver = await openReceiver();
});
afterAll(async () => {
  await receiver?.close();
  await world?.close();
});

const through = ({ baseUrl }: Node) => ({
  call: (...[method, path, options]: Parameters<typeof call> extends [string, ...infer Rest] ? Rest : never) =>
    call(baseUrl, method, path, options),
});

test('a node killed between sending and storing the result is replaced, with the same id and body', async () => {
  const [sender, other] = world.nodes as [Node, Node];
  const bearer = { Authorization: `Bearer ${world.credentials.developerToken}` };
  const project = { path: projectPath(world.credentials), developer: { bearer } };
  // Only one node can be the first to send.
  await other.kill();
  const made = await newWebhook(through(sender), project, { url: receiver.url, events: ['api_key.created'] });
  receiver.respond = () => undefined;
  const created = await call(sender.baseUrl, 'POST', `${project.path}/api-keys`, {
    headers: bearer,
    body: { name: 'new' },
  });
  expect(created.status).toBe(201);
  const first = await receiver.next();
  await other.start();
  receiver.respond = replyWith(204);
  await sender.kill();
  const elapsed = startClock();
  await expect.poll(() => receiver.received.length).toBe(2);
  expect(elapsed()).toBeLessThan(takeOverMilliseconds);
  const second = receiver.received[1] as typeof first;
  expect([second.id, second.body]).toEqual([first.id, first.body]);
  expect(isVerified(made.secret, second)).toBe(true);
  await expect
    .poll(() => deliveriesOf(through(other), project, made))
    .toMatchObject([{ id: first.id, status: 'delivered', attempts: 2, responseStatus: 204 }]);
});
