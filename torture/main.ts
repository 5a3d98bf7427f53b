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
  --seed S      repeats a run; a damaged request is repeated alone by --fuzz 1 --seed <its seed>
`;

interface Outcome {
  readonly summary: string;
  readonly faults: readonly string[];
}

interface Attack {
  readonly name: string;
  run(seed: number): Promise<Outcome>;
}

const fuzzAttack = (cases: number): Attack => ({
  name: 'fuzz',
  run: async (seed) => {
    const { cases: done, answers, statuses, residentMebibytesPeak, faults } = await fuzz({ cases, seed });
    const counts = [...statuses].sort(([one], [two]) => one - two).map(([status, count]) => `${status}: ${count}`);
    const met = `${done} requests, ${answers} answers (${counts.join(', ')})`;
    return { summary: `${met}, server at most ${residentMebibytesPeak} MiB`, faults };
  },
});

const crashAttack = (rounds: number): Attack => ({
  name: 'crash',
  run: async (seed) => {
    const { rounds: done, acknowledgedWrites, storedUnanswered, faults } = await crash({ rounds, seed });
    const found = `${acknowledgedWrites} acknowledged writes, ${storedUnanswered} stored without an answer`;
    return { summary: `${done} crashes, ${found}`, faults };
  },
});

const patchAttack = (cases: number): Attack => ({
  name: 'patch',
  run: async () => {
    const { passed, output } = await patchProperty(cases);
    return { summary: `${cases} generated cases`, faults: passed ? [] : [output] };
  },
});

const versionsAttack = (versions: number): Attack => ({
  name: 'versions',
  run: async () => {
    const { listed, listedBytes, before, growthFast, growthSlow, faults } = await versionsMemory({
      versions,
      bytes: 250_000,
    });
    const growth = `+${growthFast} MiB for a fast reader, +${growthSlow} MiB for a slow one (limit ${growthMebibytesMax})`;
    return {
      summary: `${listed} versions, ${Math.round(listedBytes / 1e6)} MB; server at ${before} MiB, ${growth}`,
      faults,
    };
  },
});

function readCommandLine(): { attacks: Attack[]; seed: number } {
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
  const attacks: Attack[] = [];
  if (values.smoke) attacks.push(fuzzAttack(2_000), crashAttack(3), patchAttack(20_000), versionsAttack(200));
  if (values.fuzz !== undefined) attacks.push(fuzzAttack(wholeNumber('fuzz', values.fuzz, 1)));
  if (values.crash !== undefined) attacks.push(crashAttack(wholeNumber('crash', values.crash, 1)));
  if (values.patch !== undefined) attacks.push(patchAttack(wholeNumber('patch', values.patch, 1)));
  if (values.versions) attacks.push(versionsAttack(1_000));
  if (attacks.length === 0) throw new TypeError('say what to try');
  return { attacks, seed: values.seed === undefined ? freshSeed() : wholeNumber('seed', values.seed, 0) };
}

function wholeNumber(option: string, text: string, min: number): number {
  const number = /^[0-9_]+$/.test(text) ? Number(text.replaceAll('_', '')) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= min) return number;
  throw new TypeError(`--${option} takes a whole number from ${min} on, not "${text}"`);
}

/** Runs one attack and prints a line about it, and a line for each fault. Returns whether everything held. */
async function holds({ name, run }: Attack, seed: number): Promise<boolean> {
  const startedAt = performance.now();
  const { summary, faults } = await run(seed).catch(
    (error: Error): Outcome => ({ summary: 'ended before its time', faults: [error.stack ?? error.message] }),
  );
  const verdict = faults.length === 0 ? 'held  ' : 'BROKEN';
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6);
  process.stdout.write(`${verdict} ${name.padEnd(8)} ${seconds} s  ${summary}\n`);
  for (const fault of faults) process.stdout.write(`         ${fault}\n`);
  return faults.length === 0;
}

async function main(): Promise<number> {
  let plan: ReturnType<typeof readCommandLine>;
  try {
    plan = readCommandLine();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`);
    return 2;
  }
  process.stdout.write(`seed ${plan.seed}\n`);
  let held = true;
  for (const attack of plan.attacks) held = (await holds(attack, plan.seed)) && held;
  return held ? 0 : 1;
}

process.exitCode = await main();
