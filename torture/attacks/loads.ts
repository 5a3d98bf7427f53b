/** Attacks by many requests and connections at once. The last two bind this process to one core. */
import { engines as everyEngine } from '../../tooling/database.ts';
import type { OpenLoopReport } from '../../tooling/load/open-loop.ts';
import { quantile } from '../../tooling/statistics.ts';
import { attack } from '../attack.ts';
import { overload } from '../overload.ts';
import type { Size, Tolerance } from '../siege/case.ts';
import { siege } from '../siege/siege.ts';
import { rowLines, tableHead } from '../siege/table.ts';
import { slowConnections } from '../slow-connections.ts';

/** How much a row of the siege may exceed its goals and still hold. */
const wholeTolerance: Tolerance = { waitMilliseconds: 50, growthMebibytes: 64, writeMilliseconds: 0 };

const quickSiege: Size = {
  isSmall: true,
  isQuick: true,
  seconds: 0.6,
  connections: 8_192,
  // The faults that the siege looks for take seconds and hundreds of megabytes; a busy machine alone causes tenths of a second.
  tolerance: { waitMilliseconds: 950, growthMebibytes: 64, writeMilliseconds: 2_000 },
};

const times = (sorted: OpenLoopReport['accepted']): string =>
  `p50 ${quantile(sorted, 0.5).toFixed(1)} ms, p99 ${quantile(sorted, 0.99).toFixed(1)} ms`;

export const loadAttacks = [
  attack({
    option: 'siege',
    sizes: { seconds: 6, connections: quickSiege.connections },
    smallSizes: { seconds: quickSiege.seconds },
    takes: ['engine', 'only', 'small', 'quick'],
    help: [
      'attempts to freeze the server, to fill it, and to starve others, one after the other on both engines, or one',
      '--engine embedded|postgresql; --seconds for those that last, --connections for those that take',
      'all; --only TEXT tries the cases whose name contains the text, --small sends less, --quick less still',
    ],
    whole: ({ sizes, engines, only, ...given }) => {
      const isSmall = given.isSmall || given.isQuick;
      const tolerance = isSmall ? quickSiege.tolerance : wholeTolerance;
      return { size: { ...sizes, isSmall, isQuick: given.isQuick, tolerance }, engines, only };
    },
    smoke: { size: quickSiege, engines: everyEngine, only: undefined },
    /** Prints a line for each case as soon as it is known. */
    run: async (input, seed) => {
      process.stdout.write(tableHead);
      const rows = await siege({ ...input, seed, onRow: (row) => process.stdout.write(rowLines(row)) });
      const broken = rows.filter(({ faults }) => faults.length > 0);
      return {
        summary: `${rows.length} cases, ${broken.length} broken`,
        faults: broken.map(({ name, engine, faults }) => `${name} (${engine}): ${faults.join('; ')}`),
      };
    },
  }),
  attack({
    option: 'slow-connections',
    sizes: { connections: 1_000, seconds: 15 },
    help: ['--connections slow clients beside a healthy one, for --seconds in each of three modes'],
    whole: ({ sizes }) => ({ ...sizes, toleranceMilliseconds: 2 }),
    smoke: { connections: 200, seconds: 1, toleranceMilliseconds: 500 },
    run: async (size) => {
      const { baselineP99Milliseconds, modes, faults } = await slowConnections(size);
      const found = modes.map(
        ({ mode, p99Milliseconds, residentMebibytes }) =>
          `${mode} ${p99Milliseconds.toFixed(1)} ms (${residentMebibytes} MiB)`,
      );
      const healthy = `healthy p99 ${baselineP99Milliseconds.toFixed(1)} ms alone`;
      return { summary: `${size.connections} slow connections: ${healthy}, beside slow ${found.join(', ')}`, faults };
    },
  }),
  attack({
    option: 'overload',
    sizes: { seconds: 60, connections: 2_000 },
    help: ['ten times what the server can take, for --seconds, over at most --connections'],
    whole: ({ sizes }) => ({ ...sizes, projects: 800, checksTime: true }),
    // Only losses, refusals in the wrong form, and leftovers count as faults.
    smoke: { seconds: 2, connections: 256, projects: 40, checksTime: false },
    run: async (size, seed) => {
      const report = await overload({ ...size, seed });
      const { capacityPerSecond, overload: heavy, calmBefore, calmAfter, acknowledgedWrites, faults } = report;
      const { before, peak, after } = report.residentMebibytes;
      const perSecond = (count: number) => `${Math.round(count / size.seconds)}/s`;
      const summary = [
        `takes ${capacityPerSecond}/s, was offered ${perSecond(heavy.offered)} and sent ${perSecond(heavy.sent)}`,
        `${heavy.accepted.length} accepted (${times(heavy.accepted)}), ${heavy.refused.length} refused (${times(heavy.refused)})`,
        `calm ${times(calmBefore.accepted)} before, ${times(calmAfter.accepted)} after`,
        `${before} MiB, at most ${peak}, then ${after}`,
        `${acknowledgedWrites} acknowledged writes`,
      ].join('; ');
      return { summary, faults };
    },
  }),
];
