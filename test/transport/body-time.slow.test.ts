import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startUnhindered } from '../../tooling/readings.ts';
import type { RawConnection } from '../support/raw.ts';
import { expectRefusal, openWorld, requestText, type World, writeLines } from './world.ts';

/** Sends the head of a PUT with a large body, then `piece` at intervals. */
async function trickle(world: World, piece: string, everyMilliseconds: number): Promise<RawConnection> {
  const connection = await world.connect();
  connection.send(requestText(`PUT ${world.statePath}`, [...writeLines(world.keyLine), 'Content-Length: 1000000']));
  const timer = setInterval(() => (connection.isOpen() ? connection.send(piece) : clearInterval(timer)), everyMilliseconds);
  const close = () => {
    clearInterval(timer);
    connection.close();
  };
  return { ...connection, close };
}

/** The answer, and how long it took: with the time for which this process had no processor, and without. */
const secondsUntilAnswer = async (connection: RawConnection, status: number) => {
  const [startedAt, elapsed] = [performance.now(), startUnhindered('self')];
  const answer = await connection.answer();
  expectRefusal(answer, status, 'request_timeout');
  return { answer, atLeast: elapsed() / 1000, atMost: (performance.now() - startedAt) / 1000 };
};

describe.concurrent('SVC_BODY_TIMEOUT_SECONDS=1', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ SVC_BODY_TIMEOUT_SECONDS: '1' });
  });
  afterAll(() => world.stop());

  test('408 after a second, however fast the bytes arrive, and the connection is closed', async () => {
    const connection = await trickle(world, 'x'.repeat(1_000), 20);
    const { atLeast, atMost, answer } = await secondsUntilAnswer(connection, 408);
    expect(answer.headers.get('connection')).toBe('close');
    expect(atMost).toBeGreaterThan(0.9);
    expect(atLeast).toBeLessThan(10); // 30 by default
    await connection.ended();
    connection.close();
  });

  test('408 for a client that sends no body, in chunks or not', async () => {
    for (const line of ['Content-Length: 10', 'Transfer-Encoding: chunked']) {
      const answer = await world.exchange(requestText(`PUT ${world.statePath}`, [...writeLines(world.keyLine), line]));
      expectRefusal(answer, 408, 'request_timeout');
    }
  });

  test('408 for a client that gets 100 and does not continue', async () => {
    const connection = await world.connect();
    const lines = [...writeLines(world.keyLine), 'Expect: 100-continue', 'Content-Length: 10'];
    connection.send(requestText(`PUT ${world.statePath}`, lines));
    expect((await connection.answer()).status).toBe(100);
    expectRefusal(await connection.answer(), 408, 'request_timeout');
    connection.close();
  });

  test('the limit applies to each body, not to the connection', async () => {
    const { path, keyLine } = await world.newDocument();
    const connection = await world.connect();
    for (let version = 0; version < 4; version++) {
      const precondition = version === 0 ? 'If-None-Match: *' : `If-Match: "${version}"`;
      connection.send(
        requestText(`PUT ${path}`, [keyLine, 'Content-Type: application/json', precondition], '{"state":{}}'),
      );
      expect((await connection.answer()).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    connection.close();
  });
});

describe('at least 240 bytes a second, after five seconds', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.stop());

  test('408 below that rate soon after five seconds; a faster client continues', async () => {
    const [slow, fast] = await Promise.all([trickle(world, 'x'.repeat(20), 100), trickle(world, 'x'.repeat(80), 100)]);
    const { atLeast, atMost } = await secondsUntilAnswer(slow, 408);
    expect(atMost).toBeGreaterThan(4.8);
    expect(atLeast).toBeLessThan(15); // a whole body has 30
    expect(await fast.unreadAfter(1_500)).toBe('');
    expect(fast.isOpen()).toBe(true);
    slow.close();
    fast.close();
  });
});
