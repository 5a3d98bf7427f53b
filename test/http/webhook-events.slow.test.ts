/** Events at the bounds: large ones, many that wait, those of a changed secret, and those that the service would send to itself. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Project, startServer, type TestServer } from '../support/server.ts';
import {
  deliveriesOf,
  isVerified,
  type Made,
  newWebhook,
  openReceiver,
  type Receiver,
  replyWith,
} from './webhook-receiver.ts';

/** The most bytes that a receiver must take. */
const eventBytesMax = 65_536;
const waitingMax = 10_000;

let server: TestServer;
let receiver: Receiver;
let project: Project;
let headers: Project['developer']['bearer'];
beforeAll(async () => {
  server = await startServer();
  receiver = await openReceiver();
  project = await server.newProject();
  headers = project.developer.bearer;
});
afterAll(async () => {
  await receiver?.close();
  await server?.stop();
});

const call = (method: string, path: string, body?: object) => server.call(method, path, { headers, body });
const webhookTo = (url: string, ...events: string[]) => newWebhook(server, project, { url, events });
const retry = async (made: Made) => {
  const [waiting] = await deliveriesOf(server, project, made);
  return call('POST', `${made.path}/deliveries/${waiting?.id}/retry`);
};

test('an event stays below 64 KiB, however large the change and its comment are', async () => {
  const made = await webhookTo(receiver.url, 'public_state.changed');
  const put = (version: number, state: object) =>
    server.call('PUT', `${project.path}/public-state/production`, {
      headers: { ...headers, ...(version === 0 ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` }) },
      body: { state, comment: '€'.repeat(1_000) },
    });
  const eventTo = (version: number) => receiver.next(({ event }) => event.data.version === version);
  // The operations just fit: each character has three bytes.
  expect((await put(0, { text: '€'.repeat(16_000) })).status).toBe(200);
  const fitting = await eventTo(1);
  expect((await put(1, { text: '€'.repeat(17_000) })).status).toBe(200);
  const tooLarge = await eventTo(2);
  expect(tooLarge.event.data.ops).toBeNull();
  for (const one of [fitting, tooLarge]) {
    expect(isVerified(made.secret, one)).toBe(true);
    expect(Buffer.byteLength(one.body)).toBeLessThan(eventBytesMax);
  }
  await call('DELETE', made.path);
});

test('an event that is tried again after a rotation has the same body, signed with the secrets of that time', async () => {
  const made = await webhookTo(receiver.url, 'api_key.created');
  const isOurs = ({ event }: { readonly event: { readonly type: string } }) => event.type === 'api_key.created';
  receiver.respond = replyWith(500);
  await server.newApiKey(project);
  const first = await receiver.next(isOurs);
  const again = async (count: number) => {
    await expect.poll(async () => (await deliveriesOf(server, project, made))[0]?.attempts).toBe(count - 1);
    await expect.poll(async () => (await retry(made)).status).toBe(202);
    await expect.poll(() => receiver.received.filter(isOurs).length).toBeGreaterThanOrEqual(count);
    return receiver.received.filter(isOurs)[count - 1] as typeof first;
  };
  const rotate = async (body: object) => {
    const { json } = await call('POST', `${made.path}/secret`, body);
    return (json as { secret: string }).secret;
  };
  const second = await rotate({});
  const signedTwice = await again(2);
  const third = await rotate({ now: true });
  const signedOnce = await again(3);
  const secrets = [made.secret, second, third];
  expect(secrets.map((secret) => isVerified(secret, first))).toEqual([true, false, false]);
  expect(secrets.map((secret) => isVerified(secret, signedTwice))).toEqual([true, true, false]);
  expect(secrets.map((secret) => isVerified(secret, signedOnce))).toEqual([false, false, true]);
  for (const one of [signedTwice, signedOnce]) expect([one.id, one.body]).toEqual([first.id, first.body]);
  receiver.respond = replyWith(204);
  await call('DELETE', made.path);
});

test('a webhook at the service itself is an ordinary request without a credential, and makes no more events', async () => {
  const made = await webhookTo(`${server.baseUrl}${project.path}/api-keys`, 'api_key.created');
  await server.newApiKey(project);
  await expect
    .poll(() => deliveriesOf(server, project, made))
    .toMatchObject([{ type: 'api_key.created', status: 'waiting', responseStatus: 401 }]);
  await call('DELETE', made.path);
});

test('beyond 10,000 waiting events the oldest go, one event says how many, and the webhook is deleted in short steps', async () => {
  const made = await webhookTo('http://127.0.0.1:9/', 'schema.changed');
  await call('PATCH', made.path, { enabled: false });
  const { store } = server.running;
  const key = { accountId: project.developer.accountId, slug: project.slug, webhookId: made.id };
  // All are later than the clock, so that none is tried.
  const later = Date.now() + 86_400_000;
  const add = (n: number) => store.addWebhookTest(key, later + n);
  for (let n = 0; n < waitingMax + 8; n += 8) await Promise.all(Array.from({ length: 8 }, (_, index) => add(n + index)));
  const notices = (await deliveriesOf(server, project, made, '?limit=100')).filter(({ type }) => type === 'events.dropped');
  expect(notices).toMatchObject([{ status: 'waiting', attempts: 0 }]);
  expect((await call('DELETE', made.path)).status).toBe(204);
  expect(await store.clearWebhookDeliveries(key)).toBe(false);
});
