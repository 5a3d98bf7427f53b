/** The attack on changes at set times. */
import { engines as everyEngine } from '../../tooling/database.ts';
import { firstOf, quantile } from '../../tooling/statistics.ts';
import { attack, onEach } from '../attack.ts';
import { tortureSchedules } from './schedules.ts';

const faultsMax = 20;

const quick = {
  schedules: 40,
  projects: 4,
  seconds: 2,
  paceMilliseconds: 1_000,
  calmMilliseconds: { from: 500, to: 1_000 },
  // A busy machine delays steps. One that is lost never comes.
  lateMillisecondsMax: 20_000,
};

export const schedulesAttack = attack({
  option: 'schedules',
  min: 1,
  sizes: { seconds: 480 },
  takes: ['engine', 'small'],
  help: [
    'N changes of 20 projects at set times over --seconds, under kills and cuts, while others write;',
    '--small takes 40 of 4 projects',
  ],
  whole: ({ count, sizes, isSmall, engines }) => {
    const whole = { schedules: count, projects: 20, paceMilliseconds: 4_000, lateMillisecondsMax: 2_000 };
    const spread = { seconds: sizes.seconds, calmMilliseconds: { from: 2_000, to: 8_000 } };
    return { options: isSmall ? quick : { ...whole, ...spread }, engines };
  },
  smoke: { options: quick, engines: everyEngine },
  run: ({ options, engines }, seed) =>
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
