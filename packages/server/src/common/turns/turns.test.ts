import { setImmediate as nextImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

const { createServer } = process.getBuiltinModule('node:net');

test('work runs in the next turn, in the order of calls, and work it adds in the turn after', async () => {
  const { nextTurn } = createTurns(() => 0);
  const done: string[] = [];
  nextTurn(() => {
    done.push('first');
    nextTurn(() => done.push('third'));
  });
  nextTurn(() => done.push('second'));
  expect(done).toEqual([]);
  await nextImmediate();
  expect(done).toEqual(['first', 'second']);
  await nextImmediate();
  expect(done).toEqual(['first', 'second', 'third']);
});

test('after work, turns with new connections rest twice as long, while others do not', async () => {
  let time = 0;
  const { nextTurn, noteConnection, rests, restedMilliseconds } = createTurns(() => time);
  let worked = 0;
  const work = () => {
    worked++;
    time += 10;
    nextTurn(work);
  };
  nextTurn(work);
  await nextImmediate();
  expect(worked).toBe(1);
  for (let turn = 0; turn < 9; turn++, time += 2) {
    noteConnection();
    await nextImmediate();
  }
  expect(worked).toBe(1);
  expect(rests()).toBe(true);
  time += 2; // 20 ms since the work
  noteConnection();
  await nextImmediate();
  expect(worked).toBe(2);
  expect(rests()).toBe(false);
  expect(restedMilliseconds()).toBe(20);
  await nextImmediate(); // no connection has arrived
  expect(worked).toBe(3);
});

const connections = 300;

/** Opens this many connections, and reports when the operating system has completed them. */
const client = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { connect } = require('node:net');
  parentPort.once('message', (port) => {
    let open = 0;
    for (let n = 0; n < ${connections}; n++)
      connect(port, '127.0.0.1', () => {
        if (++open < ${connections}) return;
        Atomics.store(workerData, 0, 1);
        Atomics.notify(workerData, 0);
      }).on('error', () => {});
  });`;

test('waiting connections do not each wait for a turn full of work', async () => {
  const { nextTurn, noteConnection } = createTurns(() => performance.now());
  const areOpen = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(client, { eval: true, workerData: areOpen });
  let accepted = 0;
  let worked = 0;
  const work = () => {
    worked++;
    const begun = performance.now();
    while (performance.now() - begun < 20);
    if (accepted < connections) nextTurn(work);
  };
  const server = createServer((socket) => {
    socket.on('error', () => {});
    noteConnection();
    if (accepted++ === 0) nextTurn(work);
  });
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', connections, resolve));
    worker.postMessage((server.address() as { port: number }).port);
    Atomics.wait(areOpen, 0, 0); // this thread accepts nothing in the meantime
    await expect.poll(() => accepted).toBe(connections);
    expect(worked).toBeGreaterThan(0);
    expect(worked).toBeLessThan(connections / 2);
  } finally {
    await worker.terminate();
    server.close();
  }
});
