import { expect, test } from 'vitest';
import { isAlike } from './alike.ts';

test('values with the same JSON are alike, whatever their objects', () => {
  expect(isAlike({ at: [1, { a: null }] }, { at: [1, { a: null }] })).toBe(true);
  expect(isAlike({ at: new Date(1) }, { at: new Date(1) })).toBe(true);
  expect(isAlike([new URL('https://x.example/')], [new URL('https://x.example')])).toBe(true);
});

test('values with different JSON are not alike, nor are instances without any', () => {
  for (const [one, other] of [
    [{ at: new Date(1) }, { at: new Date(2) }],
    [new Date(1), new Date(1).toJSON()],
    [new Map(), new Map()],
    [{ a: undefined }, {}],
    [[], {}],
    [null, undefined],
    [{ length: 0 }, []],
  ]) {
    expect(isAlike(one, other)).toBe(false);
    expect(isAlike(other, one)).toBe(false);
  }
});
