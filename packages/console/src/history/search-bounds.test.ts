import { expect, it } from 'vitest';
import { isSpent } from './search-bounds.ts';

const cheapCount = 50;
const versions = (count: number, stateSizeBytes: number) => Array.from({ length: count }, () => ({ stateSizeBytes }));

it.each<[string, readonly { stateSizeBytes: number }[], { since: number; looked: number }, boolean]>([
  ['small versions, up to a thousand', versions(2_000, 10), { since: 0, looked: 999 }, false],
  ['a thousand versions', versions(2_000, 10), { since: 0, looked: 1_000 }, true],
  ['the newest versions, however large', versions(100, 1_000_000), { since: 0, looked: cheapCount }, false],
  ['twelve megabytes of older ones', versions(100, 1_000_000), { since: 0, looked: cheapCount + 12 }, false],
  ['more than that', versions(100, 1_000_000), { since: 0, looked: cheapCount + 13 }, true],
  ['as much again, once asked for', versions(100, 1_000_000), { since: cheapCount + 13, looked: cheapCount + 20 }, false],
])('of %s: whether a search pauses', (_, items, progress, expected) => {
  expect(isSpent(items, progress, cheapCount)).toBe(expected);
});
