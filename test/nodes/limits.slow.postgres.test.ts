/** Limits shared by two nodes on one database: together they admit exactly the allowed number of requests. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { byOperator } from '../../packages/server/src/storage/store-suite/records.fixture.ts';
import { createFormClient } from '../../tooling/forms.ts';
import { openLoginWorld } from '../login/world.ts';
import { type Answer, call } from '../support/client.ts';
import { openPlace, type Place } from '../support/place.ts';
import { type Project, startServer, type TestServer } from '../support/server.ts';

/** The month of `clock`. */
const monthStartsAt = Date.UTC(2036, 10);

let place: Place;
let clock: number;
let nodes: TestServer[];
beforeEach(async () => {
  place = await openPlace();
  clock = Date.UTC(2036, 10, 30, 12);
  nodes = [];
});
afterEach(async () => {
  for (const node of nodes) await node.stop();
  await place.remove();
});

async function start(settings: Readonly<Record<string, string>>): Promise<TestServer> {
  const node = await startServer({ settings, place, now: () => clock });
  nodes.push(node);
  return node;
}
async function startTwo(settings: Readonly<Record<string, string>>): Promise<readonly [TestServer, TestServer]> {
  return [await start(settings), await start(settings)];
}
async function stop(node: TestServer): Promise<void> {
  nodes.splice(nodes.indexOf(node), 1);
  await node.stop();
}

/** Returns a function that reads a project's public state with an API key, on any node. */
async function newReader(node: TestServer, given?: Project, kind = 'secret') {
  const project = given ?? (await node.newProject());
  const { apiKey } = await node.newApiKey(project, { kind });
  const path = `${project.path}/public-state/development`;
  return (at: TestServer) => at.call('GET', path, { headers: { Authorization: `ApiKey ${apiKey}` } });
}

/** Sends this many requests to each node, 16 at a time in total. */
async function hammer(times: number, send: (node: TestServer) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  const sender = async (node: TestServer) => {
    for (let i = 0; i < times / 8; i++) answers.push(await send(node));
  };
  await Promise.all(nodes.flatMap((node) => Array.from({ length: 8 }, () => sender(node))));
  return answers;
}
const countOf = (answers: readonly Answer[], status: number) => answers.filter((answer) => answer.status === status).length;

describe('requests per minute', () => {
  test.each([7, 40, 600])('of a credential, %i, are shared by both nodes', async (limit) => {
    const [first] = await startTwo({ SVC_RATE_LIMIT_PER_MINUTE: String(limit) });
    const read = await newReader(first);
    const answers = await hammer(limit, read);
    expect([countOf(answers, 204), countOf(answers, 429)]).toEqual([limit, answers.length - limit]);

    clock += 20_000;
    for (const node of nodes) {
      const { status, headers } = await read(node);
      expect([status, headers['retry-after'], headers.ratelimit]).toEqual([429, '40', '"minute";r=0;t=40']);
    }
    clock += 40_000;
    expect(countOf(await hammer(limit, read), 204)).toBe(limit);
  });

  test('of an address without a credential are shared by both nodes', async () => {
    await startTwo({ SVC_AUTH_RATE_LIMIT_PER_MINUTE: '120' });
    const answers = await hammer(120, (node) => node.call('GET', '/v1/acc_x'));
    expect([countOf(answers, 401), countOf(answers, 429)]).toEqual([120, answers.length - 120]);
  });

  test('are reported by one node with the other’s count included', async () => {
    const [first, second] = await startTwo({ SVC_RATE_LIMIT_PER_MINUTE: '30' });
    const read = await newReader(first);
    for (let i = 0; i < 12; i++) await read(first);
    expect((await read(second)).headers.ratelimit).toBe('"minute";r=17;t=60');
  });

  test('continue after a node stops', async () => {
    const [first, second] = await startTwo({ SVC_RATE_LIMIT_PER_MINUTE: '40' });
    const read = await newReader(first);
    for (let i = 0; i < 30; i++) await read(second);
    await stop(second);
    const third = await start({ SVC_RATE_LIMIT_PER_MINUTE: '40' });
    const answers: Answer[] = [];
    for (let i = 0; i < 20; i++) answers.push(await read(third));
    expect([countOf(answers, 204), countOf(answers, 429)]).toEqual([10, 10]);
  });
});

describe('API requests per month', () => {
  async function limited(apiRequests: number) {
    const [first, second] = await startTwo({});
    const project = await first.newProject();
    const read = await newReader(first, project);
    const { accountId } = project.developer;
    const used = async (node: TestServer) =>
      (await node.running.store.readUsage(accountId, monthStartsAt))?.used.apiRequests;
    await first.running.store.writeOwnLimits(byOperator, accountId, { apiRequests });
    // The first node applies it immediately; the other has not cached the account yet.
    const publishable = await newReader(first, project, 'publishable');
    return { first, second, read, publishable, used };
  }

  test.each([9, 500])('are let in by both nodes up to %i, and counted exactly', async (most) => {
    const { first, second, read, used } = await limited(most);
    const answers = await hammer(most, read);
    expect([countOf(answers, 204), countOf(answers, 402)]).toEqual([most, answers.length - most]);
    for (const node of [first, second]) {
      await expect.poll(() => used(node)).toBe(most);
      const refused = await read(node);
      expect(refused.json).toMatchObject({ code: 'QUOTA_API_REQUESTS', limit: most, used: most });
    }
  });

  test('of publishable keys are let in by both nodes up to half, and other keys get the rest', async () => {
    const { first, read, publishable, used } = await limited(101);
    const answers = await hammer(104, publishable);
    expect([countOf(answers, 204), countOf(answers, 402)]).toEqual([50, answers.length - 50]);
    const refused = await publishable(first);
    expect(refused.json).toMatchObject({ code: 'QUOTA_API_REQUESTS', limit: 50, used: 50 });
    expect(countOf(await hammer(104, read), 204)).toBe(51);
    await expect.poll(() => used(first)).toBe(101);
  });

  test('granted to a node but unused return to the others when it stops', async () => {
    const { first, second, read } = await limited(1_000);
    expect((await read(second)).status).toBe(204);
    await stop(second);
    let admitted = 0;
    while ((await read(first)).status === 204) admitted += 1;
    expect(admitted).toBe(999);
  });

  test('are reported by each node with both counts, whatever their allotments', async () => {
    const [port, otherPort] = [await freePort(), await freePort()];
    const SVC_BASE_URL = `http://127.0.0.1:${port}`;
    const first = await start({ SVC_BASE_URL, SVC_PORT: String(port) });
    await start({ SVC_BASE_URL, SVC_PORT: String(otherPort) });
    const { path, developer } = await first.newProject();
    await first.running.store.writeOwnLimits(byOperator, developer.accountId, { apiRequests: 10_000 });
    const get = (at: number, target: string) =>
      call(`http://127.0.0.1:${at}`, 'GET', target, { headers: developer.bearer });
    const stored = async () => (await first.running.store.readUsage(developer.accountId, monthStartsAt))?.used.apiRequests;
    const state = `${path}/public-state/production`;
    for (let i = 0; i < 5; i++) await get(port, state);
    for (let i = 0; i < 7; i++) await get(otherPort, state);
    await expect.poll(stored).toBe(12);
    for (const at of [port, otherPort]) {
      const { json } = await get(at, `/v1/${developer.accountId}/usage`);
      expect(json).toMatchObject({ apiRequests: { used: 12, limit: 10_000 } });
    }
  });
});

test('password guesses are counted by both nodes together', async () => {
  const world = await openLoginWorld();
  const port = await freePort();
  const settings = { SVC_PORT: String(port), SVC_BASE_URL: world.baseUrl, SVC_AUTH_RATE_LIMIT_PER_MINUTE: '0' };
  const other = await startServer({ place: world.server.place, settings });
  try {
    const client = await world.newClient();
    const form = createFormClient(world.baseUrl);
    const page = await form.get(world.authorizeUrl(client));
    const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
    const url = world.authorizeUrl(client, {}, '/authorize/sign-in');
    const statuses: number[] = [];
    for (let i = 0; i < 14; i++) {
      const at = i % 2 === 0 ? url : url.replace(world.baseUrl, `http://127.0.0.1:${port}`);
      statuses.push((await form.post(at, { email: 'ada@mail.example', password: `guess number ${i}`, csrf })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(422), ...Array(4).fill(429)]);
  } finally {
    await other.stop();
    await world.stop();
  }
});
