import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import { Thread } from './thread.ts';
import { ThreadPool, type ThreadPoolOptions } from './thread-pool.ts';

type Question = 'echo' | 'exit' | 'fail' | 'stay';
/** Replies, ends, throws, or does none of these. */
const code = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', (question) => {
    if (question === 'echo') parentPort.postMessage(question);
    else if (question === 'exit') process.exit(3);
    else if (question === 'fail') throw new Error('a fault of the work');
  });`;
const startThread = () => new Thread<Question, string>(new Worker(code, { eval: true, name: 'a test' }));
const owner = { account: 'a', subject: 's' };

let pool: ThreadPool<Thread<Question, string>>;
afterEach(() => pool.close());

function open(options: Partial<ThreadPoolOptions<Thread<Question, string>>> = {}): typeof pool {
  pool = new ThreadPool({
    start: startThread,
    threadsMax: 2,
    startsAll: false,
    idleMilliseconds: 60_000,
    bounds: { weightMax: 10, accountWeightMax: 10 },
    tooManyWaiting: 'too much',
    ...options,
  });
  return pool;
}
const ask = (question: Question) => pool.run(owner, 1, (thread) => thread.ask(question));

describe('a pool of threads', () => {
  test('loses no work that arrives as an idle thread is stopped', async () => {
    let started = 0;
    open({
      idleMilliseconds: 1,
      start: () => {
        started++;
        return startThread();
      },
    });
    for (let round = 0; round < 60; round++) {
      expect(await ask('echo')).toBe('echo');
      await sleep(round % 3);
    }
    expect(started).toBeGreaterThan(1);
  });

  test('that starts all has as many threads as it may from the first work on', async () => {
    let started = 0;
    const start = () => {
      started++;
      return startThread();
    };
    open({ threadsMax: 3, startsAll: true, start });
    expect(started).toBe(0);
    expect(await ask('echo')).toBe('echo');
    expect(started).toBe(3);
  });

  test.each([
    ['fail', { name: 'ThreadEnded', message: 'the thread "a test" ended', cause: { message: 'a fault of the work' } }],
    ['exit', { name: 'ThreadEnded', message: 'the thread "a test" ended', cause: undefined }],
  ] as const)('rejects the work of a thread that dies, with the reason, and continues (%s)', async (question, error) => {
    open({ threadsMax: 1 });
    const [ended, next] = await Promise.allSettled([ask(question), ask('echo')]);
    expect(ended).toMatchObject({ status: 'rejected', reason: error });
    expect(next).toEqual({ status: 'fulfilled', value: 'echo' });
  });

  test('continues if a thread cannot be started', async () => {
    let isBroken = true;
    open({
      bounds: { weightMax: 10, accountWeightMax: 10, accountTakenMax: 1 },
      start: () => {
        if (isBroken) throw new Error('no thread');
        return startThread();
      },
    });
    await expect(ask('echo')).rejects.toThrow('no thread');
    isBroken = false;
    expect(await ask('echo')).toBe('echo');
  });

  test('rejects unfinished and later work once closed', async () => {
    open({ threadsMax: 1 });
    const outcomes = Promise.allSettled([ask('stay'), ask('echo')]);
    await pool.close();
    const refusal = { status: 'rejected', reason: { code: 'service_unavailable', retryAfterSeconds: 5 } };
    expect(await outcomes).toMatchObject([refusal, refusal]);
    await expect(ask('echo')).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});
