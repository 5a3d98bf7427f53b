import { expect, test } from 'vitest';
import { datesBesideClock } from './one-clock.ts';

const file = 'packages/server/src/state/public-state.ts';

test('a call that asks the machine for the date is found, but reading a given date is not', () => {
  const text = `
    const at = Date.now();
    createThing({ now: Date.now });
    const shown = new Date();
    const other = new Date(at).toISOString() + Date.UTC(2026, 1) + Date.parse(text);
    const bare = [new Date, Date()];
    const mine = myDate.now();`;
  const lines = datesBesideClock(file, text).map((each) => /:(\d+): (.*) asks/.exec(each)?.slice(1));
  expect(lines).toEqual([
    ['2', 'Date.now'],
    ['3', 'Date.now'],
    ['4', 'new Date()'],
    ['6', 'new Date'],
    ['6', 'Date('],
  ]);
});

test('the clock module, tests and other packages may ask for it', () => {
  for (const other of [
    'packages/server/src/common/time/clock.ts',
    'packages/server/src/state/x.test.ts',
    'packages/client/src/x.ts',
  ]) {
    expect(datesBesideClock(other, 'Date.now()')).toEqual([]);
  }
});
