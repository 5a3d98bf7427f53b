import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { nestingDepthMax } from '@holdfast/contract';
import { defaultNestingDepthMax } from '@holdfast/json';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEvaluator, type Evaluator, evaluationThreadsMax } from './evaluator.ts';

const mebibyte = 1024 * 1024;
const small = { kind: 'replacement', body: Buffer.from('{"state":{"a":1}}') } as const;
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
  test('has no thread for small bodies, or before the first large one', async () => {
    expect(await start().evaluate(owner, small)).toEqual(result);
    expect(threads).toHaveLength(0);
    expect(await evaluator.evaluate(owner, large)).toEqual(result);
    expect(threads).toHaveLength(1);
  });

  test('needs no thread for a large body that changes one value of the current document', async () => {
    const currentText = `{"a":1,"x":"${'x'.repeat(100_000)}"}`;
    const stateText = currentText.replace('1', '23');
    const send = (state: string, more: object = {}) =>
      evaluator.evaluate(owner, { kind: 'replacement', body: Buffer.from(`{"state":${state}}`), currentText, ...more });
    start();
    const edits = [{ start: 5, end: 6, replacement: '23' }];
    expect(await send(stateText)).toEqual({ kind: 'state', stateText, comment: null, edits });
    expect(threads).toHaveLength(0);
    await expect(send(stateText, { requiresComment: true })).rejects.toThrow('must say what the change is for');
    expect(await send(stateText.replace('23', '2.0'))).toMatchObject({ stateText: currentText.replace('1', '2') });
    expect(threads).toHaveLength(1);
  });

  test('gives the same result with and without a thread', async () => {
    const padding = `"x":"${'é'.repeat(100_000)}"`;
    for (const text of [
      '{"ops":[{"op":"add","path":"/b","value":1e400}],"comment":"c"',
      '{"ops":[]',
      '{"ops":[{"op":"copy"}]',
    ]) {
      const outcome = async (body: string) => {
        const request = {
          kind: 'patch',
          body: Buffer.from(body),
          currentText: '{"a":"\\ud800"}',
          isSatisfied: true,
        } as const;
        try {
          return await start().evaluate(owner, request);
        } catch (error) {
          return error;
        }
      };
      expect(await outcome(`${text},${padding}}`), text).toEqual(await outcome(`${text}}`));
      await evaluator.close();
    }
    expect(threads.length).toBeGreaterThan(0);
  });

  test('has two threads for any number of large bodies, and answers all', async () => {
    start();
    expect(await Promise.all(owners(30).map((one) => evaluator.evaluate(one, large)))).toEqual(Array(30).fill(result));
    expect(threads).toHaveLength(2);
  });

  test.each([
    [1, 2],
    [2, 2],
    [4, 4],
    [64, 8],
  ])('has on %d cores up to %d threads', (cores, expected) => {
    expect(evaluationThreadsMax(cores)).toBe(expected);
  });

  test('stops an idle thread, and starts another for new work', async () => {
    start({ idleMilliseconds: 20 });
    await evaluator.evaluate(owner, large);
    await once(threads[0] as Worker, 'exit');
    expect(await evaluator.evaluate(owner, large)).toEqual(result);
    expect(threads).toHaveLength(2);
  });

  test('compiles a schema on a thread, then validates small bodies without one', async () => {
    start({ idleMilliseconds: 20 });
    const schemaText = String.raw`{"properties":{"a":{"type":"string","pattern":"^[\\p{L}\\p{N}]+$"}}}`;
    const schema = { name: 'a', schemaText, mode: 'enforce', isSmall: true, byPlayer: false } as const;
    const misfit = { kind: 'schema_violation', violations: [{ path: '/a', keyword: 'type' }] };
    expect(await evaluator.evaluate(owner, { ...small, schema })).toMatchObject(misfit);
    expect(threads.length).toBeGreaterThan(0);
    for (let started = 0; started < threads.length; started = threads.length)
      await Promise.all(threads.map((thread) => thread.threadId === -1 || once(thread, 'exit')));
    const started = threads.length;
    expect(await evaluator.evaluate(owner, { ...small, schema })).toMatchObject(misfit);
    expect(threads).toHaveLength(started);
  });

  test('rejects only the body whose thread dies', async () => {
    start();
    const outcomes = Promise.allSettled(owners(6).map((one) => evaluator.evaluate(one, large)));
    await setTimeout(1); // threads are announced in a later turn
    await threads[0]?.terminate();
    expect((await outcomes).map(({ status }) => status).toSorted()).toEqual([...Array(5).fill('fulfilled'), 'rejected']);
  });

  test('stops its threads when closed, and rejects unanswered work', async () => {
    start();
    const outcomes = Promise.allSettled(owners(5).map((one) => evaluator.evaluate(one, large)));
    await setTimeout(1); // threads are announced in a later turn
    await evaluator.close();
    expect((await outcomes).map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    expect(threads.map(({ threadId }) => threadId)).toEqual([-1, -1]);
    await expect(evaluator.evaluate(owner, large)).rejects.toThrow('the service has stopped');
  });
});

test('patches may nest as deep as the contract allows', () => {
  expect(defaultNestingDepthMax).toBe(nestingDepthMax);
});
