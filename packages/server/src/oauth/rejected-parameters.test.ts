import { expect, test } from 'vitest';
import { createRejectedParameters } from './rejected-parameters.ts';

const project = (accountId: string) => ({ accountId, slug: 'game' });
const scope = (value: string) => ({ kind: 'scope', value }) as const;

test('of more than 500 accounts, those that rejected nothing for the longest time are forgotten', () => {
  const rejected = createRejectedParameters(() => 0);
  for (let account = 0; account <= 500; account++) rejected.note(project(`acc_${account}`), scope('a'));
  expect(rejected.of(project('acc_0'))).toEqual([]);
  expect(rejected.of(project('acc_1'))).toEqual([{ ...scope('a'), slug: 'game', at: 0 }]);
});

test('an account has its 16 newest, each of 200 characters and for a day', () => {
  let now = 0;
  const rejected = createRejectedParameters(() => now);
  const values = Array.from({ length: 17 }, (_, i) => `${String(i).padStart(2, '0')}${'x'.repeat(198)}`);
  for (const value of values) rejected.note(project('acc_1'), scope(`${value}y`));
  const kept = () => rejected.of(project('acc_1')).map(({ value }) => value);
  expect(kept()).toEqual(values.slice(1).reverse());
  now = 24 * 60 * 60_000 - 1;
  expect(kept()).toHaveLength(16);
  now += 1;
  expect(kept()).toEqual([]);
});
