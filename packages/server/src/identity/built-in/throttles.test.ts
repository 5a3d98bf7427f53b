import { beforeEach, expect, it } from 'vitest';
import { type Charge, createThrottles, type Limit, type Throttles } from './throttles.ts';

const limit: Limit = { name: 'l', countMax: 3, windowSeconds: 60 };
const wide: Limit = { name: 'w', countMax: 5, windowSeconds: 600 };
let nowMs: number;
let throttles: Throttles;

beforeEach(() => {
  nowMs = 1_000_000;
  throttles = createThrottles(() => nowMs);
});
const takeTimes = (count: number, ...charges: Charge[]) => Array.from({ length: count }, () => throttles.take(charges));

it('counts up to the limit, then tells the seconds to wait, until the window ends', () => {
  expect(takeTimes(3, [limit, 'a'])).toEqual([undefined, undefined, undefined]);
  nowMs += 20_500;
  expect(throttles.take([[limit, 'a']])).toBe(40);
  nowMs += 39_499;
  expect(throttles.take([[limit, 'a']])).toBe(1);
  nowMs += 1;
  expect(takeTimes(4, [limit, 'a'])).toEqual([undefined, undefined, undefined, 60]);
});

it('counts each subject and each limit by itself', () => {
  takeTimes(3, [limit, 'a', 'b']);
  for (const other of [
    [limit, 'a'],
    [limit, 'ab'],
    [limit, 'a', 'c'],
    [wide, 'a', 'b'],
  ] as const) {
    expect(throttles.take([other])).toBeUndefined();
  }
  expect(throttles.take([[limit, 'a', 'b']])).toBe(60);
});

it('counts nothing when one of several is used up', () => {
  takeTimes(3, [limit, 'a']);
  expect(takeTimes(10, [limit, 'a'], [wide, 'b'])).toEqual(Array.from({ length: 10 }, () => 60));
  expect(takeTimes(6, [wide, 'b']).at(-1)).toBe(600);
  expect(
    throttles.take([
      [limit, 'a'],
      [wide, 'b'],
    ]),
  ).toBe(600);
});

it('takes back what was no failure', () => {
  takeTimes(3, [limit, 'a'], [wide, 'b']);
  throttles.giveBack([
    [limit, 'a'],
    [wide, 'b'],
  ]);
  expect(takeTimes(2, [limit, 'a'], [wide, 'b'])).toEqual([undefined, 60]);
  nowMs += 60_000;
  throttles.giveBack([[limit, 'a']]);
  expect(takeTimes(4, [limit, 'a'])).toEqual([undefined, undefined, undefined, 60]);
});
