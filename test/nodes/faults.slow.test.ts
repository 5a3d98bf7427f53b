import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createProject } from '../../tooling/credentials.ts';
import type { StrikeKind } from '../../tooling/proxies/tcp-proxy.ts';
import { startStandby } from '../../tooling/standby.ts';
import { type Answer, call } from '../support/client.ts';
import {
  type Document,
  expectRefused,
  type NodesWorld,
  openNodes,
  startClock,
  toleratedMilliseconds,
  untilServed,
  untilStatus,
  untilSteady,
} from './world.ts';

const connectionsMax = 40;
let world: NodesWorld;
let bystander: Document;
beforeAll(async () => {
  world = await openNodes({ nodes: 1, settings: { max_connections: String(connectionsMax) } });
  bystander = await writtenDocument();
});
afterAll(() => world?.close());

/** Clean-up of a test, also after a failure. */
const ends: (() => unknown)[] = [];
const endLater = <End extends () => unknown>(end: End): End => {
  ends.push(end);
  return end;
};

/** Every test starts without damage from the previous one. */
afterEach(async () => {
  const { cluster, node } = world;
  for (const end of ends.splice(0)) await end();
  expect(node.server.isRunning(), `the node has ended:\n${node.server.output()}`).toBe(true);
  if (cluster.pid === undefined) await cluster.start();
  node.proxy.setTarget({ host: '127.0.0.1', port: cluster.port });
  node.proxy.setLatency(0);
  await untilSteady(bystander, world.node);
});

/** A document with the marker `old` as version 1. */
async function writtenDocument(): Promise<Document> {
  const document = await world.newDocument();
  expect((await document.put('old', null)).status).toBe(200);
  return document;
}

/** Sends every kind of state request to a document at version 1. */
const requests = (document: Document): Promise<Answer>[] => [
  document.read(),
  document.put('new', 1),
  document.patch('new', 1),
  call(world.node.baseUrl, 'GET', `${document.path}/versions`, { headers: document.headers }),
];

/** Expects that the document can be read and written again, and has no other new versions. */
async function expectRecovery(document: Document): Promise<void> {
  await untilSteady(document, world.node);
  const { version } = (await document.read()).json as { version: number };
  expect((await document.put('after', version)).status).toBe(200);
  expect((await document.versions())[0]).toEqual([version + 1, 'after']);
}

const addition = { op: 'add', path: '/marker', value: 'added' };

let markers = 0;
const newMarker = () => `marker-${++markers}-of-this-test`;

describe('a connection cut at a write', () => {
  const writes = ['PUT', 'PATCH', 'PUT that creates', 'PATCH that creates'] as const;
  /** Whether the write took effect; undefined if either is possible. */
  const kinds: readonly [StrikeKind, boolean | undefined][] = [
    ['cut_before', false],
    ['cut_within', false],
    ['cut_during', undefined],
    ['swallow_answer', true],
  ];
  const cases = kinds.flatMap(([kind, isStored]) => writes.map((write) => ({ kind, isStored, write })));

  test.each(cases)('$kind, $write: 503, then the old or the new version, once', async ({ kind, isStored, write }) => {
    const creates = write.endsWith('creates');
    const document = creates ? await world.newDocument() : await writtenDocument();
    const version = creates ? null : 1;
    const marker = newMarker();
    const send = () => (write.startsWith('PUT') ? document.put(marker, version) : document.patch(marker, version));
    const struck = world.node.proxy.strike({ kind, contains: marker });
    await expectRefused(send());
    await struck;

    const isNew = (await untilServed(() => document.read())).text.includes(marker);
    if (isStored !== undefined) expect(isNew).toBe(isStored);
    const repeated = await send();
    // The database may still execute the statement after the response to the read.
    expect(repeated.status).toBeOneOf(isNew ? [412] : isStored === undefined ? [200, 412] : [200]);
    const old = creates ? [] : [[1, 'old']];
    expect(await document.versions()).toEqual([[(version ?? 0) + 1, marker], ...old]);
  });
});

/**
 * The end of a Bind message without values, and the start of its Execute message. Only COMMIT has no values in a transaction. A connection
 * that has committed before sends it as a prepared statement, whose name the test cannot know.
 */
const commit = `${'\0'.repeat(7)}E\0\0\0\t`;

describe('a connection cut at the COMMIT of several statements', () => {
  test.each<[StrikeKind, number]>([
    ['cut_before', 204],
    ['cut_within', 204],
    ['swallow_answer', 404],
  ])('%s: 503, and the repeated deletion is answered with %i', async (kind, status) => {
    const { accountId, developerToken } = world.credentials;
    const slug = `deleted-${kind.replace('_', '-')}`;
    await createProject(world.credentials, slug);
    // A new connection sends the deletion as text; one that has sent it before uses a prepared statement, too.
    world.node.proxy.cut();
    await untilSteady(bystander, world.node);
    const remove = () =>
      call(world.node.baseUrl, 'DELETE', `/v1/${accountId}/projects/${slug}`, {
        headers: { Authorization: `Bearer ${developerToken}` },
      });
    // The node's other transactions continue, such as the one that counts requests.
    const struck = world.node.proxy.strike({ kind, after: 'DELETE FROM projects', contains: commit });
    await expectRefused(remove());
    await struck;
    expect((await untilServed(remove)).status).toBe(status);
  });
});

test.each(['fast', 'immediate', 'kill'] as const)('a database stopped (%s) and started again', async (mode) => {
  const document = await writtenDocument();
  const { cluster, node } = world;
  await cluster.stop(mode);
  await Promise.all(requests(document).map(expectRefused));
  await expect.poll(() => call(node.baseUrl, 'GET', '/readyz').then(({ status }) => status)).toBe(503);
  expect((await call(node.baseUrl, 'GET', '/healthz')).status).toBe(200);
  await cluster.start();
  await untilStatus(200, () => call(node.baseUrl, 'GET', '/readyz'));
  await expectRecovery(document);
});

test('a database restarted immediately under load', async () => {
  const document = await writtenDocument();
  let isOver = false;
  const statuses = new Set<number>();
  const load = Array.from({ length: 16 }, async () => {
    while (!isOver) statuses.add((await document.read()).status);
  });
  for (const mode of ['immediate', 'kill'] as const) {
    await world.cluster.stop(mode);
    await world.cluster.start();
    await expectRecovery(document);
  }
  isOver = true;
  await Promise.all(load);
  expect([...statuses].sort()).toEqual([200, 503]);
});

/** Whether the database refuses new connections. */
async function hasNoConnectionLeft(): Promise<boolean> {
  const another = postgres(world.databaseUrl, { max: 1, onnotice: () => {}, connect_timeout: 2 });
  const code = await another`SELECT 1`.then(
    () => 'connected',
    (error: { code: string }) => error.code,
  );
  await another.end({ timeout: 0 });
  return code === '53300';
}

test('a database without free connections', async () => {
  const document = await writtenDocument();
  const others = postgres(world.databaseUrl, { max: connectionsMax, onnotice: () => {}, connect_timeout: 2 });
  endLater(() => others.end({ timeout: 0 }));
  const admitNode = endLater(world.node.proxy.refuse());
  world.node.proxy.cut();
  const takeAll = async () => {
    await Promise.allSettled(Array.from({ length: connectionsMax }, () => others`SELECT pg_sleep(0.1)`));
    return hasNoConnectionLeft();
  };
  await expect.poll(takeAll).toBe(true);
  admitNode();
  await Promise.all(requests(document).map(expectRefused));
  await others.end({ timeout: 0 });
  await expectRecovery(document);
});

test('more statements waiting for long locks than connections', async () => {
  const document = await writtenDocument();
  const other = postgres(world.databaseUrl, { max: 1, onnotice: () => {} });
  endLater(() => other.end({ timeout: 0 }));
  await other`BEGIN`;
  await other`LOCK TABLE environments, public_state_versions IN ACCESS EXCLUSIVE MODE`;
  await Promise.all(
    Array.from({ length: 50 }, () => requests(document))
      .flat()
      .map(expectRefused),
  );
  await other`ROLLBACK`;
  await expectRecovery(document);
});

test('a write to a row locked by another session is given up, while others continue', async () => {
  const [document, neighbour] = [await writtenDocument(), await writtenDocument()];
  const [, slug] = /projects\/([^/]+)/.exec(document.path) as unknown as [string, string];
  const other = postgres(world.databaseUrl, { max: 1, onnotice: () => {} });
  endLater(() => other.end({ timeout: 0 }));
  await other`BEGIN`;
  const held = await other`SELECT 1 FROM environments WHERE slug = ${slug} FOR UPDATE`;
  expect(held).toHaveLength(3);
  const refused = expectRefused(document.put('new', 1));
  expect((await document.read()).status).toBe(200);
  expect((await neighbour.put('new', 1)).status).toBe(200);
  await refused;
  await other`ROLLBACK`;
  expect(await document.versions()).toEqual([[1, 'old']]);
  expect((await document.put('new', 1)).status).toBe(200);
});

test('a stalled network', async () => {
  const document = await writtenDocument();
  const end = endLater(world.node.proxy.stall());
  await Promise.all(requests(document).map(expectRefused));
  // Later requests are refused in time, too.
  await Promise.all(requests(document).map(expectRefused));
  end();
  await expectRecovery(document);
});

test('a network that loses everything', async () => {
  const document = await writtenDocument();
  const end = endLater(world.node.proxy.blackHole());
  await Promise.all(requests(document).map(expectRefused));
  end();
  await expectRecovery(document);
});

test('a network that returns for moments never delays a refusal', async () => {
  const document = await writtenDocument();
  const { accountId, developerToken } = world.credentials;
  const projectPath = document.path.replace(/\/public-state.*/, '');
  expect(projectPath).toContain(accountId);
  const headers = { Authorization: `Bearer ${developerToken}` };
  for (const milliseconds of [1_500, 3_000, 3_500]) {
    // An uncached key needs one more query, before those of the request itself.
    const created = await call(world.node.baseUrl, 'POST', `${projectPath}/api-keys`, { headers, body: { name: 'fresh' } });
    const { apiKey } = created.json as { apiKey: string };
    const patch = { headers: { Authorization: `ApiKey ${apiKey}`, 'If-Match': '"1"' }, body: { ops: [addition] } };
    const endFirst = endLater(world.node.proxy.stall());
    const refused = expectRefused(call(world.node.baseUrl, 'PATCH', document.path, patch));
    await sleep(milliseconds);
    endFirst();
    await sleep(3);
    const endSecond = endLater(world.node.proxy.stall());
    await refused;
    endSecond();
    await untilSteady(document, world.node);
  }
});

test('a slow network', async () => {
  const document = await writtenDocument();
  world.node.proxy.setLatency(150);
  const begunAt = performance.now();
  expect((await document.put('new', 1)).status).toBe(200);
  expect(performance.now() - begunAt).toBeGreaterThan(300);
  world.node.proxy.setLatency(0);
  expect(await document.versions()).toEqual([
    [2, 'new'],
    [1, 'old'],
  ]);
});

test('a promoted standby takes over, with every acknowledged write', async () => {
  const document = await writtenDocument();
  const { cluster, node } = world;
  const standby = await startStandby(cluster);
  endLater(() => standby.cluster.dispose());
  await untilStatus(200, () => document.read());
  expect((await document.put('on the first', 1)).status).toBe(200);
  await cluster.stop('kill');
  await expectRefused(document.put('nowhere', 2));
  await standby.promote();
  node.proxy.setTarget({ host: '127.0.0.1', port: standby.cluster.port });
  node.proxy.cut();
  const elapsed = startClock();
  await untilStatus(200, () => document.put('on the second', 2));
  expect(elapsed()).toBeLessThan(toleratedMilliseconds);
  expect((await document.versions()).map(([, marker]) => marker)).toEqual(['on the second', 'on the first', 'old']);
});
