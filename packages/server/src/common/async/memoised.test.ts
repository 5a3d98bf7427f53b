import { describe, expect, it, test, vi } from 'vitest';
import { loadable, memoised } from './memoised.ts';

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

describe('a part that is loaded on first use', () => {
  it('is used only once it is loaded', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const { load, ifLoaded } = loadable(() => promise);
    expect(ifLoaded(() => 'used')).toBeUndefined();
    const loading = load();
    expect(ifLoaded(() => 'used')).toBeUndefined();
    resolve('part');
    expect(await loading).toBe('part');
    expect(ifLoaded((part) => `${part} in use`)).toBe('part in use');
  });

  it('is not loaded after a fault, and is loaded by the next call', async () => {
    const loads = [() => Promise.reject(new Error('no file')), async () => 'part'];
    const { load, ifLoaded } = loadable(() => (loads.shift() as () => Promise<string>)());
    await expect(load()).rejects.toThrow('no file');
    expect(ifLoaded(() => 'used')).toBeUndefined();
    expect(await load()).toBe('part');
    expect(ifLoaded((part) => part)).toBe('part');
  });
});
