import { describe, expect, it } from 'vitest';
import { paceOf } from './pace.ts';

const day = 86_400_000;

describe('the pace of a month', () => {
  it('is unknown before three days of data, however high the usage', () => {
    expect(paceOf({ used: 40, since: 0, end: 30 * day, now: 5 * 60_000 })).toBeUndefined();
    expect(paceOf({ used: 4_000, since: 20 * day, end: 30 * day, now: 23 * day - 1 })).toBeUndefined();
  });

  it('extrapolates the usage since the account began', () => {
    expect(paceOf({ used: 300, since: 0, end: 30 * day, now: 3 * day })).toBe(3_000);
    expect(paceOf({ used: 300, since: 20 * day, end: 30 * day, now: 25 * day })).toBe(600);
    expect(paceOf({ used: 300, since: 0, end: 30 * day, now: 31 * day })).toBe(300);
  });
});
