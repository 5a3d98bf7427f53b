import { expect, test } from 'vitest';
import { StoreUnavailable } from '../storage/store.ts';
import { createReadiness } from './readiness.ts';

test('simultaneous questions share one check, and its answer lasts a quarter of a second', async () => {
  let time = 1_000;
  const checks: PromiseWithResolvers<void>[] = [];
  const isReady = createReadiness(
    () => {
      const check = Promise.withResolvers<void>();
      checks.push(check);
      return check.promise;
    },
    () => time,
  );
  const answers = [isReady(), isReady()];
  time += 10_000; // a slow check does not start a second one
  answers.push(isReady());
  expect(checks).toHaveLength(1);
  checks[0]?.reject(new StoreUnavailable('cannot write: the disk is full'));
  for (const answer of answers) await expect(answer).rejects.toThrow('the disk is full');

  time += 249;
  await expect(isReady()).rejects.toBeInstanceOf(StoreUnavailable);
  expect(checks).toHaveLength(1);
  time += 1;
  const next = isReady();
  expect(checks).toHaveLength(2);
  checks[1]?.resolve();
  await expect(next).resolves.toBeUndefined();
});
