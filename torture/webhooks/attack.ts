/** The attack on webhooks. */
import { quantile } from '../../tooling/statistics.ts';
import { attack, onEach, onEveryEngine } from '../attack.ts';
import { tortureWebhooks } from './webhooks.ts';

/** The median delay after a commit that is allowed. */
const delayMillisecondsMax = 200;

/** `isStrict`: whether a long delay is a fault. */
export const webhooksAttack = attack({
  option: 'webhooks',
  min: 20,
  takes: ['engine'],
  help: ['N versions sent to 20 faulty receivers, the service killed once, on both engines or one --engine'],
  whole: ({ count, engines }) => ({ count, engines, isStrict: true }),
  smoke: { ...onEveryEngine(200), isStrict: false },
  run: ({ count: events, engines, isStrict }, seed) =>
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
