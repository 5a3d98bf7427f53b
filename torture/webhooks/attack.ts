/** The attack on webhooks, with its report line. */
import type { Engine } from '../../tooling/database.ts';
import { quantile } from '../../tooling/statistics.ts';
import { type Attack, onEach } from '../attacks.ts';
import { tortureWebhooks } from './webhooks.ts';

/** The median delay after a commit that is allowed. */
const delayMillisecondsMax = 200;

/** How many versions are written on each engine. `isStrict`: whether a long delay is a fault. */
export const webhooksAttack = (events: number, engines: readonly Engine[], isStrict: boolean): Attack => ({
  name: 'webhooks',
  run: (seed) =>
    onEach(engines, async (engine) => {
      const report = await tortureWebhooks({ engine, events, receivers: 20, perSecond: 8, seed });
      const { versions, received, repeated, refused, delays, faults } = report;
      const median = Math.round(quantile(delays, 0.5));
      const times = `median ${median} ms after the commit, p99 ${Math.round(quantile(delays, 0.99))} ms`;
      const met = `${versions} versions told in ${received} events, ${repeated} of them repeated, ${refused} tries refused`;
      const late = isStrict && median > delayMillisecondsMax ? [`${engine}: the median delay is ${median} ms`] : [];
      return { summary: `${engine}: ${met}; ${times}`, faults: [...faults, ...late] };
    }),
});
