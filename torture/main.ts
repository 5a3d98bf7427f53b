/** `npm run torture`: attacks that take longer than the test suite may. Ends with 0 when everything held, 1 when not. */
import { parseArgs } from 'node:util';
import { crash } from './crash.ts';
import { fuzz } from './fuzz.ts';
import { patchProperty } from './patch-property.ts';
import { freshSeed } from './random.ts';
import { growthMebibytesMax, versionsMemory } from './versions.ts';

const usage = `npm run torture -- [what] [--seed S]

  --fuzz N      N damaged requests against the listener
  --crash N     kill -9 under a write load, N times on the same data
  --patch N     JSON Patch against an independent oracle, N generated cases
  --versions    memory while 1,000 versions of 250 KB are listed
  --smoke       a little of everything, in under a minute
  --seed S      repeats a run; a case that failed is repeated alone by --fuzz 1 --seed <its seed>
`;

interface Outcome {
  readonly name: string;
  readonly summary: string;
  readonly faults: readonly string[];
}

type Attack = (seed: number) => Promise<Outcome>;

const attacks = {
  fuzz:
    (cases: number): Attack =>
    async (seed) => {
      const report = await fuzz({ cases, seed });
      const statuses = [...report.statuses]
        .sort(([one], [two]) => one - two)
        .map(([status, count]) => `${status}: ${count}`);
      const summary = `${report.cases} requests, ${report.answers} answers (${statuses.join(', ')}), server at most ${report.residentMebibytesPeak} MiB`;
      return { name: 'fuzz', summary, faults: report.faults };
    },
  crash:
    (rounds: number): Attack =>
    async (seed) => {
      const { rounds: done, acknowledgedWrites, storedUnanswered, faults } = await crash({ rounds, seed });
      const summary = `${done} crashes, ${acknowledgedWrites} acknowledged writes, ${storedUnanswered} stored without an answer`;
      return { name: 'crash', summary, faults };
    },
  patch:
    (cases: number): Attack =>
    async () => {
      const { passed, output } = await patchProperty(cases);
      return { name: 'patch', summary: `${cases} generated cases`, faults: passed ? [] : [output] };
    },
  versions:
    (versions: number, bytes: number): Attack =>
    async () => {
      const report = await versionsMemory({ versions, bytes });
      const growth = `+${report.growthFast} MiB for a fast reader, +${report.growthSlow} MiB for a slow one (limit ${growthMebibytesMax})`;
      const summary = `${report.listed} versions, ${Math.round(report.listedBytes / 1e6)} MB; server at ${report.before} MiB, ${growth}`;
      return { name: 'versions', summary, faults: report.faults };
    },
};

const versionsOfFullSize = attacks.versions(1_000, 250_000);

function chosenAttacks(): { chosen: Attack[]; seed: number } {
  const { values } = parseArgs({
    options: {
      fuzz: { type: 'string' },
      crash: { type: 'string' },
      patch: { type: 'string' },
      versions: { type: 'boolean' },
      smoke: { type: 'boolean' },
      seed: { type: 'string' },
    },
  });
  const chosen: Attack[] = [];
  if (values.smoke)
    chosen.push(attacks.fuzz(2_000), attacks.crash(3), attacks.patch(20_000), attacks.versions(200, 250_000));
  if (values.fuzz !== undefined) chosen.push(attacks.fuzz(count('fuzz', values.fuzz, 1)));
  if (values.crash !== undefined) chosen.push(attacks.crash(count('crash', values.crash, 1)));
  if (values.patch !== undefined) chosen.push(attacks.patch(count('patch', values.patch, 1)));
  if (values.versions) chosen.push(versionsOfFullSize);
  return { chosen, seed: values.seed === undefined ? freshSeed() : count('seed', values.seed, 0) };
}

function count(option: string, text: string, min: number): number {
  const number = Number(text.replaceAll('_', ''));
  if (Number.isSafeInteger(number) && number >= min) return number;
  throw new TypeError(`--${option} takes a whole number from ${min} on, not "${text}"`);
}

async function main(): Promise<number> {
  let plan: ReturnType<typeof chosenAttacks>;
  try {
    plan = chosenAttacks();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`);
    return 2;
  }
  if (plan.chosen.length === 0) {
    process.stdout.write(usage);
    return 2;
  }
  process.stdout.write(`seed ${plan.seed}\n`);
  let failed = 0;
  for (const attack of plan.chosen) {
    const startedAt = performance.now();
    const { name, summary, faults } = await attack(plan.seed);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stdout.write(
      `${faults.length === 0 ? 'held  ' : 'BROKEN'} ${name.padEnd(8)} ${seconds.padStart(6)} s  ${summary}\n`,
    );
    for (const fault of faults) process.stdout.write(`         ${fault}\n`);
    if (faults.length > 0) failed++;
  }
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
