import { Registry } from 'prom-client';
import { beforeEach, expect, test } from 'vitest';
import { type ClockGauges, showClock } from './clock-gauges.ts';

let registry: Registry;
let gauges: ClockGauges;
beforeEach(() => {
  registry = new Registry();
  gauges = showClock(registry);
});

/** The lines of the metrics without their descriptions. */
const shown = async () => (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));

test('a doubted clock is shown, and one that is trusted again', async () => {
  gauges.checked(false);
  expect(await shown()).toEqual(['holdfast_clock_doubted 1']);
  gauges.checked(true);
  expect(await shown()).toEqual(['holdfast_clock_doubted 0']);
});

test('the offset of the clock of the database appears once it is measured', async () => {
  expect(await shown()).toEqual(['holdfast_clock_doubted 0']);
  for (const seconds of [2.5, -0.25]) {
    gauges.measured(seconds);
    expect(await shown()).toEqual(['holdfast_clock_doubted 0', `holdfast_clock_offset_seconds ${seconds}`]);
  }
});
