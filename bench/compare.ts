/** Measures several contestants in turn, so that other work on the machine affects all of them alike. */
import type { Measurement } from './server-process.ts';

export interface Effort {
  readonly rounds: number;
  readonly seconds: number;
  /** Whether to measure without warming up. */
  readonly smoke: boolean;
}

type Contestants<Name extends string> = Readonly<Record<Name, (seconds: number) => Promise<Measurement>>>;

const warmUpSecondsMax = 4;

/**
 * Measures every contestant once per round, in alternating order. The first measurement is discarded, since the runtime compiles code
 * during it. Returns the measurements of each in the order of the rounds.
 */
export async function compare<Name extends string>(
  contestants: Contestants<Name>,
  { rounds, seconds, smoke }: Effort,
): Promise<Record<Name, Measurement[]>> {
  const names = Object.keys(contestants) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as Measurement[]])) as Record<Name, Measurement[]>;
  if (!smoke) for (const name of names) await contestants[name](Math.min(seconds, warmUpSecondsMax));
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      results[name].push(await contestants[name](seconds));
      process.stderr.write('.');
    }
  }
  process.stderr.write('\n');
  return results;
}
