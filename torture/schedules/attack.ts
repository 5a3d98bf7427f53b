/** The attack on changes at set times, with its report line. */
import type { Engine } from '../../tooling/database.ts';
import { firstOf, quantile } from '../../tooling/statistics.ts';
import { type Attack, onEach } from '../attacks.ts';
import { type SchedulesOptions, tortureSchedules } from './schedules.ts';

const faultsMax = 20;

/** Changes of 20 projects on each engine. */
export const schedulesAttack = (
  options: Omit<SchedulesOptions, 'engine' | 'seed'>,
  engines: readonly Engine[],
): Attack => ({
  name: 'times',
  run: (seed) =>
    onEach(engines, async (engine) => {
      const { counts, disturbances, otherVersions, down, delayed, ...found } = await tortureSchedules({
        ...options,
        engine,
        seed,
      });
      const delays = Float64Array.from(found.delays).sort();
      const [half, most, all] = [0.5, 0.99, 1].map((share) => Math.round(quantile(delays, share)));
      const steps = `${delays.length} steps, ${delayed} of them delayed by the ${Math.round(down / 1_000)} s of outages, which do not count`;
      const times = `median ${half} ms, p99 ${most} ms and at most ${all} ms late (${steps})`;
      const summary = `${engine}: ${options.schedules} changes (${counts}), ${otherVersions} versions of others; ${times}; ${disturbances}`;
      return { summary, faults: firstOf(found.faults, faultsMax) };
    }),
});
