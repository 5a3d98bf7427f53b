/** Changes that are written on one node and told on another. @see docs/contract.md §4.9 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type EventReader, readEvents } from '../support/events.ts';
import { openPlace, type Place } from '../support/place.ts';
import { startServer, type TestServer } from '../support/server.ts';

let place: Place;
let here: TestServer;
let there: TestServer;
beforeEach(async () => {
  place = await openPlace();
  [here, there] = await Promise.all([startServer({ place }), startServer({ place })]);
});
afterEach(async () => {
  await Promise.all([here.stop(), there.stop()]);
  await place.remove();
});

type Headers = Readonly<Record<string, string>>;

async function watch(at: TestServer, path: string, headers: Headers, query = ''): Promise<EventReader> {
  const reader = await readEvents(at.baseUrl, `${path}/changes${query}`, headers);
  onTestFinished(() => reader.close());
  expect(reader.status).toBe(200);
  return reader;
}

async function write(at: TestServer, path: string, headers: Headers, version: number, n: number): Promise<number> {
  const precondition = version === 0 ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` };
  const ops = [{ op: 'add', path: '/n', value: n }];
  const answer = await at.call('PATCH', path, { headers: { ...headers, ...precondition }, body: { ops } });
  expect(answer.status, answer.text).toBe(200);
  return (answer.json as { version: number }).version;
}

async function publicDocument() {
  const project = await here.newProject();
  return { project, path: `${project.path}/public-state/staging`, headers: project.developer.bearer };
}

async function userDocument() {
  const project = await here.newProject();
  const { accountId } = project.developer;
  const claims = { accountId, slug: project.slug, environment: 'staging' as const, userId: 'ada', seconds: 900 };
  // Both nodes issue tokens in the name of their own address here.
  const headersAt = async (node: TestServer) => ({
    Authorization: `Bearer ${await node.running.accessTokens.signPlayerToken(claims)}`,
  });
  const path = `${project.path}/user-state/staging`;
  const remove = () => here.call('DELETE', `${project.path}/user-states/ada`, { headers: project.developer.bearer });
  return { project, path, remove, here: await headersAt(here), there: await headersAt(there) };
}

/** Every node accepts tokens that were issued in the name of one address; an API key needs none. */
async function keyHeaders(
  project: Awaited<ReturnType<TestServer['newProject']>>,
): Promise<Headers & { readonly id: string }> {
  const { id, apiKey } = await here.newApiKey(project);
  return { Authorization: `ApiKey ${apiKey}`, id };
}

const credential = ({ Authorization = '' }: Headers): Headers => ({ Authorization });

test('every version of public state is sent by the other node, where it can be read immediately', async () => {
  const { project, path } = await publicDocument();
  const headers = credential(await keyHeaders(project));
  const reader = await watch(there, path, headers);
  expect(await reader.next()).toMatchObject({ type: 'snapshot', id: 0 });
  const versions = 60;
  const writing = (async () => {
    for (let n = 0; n < versions; n++) await write(n % 3 === 0 ? there : here, path, headers, n, n);
  })();
  for (let n = 0; n < versions; n++) {
    const event = await reader.next();
    expect(event).toMatchObject({ type: 'change', id: n + 1, data: { from: n, ops: [{ path: '/n', value: n }] } });
    const read = await there.call('GET', path, { headers });
    expect(Number((read.json as { version: number }).version)).toBeGreaterThanOrEqual(n + 1);
  }
  await writing;
  expect(reader.waiting()).toEqual([]);
});

test('a reader that moves to a node behind its version is not set back', async () => {
  const { project, path } = await publicDocument();
  const headers = credential(await keyHeaders(project));
  await watch(there, path, headers); // keeps the document known there
  const reader = await watch(here, path, headers);
  await reader.next();
  for (let n = 0; n < 20; n++) {
    await write(here, path, headers, n, n);
    const moved = await watch(there, path, headers, `?since=${n + 1}`);
    expect(moved.waiting()).toEqual([]);
    moved.close();
  }
  const moved = await watch(there, path, headers, '?since=20');
  await write(here, path, headers, 20, 20);
  expect(await moved.next()).toMatchObject({ type: 'change', id: 21, data: { from: 20 } });
});

test('repeatedly disconnected readers on both nodes get every version once', async () => {
  const { project, path } = await publicDocument();
  const headers = credential(await keyHeaders(project));
  const versions = 120;
  let isWriting = true;
  const follow = async (first: number): Promise<number[]> => {
    const told: number[] = [];
    for (let turn = first; isWriting || (told.at(-1) ?? 0) < versions; turn++) {
      const reader = await watch(turn % 2 === 0 ? here : there, path, headers, `?since=${told.at(-1) ?? 0}`);
      const cut = performance.now() + 100 + 40 * (turn % 5);
      while (performance.now() < cut) {
        const event = reader.waiting().length > 0 ? await reader.next() : await reader.next(50).catch(() => undefined);
        if (event === undefined) continue;
        expect([event.type, event.data.from]).toEqual(['change', told.at(-1) ?? 0]);
        told.push(event.id ?? 0);
      }
      reader.close();
    }
    return told;
  };
  const following = [0, 1, 2, 3].map(follow);
  for (let n = 0; n < versions; n++) await write(n % 2 === 0 ? here : there, path, headers, n, n);
  isWriting = false;
  const all = Array.from({ length: versions }, (_, n) => n + 1);
  for (const told of await Promise.all(following)) expect(told).toEqual(all);
});

test('user state is sent by the other node; versions between two polls are sent together', async () => {
  const document = await userDocument();
  const reader = await watch(there, document.path, document.there);
  await reader.next();
  await write(here, document.path, document.here, 0, 0);
  await write(here, document.path, document.here, 1, 1);
  await write(here, document.path, document.here, 2, 2);
  let told = 0;
  let n: unknown;
  while (told < 3) {
    const { type, id, data } = await reader.next();
    expect([type, data.from]).toEqual(['change', told]);
    told = id ?? 0;
    n = (data.ops as { value: unknown }[])[0]?.value;
  }
  expect([told, n]).toEqual([3, 2]);
});

test('a state deleted and recreated between two polls resets the stream once', async () => {
  const document = await userDocument();
  await write(here, document.path, document.here, 0, 0);
  await write(here, document.path, document.here, 1, 1);
  const reader = await watch(there, document.path, document.there);
  expect(await reader.next()).toMatchObject({ type: 'snapshot', id: 2 });
  await document.remove();
  const version = await write(here, document.path, document.here, 0, 2);
  let event = await reader.next();
  if (event.id === 0) event = await reader.next(); // a look came between
  expect(event).toEqual({ type: 'reset', id: version, data: { version, state: { n: 2 } } });
  await document.remove();
  expect(await reader.next()).toEqual({ type: 'reset', id: 0, data: { version: null, state: null } });
});

test('a key revoked on one node ends its streams on the other within a second', async () => {
  const { project, path } = await publicDocument();
  const key = await keyHeaders(project);
  const reader = await watch(there, path, credential(key));
  await reader.next();
  const revoked = here.call('DELETE', `${project.path}/api-keys/${key.id}`, { headers: project.developer.bearer });
  expect((await revoked).status).toBe(204);
  const begun = performance.now();
  expect(await reader.next()).toMatchObject({ type: 'goodbye', data: { reason: 'revoked' } });
  expect(performance.now() - begun).toBeLessThan(10_000); // a second, and what a busy machine adds
  await reader.ended();
});

test('a player blocked on one node loses streams and tokens on the other within a second', async () => {
  const { project, path, ...document } = await userDocument();
  await write(here, path, document.here, 0, 0);
  const reader = await watch(there, path, document.there);
  await reader.next();
  const { bearer: headers } = project.developer;
  const blocked = await here.call('PUT', `${project.path}/players/ada/block`, { headers, body: { reason: 'cheats' } });
  expect(blocked.status, blocked.text).toBe(200);
  const begun = performance.now();
  expect((await here.call('GET', path, { headers: document.here })).status).toBe(401);
  expect(await reader.next()).toMatchObject({ type: 'goodbye', data: { reason: 'revoked' } });
  await reader.ended();
  await expect.poll(async () => (await there.call('GET', path, { headers: document.there })).status).toBe(401);
  expect(performance.now() - begun).toBeLessThan(10_000); // a second, and what a busy machine adds
});

test('a node that missed a notice sends changes on time, because it polls the store', async () => {
  const { project, path } = await publicDocument();
  const headers = credential(await keyHeaders(project));
  const reader = await watch(there, path, headers);
  await reader.next();
  await sleep(300);
  const begun = performance.now();
  await write(here, path, headers, 0, 0);
  await reader.next();
  expect(performance.now() - begun).toBeLessThan(10_000);
});
