/** What the mark of the clock says, and the command that believes the clock. */
import { now } from '../common/clock.ts';
import type { Config } from '../config/config.ts';
import { type ClockMark, clockLeadMilliseconds, clockTrialMilliseconds } from '../storage/clock-store.ts';
import { type Finding, findingOf } from './doctor-findings.ts';
import { withOperator } from './operator.ts';

const found = findingOf('machine');
const day = 24 * 60 * 60 * 1000;

/** Returns findings about a clock that says `now`. A service that was stopped for some days finds its clock ahead as well. */
export function examineClock(mark: ClockMark | undefined, now: number): Finding[] {
  if (mark === undefined || mark.servedAt === 0) return [];
  const { servedAt, waitedMilliseconds } = mark;
  const ahead = now - servedAt;
  if (Math.abs(ahead) <= clockLeadMilliseconds) return [];
  const days = `${Math.round(Math.abs(ahead) / day)} days`;
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

/** Believes the clock from now on, beside a running service or alone. Rejects when there is no database. */
export async function acceptClock(config: Config): Promise<void> {
  await withOperator(config, (store) => store.acceptTime(now()));
}
