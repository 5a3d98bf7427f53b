/** The declaration of an attack of `npm run torture`: its option, its help, its size in a whole and in the smoke run, and its report line. */

import { type Engine, engines as everyEngine } from '../tooling/database.ts';

/** What the command line says besides the attack. */
export interface Given<Taken extends SizeOption = SizeOption> {
  /** The number of the attack's own option; 0 if it takes none. */
  readonly count: number;
  /** The number of each size that the attack declares: as given, or its own. */
  readonly sizes: Pick<Sizes, Taken>;
  readonly engines: readonly Engine[];
  readonly isSmall: boolean;
  readonly isQuick: boolean;
  /** Whether `--upgrade` is given. */
  readonly isUpgrading: boolean;
  /** The folder of the release before. */
  readonly checkout: string | undefined;
  readonly only: string | undefined;
}

export const sizeOptions = ['seconds', 'connections', 'rounds', 'requests'] as const;
export type SizeOption = (typeof sizeOptions)[number];
type Sizes = Readonly<Record<SizeOption, number>>;

/** Options besides the sizes that describe an attack, by whether they take a text. */
export const otherOptions = { small: false, quick: false, checkout: true, engine: true, only: true } as const;
export type OtherOption = keyof typeof otherOptions;

export interface Outcome {
  readonly summary: string;
  readonly faults: readonly string[];
}

/** What every attack has; `Input` is what it tries. */
interface Declared<Taken extends SizeOption, Input> {
  /** The option that chooses it, and its name. */
  readonly option: string;
  /** The least number that the option takes; undefined if it takes none. */
  readonly min?: number;
  /** Another option that takes this one as a part of its own attack. */
  readonly isPartOf?: string;
  /** The sizes that it takes, with their defaults. */
  readonly sizes?: Pick<Sizes, Taken>;
  /** The sizes that differ with `--small` and `--quick`. */
  readonly smallSizes?: Partial<Sizes>;
  /** The other options that it takes. */
  readonly takes?: readonly OtherOption[];
  /** Its lines in the help. A size stands there as `--rounds`, and is shown with its number. */
  readonly help: readonly string[];
  /** What the whole attack tries. */
  readonly whole: (given: Given<Taken>) => Input;
  /** What the smoke run tries; undefined for what needs programs that are not everywhere. */
  readonly smoke?: Input;
  readonly run: (input: Input, seed: number) => Promise<Outcome>;
}

/** An attack with a fixed size. */
export interface Planned {
  readonly name: string;
  run(seed: number): Promise<Outcome>;
}

export interface Attack extends Omit<Declared<SizeOption, unknown>, 'sizes' | 'whole' | 'smoke' | 'run'> {
  readonly sizes?: Partial<Sizes>;
  readonly whole: (given: Given) => Planned;
  readonly smoke?: Planned;
}

/** Declares an attack, which gets the sizes that it takes. */
export function attack<Input, Taken extends SizeOption = never>(declared: Declared<Taken, Input>): Attack {
  const { whole, smoke, run, ...rest } = declared;
  const plan = (input: Input): Planned => ({ name: rest.option, run: (seed) => run(input, seed) });
  return { ...rest, whole: (given) => plan(whole(given)), ...(smoke !== undefined && { smoke: plan(smoke) }) };
}

/** What an attack does on each engine, and how often. */
export interface OnEngines {
  readonly count: number;
  readonly engines: readonly Engine[];
}
export const onEveryEngine = (count: number): OnEngines => ({ count, engines: everyEngine });

/** One engine after another. */
export async function onEach(engines: readonly Engine[], run: (engine: Engine) => Promise<Outcome>): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const engine of engines) outcomes.push(await run(engine));
  const faults = outcomes.flatMap((outcome) => outcome.faults);
  return { summary: outcomes.map(({ summary }) => summary).join('; '), faults };
}

/** Names with their counts, as text. */
export const counts = (numbers: ReadonlyMap<string, number>): string =>
  [...numbers].map(([name, count]) => `${name} ${count}`).join(', ');
