import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guestGrant, newDevice, nonceOf } from '../../tooling/guest.ts';
import { newMember } from '../support/members.ts';
import { type Project, startServer, type TestServer } from '../support/server.ts';
import { deliveriesOf, isVerified, newWebhook, openReceiver, type Receiver, replyWith } from './webhook-receiver.ts';

const absent = { 'If-None-Match': '*' };

let server: TestServer;
let receiver: Receiver;
let project: Project;
let headers: Readonly<Record<string, string>>;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

async function scene() {
  receiver = await openReceiver();
  project = await server.newProject();
  headers = project.developer.bearer;
}

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { headers, ...(body !== undefined && { body }) });
const webhookOf = async (path: string, id: string) => {
  const { json } = await call('GET', `${path}/webhooks`);
  return (json as { items: { id: string }[] }).items.find((each) => each.id === id);
};

describe('a webhook', () => {
  beforeAll(scene);
  afterAll(() => receiver.close());

  test('sends a test that the official verifier accepts, and shows the delivery', async () => {
    const made = await newWebhook(server, project, { url: receiver.url, events: ['schema.changed'] });
    expect((await call('POST', `${made.path}/test`)).status).toBe(202);
    const received = await receiver.next();
    expect(isVerified(made.secret, received)).toBe(true);
    const { accountId } = project.developer;
    expect(received.event).toMatchObject({ type: 'test', data: { accountId, projectSlug: project.slug } });
    await expect
      .poll(() => deliveriesOf(server, project, made))
      .toMatchObject([{ id: received.id, type: 'test', status: 'delivered', attempts: 1, responseStatus: 204 }]);
    expect(await webhookOf(project.path, made.id)).toMatchObject({
      lastDelivery: { status: 'delivered', responseStatus: 204 },
      disabledReason: null,
    });
    const { json: detail } = await call('GET', `${made.path}/deliveries/${received.id}`);
    expect(detail).toMatchObject({
      id: received.id,
      request: {
        host: new URL(receiver.url).host,
        headers: {
          'user-agent': received.headers['user-agent'],
          'webhook-timestamp': received.headers['webhook-timestamp'],
          'webhook-signature': received.headers['webhook-signature'],
        },
        body: null,
      },
      response: { status: 204 },
    });
    const retried = await call('POST', `${made.path}/deliveries/${received.id}/retry`);
    expect([retried.status, (retried.json as { error: string }).error]).toEqual([409, 'already_delivered']);
  });

  test('shows what the last try has sent until it is delivered, and a bounded head of the response without cookies', async () => {
    const made = await newWebhook(server, project, { url: receiver.url, events: ['schema.changed'] });
    const head = { 'Set-Cookie': 'session=secret', 'X-Short': 'ä', 'X-Long': 'y'.repeat(9_000), 'X-Last': 'z' };
    receiver.respond = (response) => void response.writeHead(500, head).end('a body that nobody keeps');
    await call('POST', `${made.path}/test`);
    await expect.poll(() => deliveriesOf(server, project, made)).toMatchObject([{ responseStatus: 500 }]);
    receiver.respond = replyWith(204);
    const [waiting] = await deliveriesOf(server, project, made);
    const shown = await call('GET', `${made.path}/deliveries/${waiting?.id}`);
    const { request, response } = shown.json as {
      request: { body: string };
      response: { status: number; headers: { name: string; value: string }[] };
    };
    const sent = receiver.received.find(({ id }) => id === waiting?.id);
    expect([request.body, response.status]).toEqual([sent?.body, 500]);
    const kept = response.headers.map(({ name }) => name);
    expect([kept.includes('x-short'), kept.includes('set-cookie'), kept.includes('x-last')]).toEqual([true, false, false]);
    const characters = response.headers.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
    expect(characters).toBe(4_096);
    expect(shown.text).not.toContain('nobody keeps');
    expect((await call('GET', `${made.path}/deliveries/msg_other`)).status).toBe(404);
  });

  test('is listed without its URL and secret, which only the creation shows', async () => {
    const url = `${receiver.url}?token=of-the-receiver`;
    const made = await newWebhook(server, project, { url, events: ['schema.changed'], description: 'CI' });
    const { text } = await call('GET', `${project.path}/webhooks`);
    expect(text).not.toContain('of-the-receiver');
    expect(text).not.toContain(made.secret);
    expect((await call('GET', `/v1/${project.developer.accountId}/audit`)).text).not.toContain('of-the-receiver');
    expect(await webhookOf(project.path, made.id)).toMatchObject({
      host: new URL(url).host,
      description: 'CI',
      environments: null,
      enabled: true,
    });
  });

  test('signs with the old secret too after a rotation, unless that ends now', async () => {
    const made = await newWebhook(server, project, { url: receiver.url, events: ['schema.changed'] });
    const rotate = async (body: object) =>
      ((await call('POST', `${made.path}/secret`, body)).json as { secret: string }).secret;
    const send = async () => {
      const before = receiver.received.length;
      await call('POST', `${made.path}/test`);
      return receiver.next((each) => receiver.received.indexOf(each) >= before);
    };
    const second = await rotate({});
    const signedTwice = await send();
    expect([made.secret, second].map((secret) => isVerified(secret, signedTwice))).toEqual([true, true]);
    const third = await rotate({ now: true });
    const signedOnce = await send();
    expect([second, third].map((secret) => isVerified(secret, signedOnce))).toEqual([false, true]);
  });

  test.each([
    ['http://example.com/hook', 'must begin with https://'],
    ['ftp://127.0.0.1/hook', 'must begin with https://'],
    ['https://user:word@example.com/', 'user name or password'],
    ['https://example.com/#part', 'fragment'],
    ['not a url', 'is not a URL'],
    [`https://example.com/${'a'.repeat(2_048)}`, '2048'],
  ])('is refused with the URL %s', async (url, message) => {
    const answer = await call('POST', `${project.path}/webhooks`, { url, events: ['schema.changed'] });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(message)]);
  });

  test('names one host with and without the final dot of its name', async () => {
    const body = { url: 'https://Hooks.Example.com.:8443/', events: ['schema.changed'], enabled: false };
    const { id } = await newWebhook(server, project, body);
    expect(await webhookOf(project.path, id)).toMatchObject({ host: 'hooks.example.com:8443' });
  });

  test('never connects to a private address over https', async () => {
    const url = receiver.url.replace('http:', 'https:');
    const made = await newWebhook(server, project, { url, events: ['schema.changed'] });
    const before = receiver.received.length;
    await call('POST', `${made.path}/test`);
    await expect
      .poll(() => deliveriesOf(server, project, made))
      .toMatchObject([{ status: 'waiting', attempts: 1, responseStatus: null }]);
    expect(receiver.received.length).toBe(before);
  });

  test('is made and changed by people only', async () => {
    const { json } = await call('POST', `/v1/${project.developer.accountId}/service-accounts`, {
      name: 'R',
      role: 'admin',
    });
    const { id, clientSecret } = json as { id: string; clientSecret: string };
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: clientSecret });
    const token = await server.call('POST', '/v1/auth/token', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    });
    const robot = { Authorization: `Bearer ${(token.json as { access_token: string }).access_token}` };
    const body = { url: receiver.url, events: ['schema.changed'] };
    expect((await server.call('GET', `${project.path}/webhooks`, { headers: robot })).status).toBe(200);
    expect((await server.call('POST', `${project.path}/webhooks`, { headers: robot, body })).status).toBe(403);
  });
});

describe('events', () => {
  beforeAll(scene);
  afterAll(() => receiver.close());

  test('of schemas and API keys reach the webhooks that subscribe to them', async () => {
    const made = await newWebhook(server, project, {
      url: receiver.url,
      events: ['schema.changed', 'api_key.created', 'api_key.revoked'],
      environments: ['production'],
    });
    const put = (environment: string) =>
      server.call('PUT', `${project.path}/schemas/${environment}/public-state`, {
        headers: { ...headers, ...absent },
        body: { mode: 'report', schema: { type: 'object' }, comment: 'first' },
      });
    expect([(await put('development')).status, (await put('production')).status]).toEqual([200, 200]);
    const { id: keyId } = await server.newApiKey(project);
    expect((await call('DELETE', `${project.path}/api-keys/${keyId}`)).status).toBe(204);
    const revoked = await receiver.next(({ event }) => event.type === 'api_key.revoked');
    expect(revoked.event.data).toMatchObject({ keyId, author: { kind: 'operator' } });
    const created = await receiver.next(({ event }) => event.type === 'api_key.created');
    expect(created.event.data).toMatchObject({ keyId, kind: 'secret' });
    const changed = await receiver.next(({ event }) => event.type === 'schema.changed');
    expect(changed.event.data).toMatchObject({
      environment: 'production',
      kind: 'public-state',
      version: 1,
      comment: 'first',
    });
    expect(receiver.received.length).toBe(3);
    expect(receiver.received.every((each) => isVerified(made.secret, each))).toBe(true);
  });
});

describe('management', () => {
  beforeAll(scene);
  afterAll(() => receiver.close());

  test('allows ten webhooks in a project', async () => {
    const body = { url: receiver.url, events: ['schema.changed'] };
    const made = await Promise.all(Array.from({ length: 10 }, () => newWebhook(server, project, body)));
    const refused = await call('POST', `${project.path}/webhooks`, body);
    expect([refused.status, (refused.json as { error: string }).error]).toEqual([409, 'limit_reached']);
    for (const { path } of made) expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('DELETE', made[0]?.path as string)).status).toBe(404);
    expect((await call('GET', `${project.path}/webhooks`)).json).toEqual({ items: [] });
  });

  test('names the webhooks of a removed member in the record of the removal', async () => {
    const member = await newMember(server, project.developer.accountId, 'admin');
    const body = { url: receiver.url, events: ['schema.changed'] };
    const answer = await server.call('POST', `${project.path}/webhooks`, { headers: member.bearer, body });
    const { id } = answer.json as { id: string };
    await call('DELETE', `/v1/${project.developer.accountId}/members/${member.memberId}`);
    const { json } = await call('GET', `/v1/${project.developer.accountId}/audit?action=member.remove`);
    const [record] = (json as { items: { detail: Record<string, { from: unknown }> }[] }).items;
    expect(record?.detail.webhooks?.from).toEqual([`projects/${project.slug}/webhooks/${id}`]);
  });

  test('keeps events out while a webhook is off, and sends them again once it is on', async () => {
    const made = await newWebhook(server, project, { url: receiver.url, events: ['api_key.created'], enabled: false });
    await server.newApiKey(project);
    expect((await call('PATCH', made.path, { enabled: true })).json).toMatchObject({ enabled: true });
    const { id } = await server.newApiKey(project);
    const { event } = await receiver.next(({ event: { type } }) => type === 'api_key.created');
    expect(event.data.keyId).toBe(id);
  });

  test('switches a webhook off whose receiver is gone', async () => {
    const made = await newWebhook(server, project, { url: receiver.url, events: ['api_key.created'] });
    receiver.respond = replyWith(410);
    await call('POST', `${made.path}/test`);
    await expect.poll(() => webhookOf(project.path, made.id)).toMatchObject({ enabled: false, disabledReason: 'gone' });
    expect(await deliveriesOf(server, project, made)).toMatchObject([{ status: 'failed', responseStatus: 410 }]);
    receiver.respond = replyWith(204);
    const [failed] = await deliveriesOf(server, project, made, '?status=failed');
    expect((await call('POST', `${made.path}/deliveries/${failed?.id}/retry`)).status).toBe(202);
    await expect.poll(() => deliveriesOf(server, project, made)).toMatchObject([{ status: 'delivered', attempts: 2 }]);
  });
});

describe('changes of public state', () => {
  beforeAll(scene);
  afterAll(() => receiver.close());

  const put = (environment: string, state: object, condition: Readonly<Record<string, string>>, comment?: string) =>
    server.call('PUT', `${project.path}/public-state/${environment}`, {
      headers: { ...headers, ...condition },
      body: { state, ...(comment !== undefined && { comment }) },
    });
  const from = (version: number) => ({ 'If-Match': `"${version}"` });

  test('are sent with their operations, and collected while one is being tried', async () => {
    await newWebhook(server, project, {
      url: receiver.url,
      events: ['public_state.changed'],
      environments: ['production'],
    });
    const held = Promise.withResolvers<void>();
    receiver.respond = (response) => void held.promise.then(() => response.writeHead(204).end());
    expect((await put('production', { gold: 1 }, absent, 'first')).status).toBe(200);
    expect((await put('development', { gold: 1 }, absent)).status).toBe(200);
    const first = await receiver.next();
    expect(first.event.data).toEqual({
      accountId: project.developer.accountId,
      projectSlug: project.slug,
      environment: 'production',
      author: { kind: 'developer', id: 'operator', name: null },
      comment: 'first',
      version: 1,
      from: 0,
      ops: [{ op: 'add', path: '/gold', value: 1 }],
    });
    for (const [version, gold] of [
      [1, 2],
      [2, 3],
      [3, 4],
    ] as const) {
      expect((await put('production', { gold }, from(version), `to ${gold}`)).status).toBe(200);
    }
    held.resolve();
    const second = await receiver.next(({ event }) => event.data.from === 1);
    expect(second.event.data).toMatchObject({
      version: 4,
      comment: 'to 4',
      ops: [{ op: 'replace', path: '/gold', value: 4 }],
    });
    receiver.respond = replyWith(204);
    expect((await put('production', { text: 'a'.repeat(20_000) }, from(4))).status).toBe(200);
    expect((await receiver.next(({ event }) => event.data.from === 4)).event.data).toMatchObject({ version: 5, ops: null });
    expect(receiver.received.length).toBe(3);
  });

  test('are tried again with the same body, and the next ones wait behind them', async () => {
    const made = await newWebhook(server, project, {
      url: receiver.url,
      events: ['public_state.changed'],
      environments: ['staging'],
    });
    receiver.respond = replyWith(500);
    const isOurs = ({ event }: { readonly event: { readonly data: object } }) =>
      'environment' in event.data && event.data.environment === 'staging';
    expect((await put('staging', { gold: 1 }, absent)).status).toBe(200);
    const first = await receiver.next(isOurs);
    expect((await put('staging', { gold: 2 }, from(1))).status).toBe(200);
    await expect
      .poll(async () => (await deliveriesOf(server, project, made)).map(({ attempts }) => attempts))
      .toEqual([0, 1]);
    receiver.respond = replyWith(204);
    const [, waiting] = await deliveriesOf(server, project, made);
    await call('POST', `${made.path}/deliveries/${waiting?.id}/retry`);
    await expect.poll(() => receiver.received.filter(isOurs).length).toBe(3);
    const [, again, next] = receiver.received.filter(isOurs);
    expect([again?.id, again?.body]).toEqual([first.id, first.body]);
    expect(next?.event.data).toMatchObject({ from: 1, version: 2 });
    expect(again !== undefined && isVerified(made.secret, again)).toBe(true);
  });
});

describe('events of players', () => {
  beforeAll(scene);
  afterAll(() => receiver.close());

  test('name the player alone', async () => {
    const events = ['player.blocked', 'player.unblocked', 'player.erased'];
    await newWebhook(server, project, { url: receiver.url, events });
    const player = `${project.path}/players/player-1`;
    const saved = await server.call('PATCH', `${project.path}/user-states/development/player-1`, {
      headers: { ...headers, 'If-None-Match': '*' },
      body: { ops: [{ op: 'add', path: '/secret', value: 'of the save' }] },
    });
    expect(saved.status).toBe(200);
    expect((await call('PUT', `${player}/block`, { reason: 'not for others' })).status).toBe(200);
    expect((await call('DELETE', `${player}/block`)).status).toBe(204);
    expect((await call('DELETE', player)).status).toBe(204);
    for (const type of events) {
      const { event } = await receiver.next((each) => each.event.type === type);
      expect(event.data).toMatchObject({ endUserId: 'player-1', author: { kind: 'operator' } });
    }
    expect(JSON.stringify(receiver.received)).not.toMatch(/not for others|of the save/);
  });

  test('tell of a guest with the first save', async () => {
    await call('PUT', `${project.path}/auth/end-user/config`, {
      enabled: true,
      redirectUris: [],
      allowedIdps: ['anonymous'],
    });
    await newWebhook(server, project, { url: receiver.url, events: ['player.created'] });
    const [device, clientId, scope] = [newDevice(), `${project.developer.accountId}.${project.slug}`, 'env:development'];
    const nonce = nonceOf(await server.call('GET', '/v1/auth/nonce', {}));
    const assertion = await device.assert({ baseUrl: server.baseUrl, clientId, scope }, nonce);
    const form = { grant_type: guestGrant, client_id: clientId, scope, assertion };
    const token = await server.call('POST', '/v1/auth/token', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    });
    const Authorization = `Bearer ${(token.json as { access_token: string }).access_token}`;
    const save = (condition: Readonly<Record<string, string>>) =>
      server.call('PATCH', `${project.path}/user-state/development`, {
        headers: { Authorization, ...condition },
        body: { ops: [{ op: 'add', path: '/level', value: 1 }] },
      });
    expect([(await save(absent)).status, (await save({ 'If-Match': '"1"' })).status]).toEqual([200, 200]);
    const { event } = await receiver.next((each) => each.event.type === 'player.created');
    expect(event.data.endUserId).toMatch(/^guest_/);
    expect(receiver.received.filter((each) => each.event.type === 'player.created').length).toBe(1);
  });
});
