import { expect, it } from 'vitest';
import { comingTimes, rereadIn, type Timed } from './proposal-times.ts';

const now = Date.parse('2027-03-20T17:00:00.000Z');
const at = (seconds: number) => new Date(now + seconds * 1_000).toISOString();
const timed = (change: Partial<Timed>): Timed => ({
  state: 'open',
  applyAt: null,
  revertAt: null,
  revertedAt: null,
  ...change,
});

it('an applied proposal has its undo still to come, until it is undone', () => {
  const times = { applyAt: at(-60), revertAt: at(60) };
  expect(comingTimes(timed({ ...times, state: 'open' }))).toEqual({ apply: at(-60), revert: at(60) });
  expect(comingTimes(timed({ ...times, state: 'applied' }))).toEqual({ apply: null, revert: at(60) });
  expect(comingTimes(timed({ ...times, state: 'applied', revertedAt: at(0) }))).toEqual({ apply: null, revert: null });
  expect(comingTimes(timed({ ...times, state: 'failed' }))).toEqual({ apply: null, revert: null });
});

it('proposals are read again a second after the next step, then each second while it is late, otherwise at intervals', () => {
  const wait = (...proposals: Timed[]) => rereadIn(proposals, now) / 1_000;
  expect(wait()).toBe(15);
  expect(wait(timed({}))).toBe(15);
  expect(wait(timed({ applyAt: at(300), revertAt: at(600) }))).toBe(15);
  expect(wait(timed({ applyAt: at(4), revertAt: at(600) }))).toBe(5);
  expect(wait(timed({ state: 'applied', applyAt: at(-30), revertAt: at(7) }))).toBe(8);
  expect(wait(timed({ applyAt: at(300) }), timed({ applyAt: at(2) }))).toBe(3);
  expect(wait(timed({ applyAt: at(-3) }))).toBe(1);
  expect(wait(timed({ state: 'applied', applyAt: at(-3) }))).toBe(15);
  // An undo that cannot be done is tried again after a minute.
  expect(wait(timed({ state: 'applied', revertAt: at(-20) }))).toBe(15);
});
