import { describe, expect, test } from 'vitest';
import type { Scope } from './access-changes.ts';
import { ScopedCache } from './scoped-cache.ts';

const scopes: Readonly<Record<string, Scope>> = {
  account: ['a'],
  project: ['a', 'p'],
  key: ['a', 'p', 'k'],
  otherKey: ['a', 'p', 'l'],
  otherProject: ['a', 'q'],
  otherAccount: ['b'],
  projectElsewhere: ['b', 'p'],
};

function filled(sizeMax = 100): ScopedCache<string> {
  const cache = new ScopedCache<string>(sizeMax);
  for (const [name, scope] of Object.entries(scopes)) cache.set(name, name, scope, 1);
  return cache;
}

const kept = (cache: ScopedCache<string>) => Object.keys(scopes).filter((name) => cache.get(name) === name);
const allBut = (...gone: readonly string[]) => Object.keys(scopes).filter((name) => !gone.includes(name));

describe('a scoped cache', () => {
  test.each([
    ['an API key', ['a', 'p', 'k'], ['key']],
    ['a project, with its keys', ['a', 'p'], ['project', 'key', 'otherKey']],
    ['an account, with everything in it', ['a'], ['account', 'project', 'key', 'otherKey', 'otherProject']],
    ['everything', [], Object.keys(scopes)],
    ['an unknown key', ['a', 'p', 'unknown'], []],
  ])('forgets only %s', (_, scope, gone) => {
    const cache = filled();
    cache.forget(scope);
    expect(kept(cache)).toEqual(allBut(...gone));
  });

  test('keeps values added after their scope was forgotten, and forgets them again', () => {
    const cache = filled();
    for (let times = 0; times < 3; times++) {
      cache.forget(['a', 'p']);
      expect(cache.get('key')).toBeUndefined();
      cache.set('key', 'again', ['a', 'p', 'k'], 1);
      expect(cache.get('key')).toBe('again');
    }
    cache.forget(['a']);
    expect(cache.get('key')).toBeUndefined();
    cache.set('key', 'again', ['a', 'p', 'k'], 1);
    cache.forget([]);
    expect(cache.get('key')).toBeUndefined();
    expect(cache.get('otherAccount')).toBeUndefined();
  });

  test('keeps forgetting a scope after its last entry was replaced, deleted or evicted', () => {
    const cache = new ScopedCache<number>(2);
    cache.set('x', 1, ['a', 'p'], 1);
    cache.set('x', 2, ['a', 'p'], 1);
    cache.delete('x');
    cache.set('x', 3, ['a', 'p'], 1);
    cache.set('y', 4, ['b'], 1);
    cache.set('z', 5, ['c'], 1); // pushes x out
    expect(cache.get('x')).toBeUndefined();
    cache.set('x', 6, ['a', 'p'], 1);
    expect(cache.get('x')).toBe(6);
    cache.forget(['a', 'p']);
    expect(cache.get('x')).toBeUndefined();
    expect(cache.get('z')).toBe(5);
  });

  test('moves an entry to its new scope', () => {
    const cache = filled();
    cache.set('key', 'key', ['b', 'p', 'k'], 1);
    cache.forget(['a']);
    expect(cache.get('key')).toBe('key');
    cache.forget(['b', 'p']);
    expect(cache.get('key')).toBeUndefined();
  });

  test('drops a value over its size, and the value that it replaces', () => {
    const cache = filled();
    cache.set('key', 'larger', ['a', 'p', 'k'], 101);
    expect(cache.get('key')).toBeUndefined();
    expect(kept(cache)).toEqual(allBut('key'));
  });

  test('keeps some of the values if more than fit are offered in turn', () => {
    const cache = new ScopedCache<number>(1_000);
    const hits = [0, 0, 0, 0];
    for (const round of hits.keys()) {
      for (let n = 0; n < 3_000; n++) {
        if (cache.get(`k${n}`) === undefined) cache.offer(`k${n}`, n, ['a', `p${n}`], 1);
        else hits[round] = (hits[round] ?? 0) + 1;
      }
    }
    // A cache that accepted everything would never have a hit.
    expect(Math.min(...hits.slice(1))).toBeGreaterThan(500);
  });

  test('accepts a value that is offered repeatedly, even when full', () => {
    const cache = filled(Object.keys(scopes).length);
    for (let times = 0; times < 1_000 && cache.get('new') === undefined; times++) cache.offer('new', 'new', ['c'], 1);
    expect(cache.get('new')).toBe('new');
    expect(kept(cache)).toHaveLength(Object.keys(scopes).length - 1);
  });

  test('accepts values immediately after everything was forgotten', () => {
    const cache = filled(Object.keys(scopes).length);
    cache.forget([]);
    for (const [name, scope] of Object.entries(scopes)) cache.offer(name, name, scope, 1);
    expect(kept(cache)).toEqual(Object.keys(scopes));
  });

  test('stays within its size while scopes are filled and forgotten repeatedly', () => {
    const cache = new ScopedCache<number>(10);
    for (let n = 0; n < 1_000; n++) {
      cache.set(`k${n % 25}`, n, ['loop', `p${n % 25}`], 1);
      cache.forget(['loop', `p${n % 25}`]);
    }
    for (let n = 0; n < 10; n++) cache.set(`last${n}`, n, ['other'], 1);
    for (let n = 0; n < 10; n++) expect(cache.get(`last${n}`)).toBe(n);
  });
});
