import { describe, expect, test, vi } from 'vitest';
import { type AccessChange, AccessListeners, accountChange, everything, projectChange } from './access-changes.ts';
import { AccessCache } from './scoped-cache.ts';

const scopeOf = (key: string) => key.split('/');

function open() {
  const listeners = new AccessListeners();
  const cache = new AccessCache<string>(
    { onAccessChange: (listener) => listeners.add(listener) },
    { bytesMax: 1_000_000, scopeOf },
  );
  return { cache, tell: (change: AccessChange) => listeners.notify(change) };
}

const keyChange: AccessChange = { kind: 'api_key', accountId: 'acc_1', slug: 'p', keyId: 'k' };

describe('an access cache', () => {
  test.each([
    ['an account', accountChange('acc_1'), ['acc_2', 'acc_2/p', 'acc_2/p/k']],
    ['a project', projectChange({ accountId: 'acc_1', slug: 'p' }), ['acc_1', 'acc_1/q', 'acc_2', 'acc_2/p', 'acc_2/p/k']],
    ['an API key', keyChange, ['acc_1', 'acc_1/p', 'acc_1/p/l', 'acc_1/q', 'acc_2', 'acc_2/p', 'acc_2/p/k']],
    ['everything', everything, []],
  ])('after a change of %s keeps the rest', (_, change, left) => {
    const { cache, tell } = open();
    const keys = ['acc_1', 'acc_1/p', 'acc_1/p/k', 'acc_1/p/l', 'acc_1/q', 'acc_2', 'acc_2/p', 'acc_2/p/k'];
    for (const key of keys) cache.fill(key, () => key);
    tell(change);
    expect(keys.filter((key) => cache.get(key) !== undefined)).toEqual(left);
  });

  test('ignores changes of signing keys', () => {
    const { cache, tell } = open();
    cache.fill('acc_1', () => 'x');
    tell({ kind: 'signing_keys', purpose: 'access_token' });
    expect(cache.get('acc_1')).toBe('x');
  });

  test('keeps look-ups made during changes of others, but not of the changed record', async () => {
    const { cache, tell } = open();
    const gate = Promise.withResolvers<void>();
    const lookUp = (key: string) => cache.fill(key, () => gate.promise.then(() => key));
    const lookUps = [lookUp('acc_1/p/k'), lookUp('acc_1/p/l'), lookUp('acc_2/p')];
    tell(keyChange);
    gate.resolve();
    expect(await Promise.all(lookUps)).toEqual(['acc_1/p/k', 'acc_1/p/l', 'acc_2/p']);
    expect(cache.get('acc_1/p/k')).toBeUndefined();
    expect(cache.get('acc_1/p/l')).toBe('acc_1/p/l');
    expect(cache.get('acc_2/p')).toBe('acc_2/p');
  });

  test('discards a look-up if more changed during it than it remembers', async () => {
    const { cache, tell } = open();
    const gate = Promise.withResolvers<void>();
    const found = cache.fill('acc_1', () => gate.promise.then(() => 'x'));
    tell(accountChange('acc_1'));
    for (let n = 0; n < 1_000; n++) tell(accountChange(`acc_other${n}`));
    gate.resolve();
    expect(await found).toBe('x');
    expect(cache.get('acc_1')).toBeUndefined();
  });

  test('never remembers a missing record', () => {
    const { cache } = open();
    const lookUp = vi.fn(() => undefined);
    cache.fill('acc_1', lookUp);
    cache.fill('acc_1', lookUp);
    expect(lookUp).toHaveBeenCalledTimes(2);
  });
});
