import { expect, test, vi } from 'vitest';
import { memoised } from './memoised.ts';

test('a value is made once for all callers, at the same time and later', async () => {
  const make = vi.fn(async () => ({}));
  const get = memoised(make);
  const [first, second] = await Promise.all([get(), get()]);
  expect(second).toBe(first);
  expect(await get()).toBe(first);
  expect(make).toHaveBeenCalledOnce();
});

test.each([
  ['a rejection', () => Promise.reject(new Error('not yet'))],
  [
    'a throw',
    () => {
      throw new Error('not yet');
    },
  ],
])('a value is made again after %s', async (_, fail: () => Promise<number>) => {
  const make = vi.fn<() => Promise<number>>().mockImplementationOnce(fail).mockResolvedValue(1);
  const get = memoised(make);
  await expect((async () => get())()).rejects.toThrow('not yet');
  expect(await get()).toBe(1);
  expect(await get()).toBe(1);
  expect(make).toHaveBeenCalledTimes(2);
});
