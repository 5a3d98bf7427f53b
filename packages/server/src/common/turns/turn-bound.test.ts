import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurnBound } from './turn-bound.ts';

test('a bounded number of tasks runs in one turn of the event loop, the others later, in order', async () => {
  const run = createTurnBound(2);
  const done: number[] = [];
  for (let number = 1; number <= 5; number++) run(() => done.push(number));
  const turns = [[...done]];
  for (let turn = 0; turn < 3; turn++) {
    await setImmediate();
    if (turn === 0) run(() => done.push(6)); // queued last
    turns.push([...done]);
  }
  expect(turns).toEqual([
    [1, 2],
    [1, 2, 3, 4],
    [1, 2, 3, 4, 5, 6],
    [1, 2, 3, 4, 5, 6],
  ]);
});

test('after an idle turn the next one has its full share', async () => {
  const run = createTurnBound(2);
  let done = 0;
  for (let turn = 1; turn <= 3; turn++) {
    run(() => done++);
    run(() => done++);
    expect(done).toBe(2 * turn);
    await setImmediate();
    await setImmediate();
  }
});
