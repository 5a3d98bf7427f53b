import { expect, test } from 'vitest';
import { accountName, projectName } from '../caches/record-names.ts';
import type { PublicState, PublicStateKey, ReadOutcome } from '../contract/public-states.ts';
import { aProject } from '../store-suite/records.fixture.ts';
import { RecordCache, stateName } from './record-cache.ts';

const key: PublicStateKey = { accountId: 'acc_1', slug: 'p', environment: 'production' };
const name = stateName(key);
const project = aProject({ createdAt: 1 });
const record = (version: number, stateText = '{}'): PublicState => ({ version, stateText, stateBytes: 2, comment: null });
const present = (version: number): ReadOutcome<PublicState> => ({ kind: 'present', record: record(version) });

function cacheWith(version: number): RecordCache {
  const cache = new RecordCache(10_000);
  cache.keepState(name, key, present(version));
  return cache;
}

test('a read record is kept, as the same object', () => {
  const cache = new RecordCache(10_000);
  const outcome = present(1);
  cache.keepState(name, key, outcome);
  expect(cache.state(name)).toBe(outcome);
});

test('a write under way removes the record, and nothing read meanwhile is kept', () => {
  const cache = cacheWith(1);
  cache.begin(name);
  expect(cache.state(name)).toBeUndefined();
  cache.keepState(name, key, present(1));
  expect(cache.state(name)).toBeUndefined();
});

test('an acknowledged write leaves its record', () => {
  const cache = cacheWith(1);
  cache.begin(name);
  cache.endWrite(name, key, record(2));
  expect(cache.state(name)).toEqual(present(2));
});

test('a write acknowledged after a read of the database leaves nothing: the read may be of a later one', () => {
  const cache = cacheWith(1);
  cache.begin(name);
  cache.keepState(name, key, present(3));
  cache.endWrite(name, key, record(2));
  expect(cache.state(name)).toBeUndefined();
});

test('only the last of several writes under way leaves its record', () => {
  const cache = cacheWith(1);
  cache.begin(name);
  cache.begin(name);
  cache.endWrite(name, key, record(2));
  expect(cache.state(name)).toBeUndefined();
  cache.keepState(name, key, present(2));
  expect(cache.state(name)).toBeUndefined();
  cache.end(name);
  cache.keepState(name, key, present(2));
  expect(cache.state(name)).toEqual(present(2));
});

test.each([
  ['project', projectName({ accountId: 'acc_1', slug: 'q' })],
  ['account', accountName('acc_2')],
])('a change of another %s leaves the record alone', (_, changed) => {
  const cache = cacheWith(1);
  cache.remember(projectName(key), () => project);
  cache.begin(changed);
  expect(cache.state(name)).toEqual(present(1));
  expect(cache.remember(projectName(key), () => undefined)).toBe(project);
  cache.end(changed);
});

test.each([projectName(key), accountName('acc_1')])('while %s changes, nothing within it is kept', (scope) => {
  const cache = cacheWith(1);
  cache.remember(projectName(key), () => project);
  cache.begin(scope);
  cache.begin(name);
  expect([cache.state(name), cache.remember(projectName(key), () => undefined)]).toEqual([undefined, undefined]);
  cache.endWrite(name, key, record(2));
  cache.keepState(name, key, present(2));
  cache.remember(projectName(key), () => project);
  expect([cache.state(name), cache.remember(projectName(key), () => undefined)]).toEqual([undefined, undefined]);
  cache.end(scope);
  cache.remember(projectName(key), () => project);
  expect(cache.remember(projectName(key), () => undefined)).toBe(project);
});

test('clearing forgets everything, even the record of a write under way', () => {
  const cache = cacheWith(1);
  const other = stateName({ ...key, environment: 'staging' });
  cache.begin(other);
  cache.clear();
  cache.endWrite(other, { ...key, environment: 'staging' }, record(2));
  expect([cache.state(name), cache.state(other)]).toEqual([undefined, undefined]);
});

const large = (slug: string) => ({ ...key, slug });
const largeRecord = (slug: string): PublicState => record(1, slug.repeat(4_000));

test('written records are bounded by their characters, and the least recently used are dropped first', () => {
  const cache = new RecordCache(10_000);
  for (const slug of ['a', 'b', 'c']) {
    cache.begin(stateName(large(slug)));
    cache.endWrite(stateName(large(slug)), large(slug), largeRecord(slug));
  }
  expect(['a', 'b', 'c'].map((slug) => cache.state(stateName(large(slug))) !== undefined)).toEqual([false, true, true]);
});

test('read records are bounded too, and reading many in turn keeps some of them', () => {
  const cache = new RecordCache(100 * 4_300);
  const slugs = Array.from({ length: 300 }, (_, n) => String.fromCharCode(0x4e00 + n));
  const readAll = () =>
    slugs.filter((slug) => {
      const known = cache.state(stateName(large(slug)));
      if (known === undefined)
        cache.keepState(stateName(large(slug)), large(slug), { kind: 'present', record: largeRecord(slug) });
      return known !== undefined;
    }).length;
  readAll();
  const found = readAll();
  expect(found).toBeGreaterThan(20);
  expect(found).toBeLessThanOrEqual(100);
});
