import { expect, test } from 'vitest';
import { type EndedRun, keptFor } from './kept-for.ts';

test('simultaneous calls share one run, and its result is kept for the time that follows from it', async () => {
  let time = 1_000;
  const runs: PromiseWithResolvers<string>[] = [];
  const ended: EndedRun[] = [];
  const result = keptFor(
    () => {
      const run = Promise.withResolvers<string>();
      runs.push(run);
      return run.promise;
    },
    (run) => {
      ended.push(run);
      return run.hasFailed ? 250 : 1_000;
    },
    () => time,
  );
  const results = [result(), result()];
  time += 10_000; // a slow run does not start a second one
  results.push(result());
  expect(runs).toHaveLength(1);
  runs[0]?.reject(new Error('the disk is full'));
  for (const each of results) await expect(each).rejects.toThrow('the disk is full');

  time += 249;
  await expect(result()).rejects.toThrow('the disk is full');
  expect(runs).toHaveLength(1);
  time += 1;
  const next = result();
  expect(runs).toHaveLength(2);
  time += 20;
  runs[1]?.resolve('done');
  await expect(next).resolves.toBe('done');
  time += 999;
  await expect(result()).resolves.toBe('done');
  expect(runs).toHaveLength(2);
  time += 1;
  result();
  expect(runs).toHaveLength(3);
  expect(ended).toEqual([
    { hasFailed: true, milliseconds: 10_000 },
    { hasFailed: false, milliseconds: 20 },
  ]);
});
