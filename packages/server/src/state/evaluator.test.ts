import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { nestingDepthMax } from '@holdfast/contract';
import { defaultNestingDepthMax } from '@holdfast/json';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEvaluator, type Evaluator } from './evaluator.ts';

const mebibyte = 1024 * 1024;
const small = { kind: 'replacement', body: Buffer.from('{"state":{"a":1}}') } as const;
const large = { kind: 'replacement', body: Buffer.from(`{"state":{"a":1},"x":"${'x'.repeat(100_000)}"}`) } as const;
const result = { kind: 'state', stateText: '{"a":1}', comment: null };
let evaluator: Evaluator;
let threads: Worker[];
const onWorker = (worker: Worker) => threads.push(worker);

function start(options: { bodyBytesMax?: number; idleMilliseconds?: number } = {}): Evaluator {
  evaluator = createEvaluator({ inTurn: (work) => work(), bodyBytesMax: mebibyte, ...options });
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
  test('has no thread for small bodies, nor before the first large one', async () => {
    expect(await start().evaluate(small)).toEqual(result);
    expect(threads).toHaveLength(0);
    expect(await evaluator.evaluate(large)).toEqual(result);
    expect(threads).toHaveLength(1);
  });

  test('comes to the same on the thread as off it', async () => {
    const padding = `"x":"${'é'.repeat(100_000)}"`;
    for (const text of [
      '{"ops":[{"op":"add","path":"/b","value":1e400}],"comment":"c"',
      '{"ops":[]',
      '{"ops":[{"op":"copy"}]',
    ]) {
      const outcome = (body: string) =>
        start()
          .evaluate({ kind: 'patch', body: Buffer.from(body), currentText: '{"a":"\\ud800"}', isSatisfied: true })
          .catch((error: unknown) => error);
      expect(await outcome(`${text},${padding}}`), text).toEqual(await outcome(`${text}}`));
      await evaluator.close();
    }
    expect(threads.length).toBeGreaterThan(0);
  });

  test('has two threads for any number of large bodies, and answers all', async () => {
    start();
    expect(await Promise.all(Array.from({ length: 30 }, () => evaluator.evaluate(large)))).toEqual(Array(30).fill(result));
    expect(threads).toHaveLength(2);
  });

  test('ends a thread that has been idle, and starts another when there is work again', async () => {
    start({ idleMilliseconds: 20 });
    await evaluator.evaluate(large);
    await once(threads[0] as Worker, 'exit');
    expect(await evaluator.evaluate(large)).toEqual(result);
    expect(threads).toHaveLength(2);
  });

  test('has memory for the dearest shapes of the largest body, two at once', { timeout: 60_000 }, async () => {
    const arrays = `${'['.repeat(250)}${']'.repeat(250)}`;
    for (const first of ['1', '1e400']) {
      const text = `{"state":{"a":[${first},${Array(2 * 2_090)
        .fill(arrays)
        .join(',')}]}}`;
      const body = Buffer.from(text);
      start({ bodyBytesMax: body.length });
      const request = { kind: 'replacement', body } as const;
      const outcomes = await Promise.all([evaluator.evaluate(request), evaluator.evaluate(request)]);
      expect(outcomes).toEqual(Array(2).fill({ kind: 'too_large', characters: text.length - '{"state":}'.length }));
      await evaluator.close();
    }
  });

  test('rejects the body whose thread dies, and no other', async () => {
    start();
    const outcomes = Promise.allSettled(Array.from({ length: 6 }, () => evaluator.evaluate(large)));
    await setTimeout(1); // threads are announced in a later turn
    await threads[0]?.terminate();
    expect((await outcomes).map(({ status }) => status).toSorted()).toEqual([...Array(5).fill('fulfilled'), 'rejected']);
  });

  test('refuses when too much is waiting, and answers what it took', async () => {
    start();
    const body = Buffer.concat([large.body, Buffer.alloc(30 * mebibyte, ' ')]);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => evaluator.evaluate({ kind: 'replacement', body })),
    );
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(2); // two are under way, four wait
    for (const { reason } of refused as PromiseRejectedResult[]) {
      expect(reason).toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 5 });
    }
  });

  test('ends its threads when it is closed, and rejects what it has not answered', async () => {
    start();
    const outcomes = Promise.allSettled(Array.from({ length: 5 }, () => evaluator.evaluate(large)));
    await setTimeout(1); // threads are announced in a later turn
    await evaluator.close();
    expect((await outcomes).map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    expect(threads.map(({ threadId }) => threadId)).toEqual([-1, -1]);
    await expect(evaluator.evaluate(large)).rejects.toThrow('the service has stopped');
  });
});

test('patches nest as deep as the contract allows', () => {
  expect(defaultNestingDepthMax).toBe(nestingDepthMax);
});
