/** Limit of waiting requests on a connection, and refusals over it. @see RFC 9112 §9.3.2 */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { withHeldWrites } from '../support/held-writes.ts';
import { openPlace, type Place } from '../support/place.ts';
import type { RawConnection } from '../support/raw.ts';
import { createLine, expectRefusal, jsonLine, openWorld, requestText, type World, writeLines } from './world.ts';

let place: Place;
let world: World;
/** Writes wait until it is open. */
let gate: PromiseWithResolvers<void>;
beforeAll(async () => {
  place = await openPlace();
  gate = Promise.withResolvers<void>();
  const openStore = async () => withHeldWrites(await place.openStore(), () => gate.promise);
  world = await openWorld({}, { place, openStore });
});
afterAll(async () => {
  await world.stop();
  await place.remove();
});

const health = requestText('GET /healthz');

async function connect(): Promise<RawConnection> {
  const connection = await world.connect();
  onTestFinished(() => connection.close());
  return connection;
}

/** A write request that waits until the gate opens, and the document that it creates. */
async function slowWrite(): Promise<{ readonly path: string; readonly keyLine: string; readonly text: string }> {
  gate = Promise.withResolvers<void>();
  const { path, keyLine } = await world.newDocument();
  return { path, keyLine, text: requestText(`PUT ${path}`, writeLines(keyLine), '{"state":{}}') };
}

async function statusesOf(connection: RawConnection, count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n++) statuses.push((await connection.answer()).status);
  return statuses;
}

test('64 waiting requests are all answered', async () => {
  const connection = await connect();
  connection.send((await slowWrite()).text + health.repeat(64));
  expect(await connection.unreadAfter(100)).toBe('');
  gate.resolve();
  expect(await statusesOf(connection, 65)).toEqual(Array(65).fill(200));
  connection.send(health);
  expect((await connection.answer()).status).toBe(200);
});

test.each([65, 5_000, 200_000])(
  'of %i waiting requests, 64 are answered, one is refused, and the connection ends',
  async (count) => {
    const connection = await connect();
    connection.send((await slowWrite()).text + health.repeat(count));
    expect(await connection.unreadAfter(100)).toBe('');
    gate.resolve();
    expect(await statusesOf(connection, 65)).toEqual(Array(65).fill(200));
    const refusal = await connection.answer();
    expectRefusal(refusal, 503, 'service_unavailable');
    expect([refusal.headers.get('retry-after'), refusal.headers.get('connection')]).toEqual(['5', 'close']);
    expect(await connection.ended()).toEqual({ by: 'end', unread: '' });
  },
);

test('a request over 64 is not carried out, nor is one on a closed connection', async () => {
  const [first, refused, left] = [await slowWrite(), await world.newDocument(), await world.newDocument()];
  const create = ({ path, keyLine }: typeof refused) =>
    requestText(`PUT ${path}`, [keyLine, jsonLine, createLine], '{"state":{}}');
  const [full, closing] = [await connect(), await connect()];
  full.send(first.text + health.repeat(64) + create(refused) + create(refused));
  closing.send(create(first) + create(left));
  await closing.unreadAfter(100);
  closing.close();
  await full.unreadAfter(100);
  gate.resolve();
  expect((await statusesOf(full, 66)).at(-1)).toBe(503);
  for (const { path, keyLine } of [refused, left]) {
    expect((await world.exchange(requestText(`GET ${path}`, [keyLine]))).status).toBe(204);
  }
});

test('a waiting body in chunks is read when its turn comes', async () => {
  const { path, keyLine } = await world.newDocument();
  const connection = await connect();
  const head = requestText(`PUT ${path}`, [...writeLines(keyLine), 'Transfer-Encoding: chunked']);
  connection.send(`${(await slowWrite()).text}${head}b\r\n{"state":{"\r\n`);
  await connection.unreadAfter(100);
  connection.send('5\r\na":1}\r\n');
  await connection.unreadAfter(100);
  gate.resolve();
  expect((await connection.answer()).status).toBe(200);
  connection.send('1\r\n}\r\n0\r\n\r\n');
  const { status, body } = await connection.answer();
  expect([status, JSON.parse(body.toString())]).toMatchObject([200, { version: 1, state: { a: 1 } }]);
});

test('waiting data on all connections is limited in total', async () => {
  const { text } = await slowWrite();
  const chunk = `1\r\n{\r\n`;
  const head = requestText(`PUT ${world.statePath}`, [...writeLines(world.keyLine), 'Transfer-Encoding: chunked']);
  const connections = await Promise.all(Array.from({ length: 9 }, connect));
  for (const connection of connections) connection.send(`${text}${head}${chunk.repeat(100)}`);
  await connections[0]?.unreadAfter(200);
  gate.resolve();
  let refused = 0;
  for (const connection of connections) {
    expect((await connection.answer()).status).toBeOneOf([200, 412]);
    if ((await connection.unreadAfter(50)).startsWith('HTTP/1.1 503')) refused++;
  }
  expect(refused).toBe(2); // 32 MiB are enough for seven, with a little over 4 MiB each
});
