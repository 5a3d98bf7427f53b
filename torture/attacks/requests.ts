/** Attacks by single requests on one server. */
import { attack, counts } from '../attack.ts';
import { type ForeignReport, foreign } from '../foreign.ts';
import { fuzz } from '../fuzz.ts';
import { patchProperty } from '../patch-property.ts';
import { growthMebibytesMax, versionsMemory } from '../versions.ts';

export const requestAttacks = [
  attack({
    option: 'fuzz',
    min: 1,
    help: ['N damaged requests against the listener'],
    whole: ({ count }) => count,
    smoke: 2_000,
    run: async (cases, seed) => {
      const { cases: done, answers, statuses, residentMebibytesPeak, faults } = await fuzz({ cases, seed });
      const met = [...statuses].sort(([one], [two]) => one - two).map(([status, count]) => `${status}: ${count}`);
      const summary = `${done} requests, ${answers} answers (${met.join(', ')}), server at most ${residentMebibytesPeak} MiB`;
      return { summary, faults };
    },
  }),
  attack({
    option: 'patch',
    min: 1,
    help: ['JSON Patch against an independent oracle, N generated cases'],
    whole: ({ count }) => count,
    smoke: 20_000,
    run: async (cases) => {
      const { passed, output } = await patchProperty(cases);
      return { summary: `${cases} generated cases`, faults: passed ? [] : [output] };
    },
  }),
  attack({
    option: 'versions',
    help: ['memory while 1,000 versions of 250 KB are listed'],
    whole: () => 1_000,
    smoke: 200,
    run: async (versions) => {
      const { listed, listedBytes, before, growthFast, growthSlow, faults } = await versionsMemory({
        versions,
        bytes: 250_000,
      });
      const growth = `+${growthFast} MiB for a fast reader, +${growthSlow} MiB for a slow one (limit ${growthMebibytesMax})`;
      const summary = `${listed} versions, ${Math.round(listedBytes / 1e6)} MB; server at ${before} MiB, ${growth}`;
      return { summary, faults };
    },
  }),
  attack({
    option: 'foreign',
    sizes: { seconds: 60 },
    takes: ['engine'],
    help: [
      'Schemathesis against the OpenAPI description, for --seconds on each engine, or on one --engine; needs',
      'Python and its registry',
    ],
    whole: ({ sizes: { seconds }, engines }) => ({ seconds, engines }),
    run: async ({ seconds, engines }, seed) => {
      const reports: ForeignReport[] = [];
      for (const engine of engines) reports.push(await foreign(engine, seconds, seed));
      const summary = reports.map(({ engine, operations, cases, explained, faults }) => {
        const found = `${faults.length} failures`;
        return `${engine}: ${cases} cases of ${operations} operations, ${found}, beyond the description: ${counts(explained) || 'none'}`;
      });
      return { summary: summary.join('; '), faults: reports.flatMap(({ faults }) => faults) };
    },
  }),
];
