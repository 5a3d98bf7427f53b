import { expect, test } from 'vitest';
import { coalescedByKey } from './coalesced.ts';

test('calls for one key during a read share the next read', async () => {
  let stored = 'before';
  const reads: string[] = [];
  const read = coalescedByKey(async (key) => {
    reads.push(key);
    const seen = `${key} ${stored}`;
    await Promise.resolve();
    return seen;
  });
  const first = read('a');
  stored = 'after';
  const others = [read('a'), read('a'), read('b')];
  expect(await Promise.all([first, ...others])).toEqual(['a before', 'a after', 'a after', 'b after']);
  expect(reads).toEqual(['a', 'b', 'a']);
  await read('a');
  expect(reads).toHaveLength(4);
});

test('a failing read fails for all that share it, and the next one starts fresh', async () => {
  let failures = 2;
  const read = coalescedByKey(async (key) => {
    await Promise.resolve();
    if (failures-- > 0) throw new Error(`no ${key}`);
    return key;
  });
  const outcomes = await Promise.allSettled([read('a'), read('a'), read('a')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await read('a')).toBe('a');
});
