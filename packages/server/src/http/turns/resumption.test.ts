import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createResumption } from './resumption.ts';

test('tasks that wait for the same event continue over several turns, in order', async () => {
  const count = 20;
  let now = 0;
  const resumption = createResumption(5, () => now);
  const done: number[] = [];
  const same = setImmediate();
  const work = async (number: number): Promise<void> => {
    await same;
    await resumption();
    await Promise.resolve(); // spreads the work over several microtasks
    now += 2;
    done.push(number);
  };
  const working = Promise.all(Array.from({ length: count }, (_, number) => work(number)));
  const turns: number[] = [];
  await same;
  for (let seen = 0; done.length < count; seen++) {
    await setImmediate();
    if (done.length > (turns.at(-1) ?? 0)) turns.push(done.length);
    expect(seen).toBeLessThan(100);
  }
  await working;
  expect(done).toEqual([...Array(count).keys()]);
  const shares = turns.map((count, turn) => count - (turns[turn - 1] ?? 0));
  expect(shares[0]).toBeLessThanOrEqual(4 + 3); // in the turn of arrival, and perhaps in the next
  expect(Math.max(...shares.slice(1))).toBeLessThanOrEqual(3); // 5 ms, at 2 ms each
});

test('a single task never waits', async () => {
  const resumption = createResumption(5, () => performance.now());
  for (let turn = 0; turn < 5; turn++) {
    expect(resumption()).toBeUndefined();
    await setImmediate();
    await setImmediate();
  }
});
