/** Findings from the clock mark, and the command that accepts the clock. */

import { now } from '../../common/time/clock.ts';
import { dayMilliseconds } from '../../common/time/durations.ts';
import type { Config } from '../../config/config.ts';
import { type ClockMark, clockLeadMilliseconds, clockTrialMilliseconds } from '../../storage/contract/installation.ts';
import { withOperator } from '../operator.ts';
import { type Finding, findingOf } from './findings.ts';

const found = findingOf('machine');

/** Returns findings about a clock that shows `now`. A service that was stopped for some days also finds its clock ahead. */
export function examineClock(mark: ClockMark | undefined, now: number): Finding[] {
  if (mark === undefined || mark.servedAt === 0) return [];
  const { servedAt, waitedMilliseconds } = mark;
  const ahead = now - servedAt;
  if (Math.abs(ahead) <= clockLeadMilliseconds) return [];
  const days = `${Math.round(Math.abs(ahead) / dayMilliseconds)} days`;
  const last = new Date(servedAt).toISOString();
  if (ahead < 0) {
    const finding = `the clock is ${days} behind the newest time at which the service ran, ${last}`;
    const advice = 'set the clock of the machine; if it is right and was ahead then, run "holdfast doctor --accept-clock"';
    return [found('warning', finding, advice)];
  }
  const hours = Math.ceil((clockTrialMilliseconds - waitedMilliseconds) / 3_600_000);
  const finding = `the clock is ${days} ahead of the last time that the service ran, ${last}: expired data is not removed until it has run for ${hours} h`;
  const advice =
    'make sure that the clock of the machine is right; if it is, "holdfast doctor --accept-clock" ends the wait';
  return [found(waitedMilliseconds > 0 ? 'warning' : 'note', finding, advice)];
}

/** Accepts the current clock, with or without a running service. Rejects if there is no database. */
export async function acceptClock(config: Config): Promise<void> {
  await withOperator(config, (store) => store.acceptTime(now()));
}
