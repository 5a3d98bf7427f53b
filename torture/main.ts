/**
 * `npm run torture`: attacks that take too long for the test suite. Exits with 0 if every promise held, 1 if one did not, and 2 if the command
 * line cannot be understood.
 */

import { parseArgs } from 'node:util';
import { type Engine, engines } from '../tooling/database.ts';
import { freshSeed } from '../tooling/random.ts';
import { cleanUpAtExit } from '../tooling/workspace.ts';
import {
  type Attack,
  type Given,
  type OtherOption,
  type Outcome,
  otherOptions,
  type Planned,
  sizeOptions,
} from './attack.ts';
import { diskAttacks } from './attacks/disks.ts';
import { loadAttacks } from './attacks/loads.ts';
import { nodeAttacks } from './attacks/nodes.ts';
import { requestAttacks } from './attacks/requests.ts';
import { playerAttacks } from './players/attacks.ts';
import { schedulesAttack } from './schedules/attack.ts';
import { webhooksAttack } from './webhooks/attack.ts';

/** In the order of the smoke run. */
const attacks: readonly Attack[] = [
  ...requestAttacks,
  ...diskAttacks,
  ...nodeAttacks,
  ...playerAttacks,
  webhooksAttack,
  schedulesAttack,
  ...loadAttacks,
];

const helpIndent = ' '.repeat(22);

/** The help of an attack, with its sizes. */
function helpOf({ option, min, sizes = {}, help }: Attack): string {
  const text = help.join(`\n${helpIndent}`);
  const whole = Object.entries(sizes).reduce(
    (shown, [name, size]) => shown.replace(`--${name}`, `--${name} ${size}`),
    text,
  );
  return `  --${option}${min === undefined ? '' : ' N'}`.padEnd(helpIndent.length) + whole;
}

const usage = `npm run torture -- [what] [--seed S]

${attacks.map(helpOf).join('\n')}
  --smoke             a little of everything, in three to four minutes
  --seed S            repeats a run; a damaged request is repeated alone by --fuzz 1 --seed <its seed>
`;

/** Options that choose or describe an attack, by whether they take a text. */
const options = Object.fromEntries([
  ...attacks.map(({ option, min }) => [option, { type: min === undefined ? 'boolean' : 'string' } as const] as const),
  ...Object.entries(otherOptions).map(
    ([name, isText]) => [name, { type: isText ? 'string' : 'boolean' } as const] as const,
  ),
  ...[...sizeOptions, 'seed'].map((name) => [name, { type: 'string' } as const] as const),
  ['smoke', { type: 'boolean' } as const] as const,
]);

/** Returns the chosen attacks in their order, after those of the smoke run. */
function readCommandLine(): { plans: Planned[]; seed: number } {
  const { values } = parseArgs({ options });
  const textOf = (name: OtherOption) => values[name] as string | undefined;
  const numberOf = (name: string, min: number) => wholeNumber(name, String(values[name]), min);
  const given: Omit<Given, 'count' | 'sizes'> = {
    engines: enginesNamed(textOf('engine')),
    isSmall: values.small === true,
    isQuick: values.quick === true,
    isUpgrading: values.upgrade === true,
    checkout: textOf('checkout'),
    only: textOf('only'),
  };
  const smoke = values.smoke ? attacks.flatMap(({ smoke: small }) => small ?? []) : [];
  const chosen = attacks.filter(
    ({ option, isPartOf }) => values[option] !== undefined && (isPartOf === undefined || !values[isPartOf]),
  );
  const taken = new Set(chosen.flatMap(({ sizes = {}, takes = [] }): string[] => [...Object.keys(sizes), ...takes]));
  for (const name of [...sizeOptions, ...Object.keys(otherOptions)])
    if (values[name] !== undefined && !taken.has(name)) throw new TypeError(`none of these attacks takes --${name}`);
  const sizesOf = ({ sizes, smallSizes }: Attack) => {
    const own = { ...sizes, ...((given.isSmall || given.isQuick) && smallSizes) };
    return Object.fromEntries(
      Object.entries(own).map(([name, size]) => [name, values[name] === undefined ? size : numberOf(name, 1)]),
    );
  };
  const wholes = chosen.map((one) =>
    one.whole({
      ...given,
      sizes: sizesOf(one) as Given['sizes'],
      count: one.min === undefined ? 0 : numberOf(one.option, one.min),
    }),
  );
  const plans = [...smoke, ...wholes];
  if (plans.length === 0) throw new TypeError('name at least one attack');
  return { plans, seed: values.seed === undefined ? freshSeed() : numberOf('seed', 0) };
}

function enginesNamed(name: string | undefined): readonly Engine[] {
  if (name === undefined) return engines;
  const found = engines.filter((engine) => engine === name);
  if (found.length === 0) throw new TypeError(`--engine takes ${engines.join(' or ')}, not "${name}"`);
  return found;
}

function wholeNumber(option: string, text: string, min: number): number {
  const number = /^[0-9_]+$/.test(text) ? Number(text.replaceAll('_', '')) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= min) return number;
  throw new TypeError(`--${option} takes a whole number from ${min} on, not "${text}"`);
}

/** Runs one attack and prints a line about it, and a line for each fault. Returns whether every promise held. */
async function holds({ name, run }: Planned, seed: number): Promise<boolean> {
  const startedAt = performance.now();
  const { summary, faults } = await run(seed).catch(
    (error: Error): Outcome => ({ summary: 'ended before its time', faults: [error.stack ?? error.message] }),
  );
  const verdict = faults.length === 0 ? 'held  ' : 'BROKEN';
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6);
  process.stdout.write(`${verdict} ${name.padEnd(16)} ${seconds} s  ${summary}\n`);
  for (const fault of faults) process.stdout.write(`         ${fault}\n`);
  return faults.length === 0;
}

async function main(): Promise<number> {
  let chosen: ReturnType<typeof readCommandLine>;
  try {
    chosen = readCommandLine();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`);
    return 2;
  }
  cleanUpAtExit();
  process.stdout.write(`seed ${chosen.seed}\n`);
  let held = true;
  // Of what an attack has left running after its fault: the attack says why, and the others go on.
  process.on('unhandledRejection', (error) => {
    held = false;
    process.stdout.write(`BROKEN by a rejection that nothing awaits: ${(error as Error).stack ?? error}\n`);
  });
  for (const plan of chosen.plans) if (!(await holds(plan, chosen.seed))) held = false;
  return held ? 0 : 1;
}

// Processes left by a failed attack are killed with this one.
process.exit(await main());
