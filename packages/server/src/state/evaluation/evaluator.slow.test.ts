import { setTimeout } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEvaluator, type Evaluator } from './evaluator.ts';

const mebibyte = 1024 * 1024;
const large = { kind: 'replacement', body: Buffer.from(`{"state":{"a":1},"x":"${'x'.repeat(100_000)}"}`) } as const;
const result = { kind: 'state', stateText: '{"a":1}', comment: null };
const owner = { account: 'acc_1', subject: 'hello/production' };
const owners = (count: number) => Array.from({ length: count }, (_, i) => ({ ...owner, account: `acc_${i}` }));
let evaluator: Evaluator;
let threads: Worker[];
const onWorker = (worker: Worker) => threads.push(worker);

function start(options: { bodyBytesMax?: number; idleMilliseconds?: number } = {}): Evaluator {
  evaluator = createEvaluator({ inTurn: (_, work) => work(), bodyBytesMax: mebibyte, threadsMax: 2, ...options });
  return evaluator;
}

beforeEach(() => {
  threads = [];
  process.on('worker', onWorker);
});
afterEach(async () => {
  process.off('worker', onWorker);
  await evaluator.close();
});

describe('an evaluator', () => {
  test('lets no account occupy every thread, so that another does not wait for it', async () => {
    start();
    let answered = 0;
    // Each takes a tenth of a second, so the second thread starts long before all are done.
    const body = Buffer.from(`{"state":{"a":1},"x":[${Array(150_000).fill('1e400').join(',')}]}`);
    const request = { kind: 'replacement', body } as const;
    const flood = Array.from({ length: 12 }, async () => {
      await evaluator.evaluate(owner, request);
      answered++;
    });
    await setTimeout(1); // threads are announced in a later turn
    expect(threads).toHaveLength(1);
    await evaluator.evaluate({ ...owner, account: 'acc_2' }, large);
    expect(threads).toHaveLength(2);
    expect(answered).toBeLessThan(12);
    await Promise.all(flood);
  });

  test('keeps queue room for others', async () => {
    start();
    const body = Buffer.concat([large.body, Buffer.alloc(7 * mebibyte, ' ')]);
    const request = { kind: 'replacement', body } as const;
    const flood = Promise.allSettled(Array.from({ length: 30 }, () => evaluator.evaluate(owner, request)));
    expect(await evaluator.evaluate({ ...owner, subject: 'hello/staging' }, request)).toEqual(result);
    expect(await evaluator.evaluate({ ...owner, account: 'acc_2' }, request)).toEqual(result);
    expect((await flood).filter(({ status }) => status === 'fulfilled')).toHaveLength(1 + 5); // one under way, 35 MiB waiting
  });

  test('has memory for the most expensive forms of the largest body, two at a time', async () => {
    const arrays = `${'['.repeat(250)}${']'.repeat(250)}`;
    for (const first of ['1', '1e400']) {
      const text = `{"state":{"a":[${first},${Array(2 * 2_090)
        .fill(arrays)
        .join(',')}]}}`;
      const body = Buffer.from(text);
      start({ bodyBytesMax: body.length });
      const request = { kind: 'replacement', body } as const;
      const outcomes = await Promise.all(owners(2).map((one) => evaluator.evaluate(one, request)));
      expect(outcomes).toEqual(Array(2).fill({ kind: 'too_large', characters: text.length - '{"state":}'.length }));
      await evaluator.close();
    }
  });

  test('refuses work if too much is waiting, and finishes accepted work', async () => {
    start();
    const body = Buffer.concat([large.body, Buffer.alloc(30 * mebibyte, ' ')]);
    const outcomes = await Promise.allSettled(
      owners(8).map((one) => evaluator.evaluate(one, { kind: 'replacement', body })),
    );
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(2); // two are under way, and four are waiting
    for (const { reason } of refused as PromiseRejectedResult[]) {
      expect(reason).toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 5 });
    }
  });
});
