/** Attacks on a server that loses its process, its disk or its power while it writes. */
import { attack } from '../attack.ts';
import { crash } from '../crash.ts';
import { diskFull } from '../disk-full.ts';
import { syncError } from '../sync-error.ts';

export const diskAttacks = [
  attack({
    option: 'crash',
    min: 1,
    help: ['kill -9 under a write load, N times on the same data'],
    whole: ({ count }) => count,
    smoke: 3,
    run: async (rounds, seed) => {
      const { rounds: done, acknowledgedWrites, storedUnanswered, faults } = await crash({ rounds, seed });
      const found = `${acknowledgedWrites} acknowledged writes, ${storedUnanswered} stored without an answer`;
      return { summary: `${done} crashes, ${found}`, faults };
    },
  }),
  attack({
    option: 'disk-full',
    sizes: { rounds: 20 },
    help: ['a small disk that fills up, then has room again, --rounds times'],
    whole: ({ sizes }) => sizes.rounds,
    smoke: 2,
    run: async (rounds, seed) => {
      const report = await diskFull({ rounds, seed });
      const { acknowledgedWrites, refusedWrites, storedUnanswered, recoveryMilliseconds, faults } = report;
      const writes = `${acknowledgedWrites} acknowledged writes, ${refusedWrites} refused, ${storedUnanswered} of them stored`;
      return {
        summary: `full ${rounds} times: ${writes}; ready again after ${Math.round(recoveryMilliseconds)} ms`,
        faults,
      };
    },
  }),
  attack({
    option: 'sync-error',
    sizes: { rounds: 20 },
    help: ['syncs that fail, on a disk that forgets what was not synced; --rounds losses of power'],
    whole: ({ sizes }) => sizes.rounds,
    smoke: 2,
    run: async (rounds, seed) => {
      const report = await syncError({ rounds, seed });
      const { outages, acknowledgedWrites, refusedWrites, storedUnanswered, recoveryMilliseconds, faults } = report;
      const events = `${outages} outages, ${report.rounds} losses of power`;
      const writes = `${acknowledgedWrites} acknowledged writes, ${refusedWrites} refused, ${storedUnanswered} stored without an answer`;
      return { summary: `${events}: ${writes}; ready again after ${Math.round(recoveryMilliseconds)} ms`, faults };
    },
  }),
];
