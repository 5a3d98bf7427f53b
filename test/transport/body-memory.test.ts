/** Total memory of incoming bodies, and the refusal of bodies over the limit. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { RawConnection } from '../support/raw.ts';
import { chunked, expectRefusal, openWorld, requestText, type World, writeLines } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

async function connect(): Promise<RawConnection> {
  const connection = await world.connect();
  onTestFinished(() => connection.close());
  return connection;
}

const body = `{"state":{},"padding":"${'x'.repeat(2_000_000)}"}`;

test('a key may use a quarter of the memory for bodies, and other accounts have room', async () => {
  const { path, keyLine } = await world.newDocument();
  const head = requestText(`PUT ${path}`, [...writeLines(keyLine), `Content-Length: ${body.length}`]);
  const connections = await Promise.all(Array.from({ length: 16 }, connect));
  for (const connection of connections) connection.send(head + body.slice(0, -1));
  const refused = new Set<RawConnection>();
  while (refused.size < 8) {
    for (const connection of connections) {
      if (refused.has(connection) || (await connection.unreadAfter(1)) === '') continue;
      const answer = await connection.answer();
      expectRefusal(answer, 503, 'service_unavailable');
      expect(answer.headers.get('retry-after')).toBe('5');
      refused.add(connection);
    }
  }
  const other = await openProject();
  expect((await world.exchange(requestText(`PUT ${other.path}`, writeLines(other.keyLine), body))).status).toBe(200);

  const statuses: number[] = [];
  for (const connection of connections) {
    if (refused.has(connection)) continue;
    connection.send(body.slice(-1));
    statuses.push((await connection.answer()).status);
  }
  expect(statuses.toSorted()).toEqual([200, ...Array<number>(7).fill(412)]);
  const again = requestText(`PUT ${path}`, writeLines(keyLine), body);
  expect((await world.exchange(again)).status).toBe(412);
});

/** Creates a project in another account. */
async function openProject(): Promise<{ readonly path: string; readonly keyLine: string }> {
  const project = await world.server.newProject(await world.server.newDeveloper());
  const { apiKey } = await world.server.newApiKey(project);
  return { path: `${project.path}/public-state/development`, keyLine: `Authorization: ApiKey ${apiKey}` };
}

describe('a body in small pieces', () => {
  const pieces = [...'{"state":{"text":"', ...'x'.repeat(1_000 - 21), ...'"}}'];

  test('is read if there are a thousand of them', async () => {
    const { path, keyLine } = await world.newDocument();
    const head = requestText(`PUT ${path}`, [...writeLines(keyLine), 'Transfer-Encoding: chunked']);
    expect((await world.exchange(head + chunked(...pieces))).status).toBe(200);
  });

  test('is refused if there are many more, and the connection ends', async () => {
    const { path, keyLine } = await world.newDocument();
    // A cached key needs no lookup, so the body is read as soon as the head has arrived.
    expect((await world.exchange(requestText(`GET ${path}`, [keyLine]))).status).toBe(204);
    const connection = await connect();
    connection.send(requestText(`PUT ${path}`, [...writeLines(keyLine), 'Transfer-Encoding: chunked']));
    connection.send('1\r\nx\r\n'.repeat(2_000));
    expectRefusal(await connection.answer(), 400, 'validation_error');
    await connection.ended();
    expect((await world.exchange(requestText(`GET ${path}`, [keyLine]))).status).toBe(204);
  });

  test('is not buffered before its turn', async () => {
    const { path, keyLine } = await world.newDocument();
    const connection = await connect();
    const create = requestText(`PUT ${path}`, writeLines(keyLine), '{"state":{}}');
    const head = requestText(`PUT ${path}`, [...writeLines(keyLine), 'Transfer-Encoding: chunked']);
    connection.send(`${create}${head}${'1\r\nx\r\n'.repeat(2_000)}`);
    await connection.ended();
  });
});
