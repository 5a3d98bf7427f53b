import { expect, it } from 'vitest';
import { type ClockTrust, createClockTrial } from './clock-trust.ts';

const day = 24 * 3_600_000;

it('a trial reports each look at the clock, and only changes of what is believed', async () => {
  const outcomes = [
    { isTrusted: true, mark: { servedAt: 5 * day, waitedMilliseconds: 0 } },
    { isTrusted: false, mark: { servedAt: 5 * day, waitedMilliseconds: 0 } },
    { isTrusted: false, mark: { servedAt: 5 * day, waitedMilliseconds: day / 2 } },
    { isTrusted: true, mark: { servedAt: 9 * day, waitedMilliseconds: 0 } },
  ];
  const noted: number[] = [];
  const checked: boolean[] = [];
  const changed: ClockTrust[] = [];
  const isTrusted = createClockTrial({
    store: {
      noteTime: async (now, ranMilliseconds) => {
        expect(ranMilliseconds).toBeGreaterThanOrEqual(0);
        noted.push(now);
        const [outcome] = outcomes.splice(0, 1);
        if (outcome === undefined) throw new Error('asked too often');
        return outcome;
      },
    },
    onChecked: (isIt) => checked.push(isIt),
    onChanged: (trust) => changed.push(trust),
  });
  const said: boolean[] = [];
  for (const now of [6 * day, 9 * day, 9 * day + 1, 9 * day + 2]) said.push(await isTrusted(now));
  expect(said).toEqual([true, false, false, true]);
  expect(checked).toEqual(said);
  expect(noted).toEqual([6 * day, 9 * day, 9 * day + 1, 9 * day + 2]);
  expect(changed).toEqual([
    { isTrusted: false, servedAt: new Date(5 * day), hoursLeft: 24 },
    { isTrusted: true, servedAt: new Date(9 * day), hoursLeft: 24 },
  ]);
});

it('a trial names no earlier time if none is known', async () => {
  const changed: ClockTrust[] = [];
  const isTrusted = createClockTrial({
    store: { noteTime: async () => ({ isTrusted: false, mark: { servedAt: 0, waitedMilliseconds: 0 } }) },
    onChecked: () => undefined,
    onChanged: (trust) => changed.push(trust),
  });
  expect(await isTrusted(day)).toBe(false);
  expect(changed).toEqual([{ isTrusted: false, servedAt: null, hoursLeft: 24 }]);
});
