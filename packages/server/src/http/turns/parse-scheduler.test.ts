import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createParseScheduler } from './parse-scheduler.ts';

const owner = (account: string, subject = 'one') => ({ account, subject });

/** A scheduler whose clock advances by a millisecond with each piece of work. */
function start() {
  let time = 0;
  const done: string[] = [];
  const scheduler = createParseScheduler(0.5, () => time);
  const run = (account: string, name: string) =>
    scheduler.run(
      () => owner(account),
      () => {
        time += 1;
        done.push(name);
        return name;
      },
    );
  return { scheduler, run, done };
}

test('the first work of a turn runs immediately, the rest in later turns', async () => {
  const { run, done } = start();
  expect(run('a', 'a1')).toBe('a1');
  const others = [run('a', 'a2'), run('a', 'a3')];
  expect(done).toEqual(['a1']);
  expect(await Promise.all(others)).toEqual(['a2', 'a3']);
  await nextTurn();
  expect(run('a', 'a4')).toBe('a4');
});

test('accounts take turns: the queue of one does not delay another', async () => {
  const { run, done } = start();
  const flood = Array.from({ length: 50 }, (_, i) => run('greedy', `g${i}`));
  const other = run('other', 'other');
  await other;
  expect(done.length).toBeLessThanOrEqual(4);
  await Promise.all(flood);
  expect(done).toHaveLength(51);
});

test('failing work rejects, and the rest continues', async () => {
  const { scheduler, run } = start();
  run('a', 'a1');
  const failing = scheduler.run(
    () => owner('a'),
    () => {
      throw new Error('no JSON');
    },
  );
  const next = run('a', 'a2');
  await expect(failing).rejects.toThrow('no JSON');
  expect(await next).toBe('a2');
});
