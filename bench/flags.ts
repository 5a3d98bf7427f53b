/** The command line of `npm run bench`. */
import { parseArgs } from 'node:util';

const scriptNames = ['json', 'store', 'user-states'] as const;
export const suiteNames = ['get', 'put', 'patch', 'refresh', 'memory', 'projects', ...scriptNames] as const;
export type SuiteName = (typeof suiteNames)[number];

/** Benchmarks in a script of their own, with their own output; they run only when they are asked for by name. */
export type ScriptName = (typeof scriptNames)[number];

export function isScript(name: SuiteName): name is ScriptName {
  return scriptNames.some((script) => script === name);
}

export interface Flags {
  /** Interleaved repetitions of every comparison; odd, so that the median is one of them. */
  readonly rounds: number;
  /** Length of one measurement. */
  readonly seconds: number;
  readonly only: readonly SuiteName[];
  /** Tiny sizes, to see that everything runs; the figures mean nothing. */
  readonly smoke: boolean;
  /** Rewrites the table in docs/performance.md. */
  readonly save: boolean;
  readonly jsonFile: string | undefined;
  /** Folder for CPU profiles of the measured servers. */
  readonly profileFolder: string | undefined;
}

export const usage = `usage: npm run bench -- [options]
  --rounds N       interleaved repetitions of every comparison (5)
  --seconds N      length of one measurement (4)
  --only a,b       of ${suiteNames.join(', ')} (all but ${scriptNames.join(', ')})
  --smoke          tiny sizes, to see that everything runs; fails on a fault, never on speed
  --json FILE      also write every measurement as JSON
  --profile DIR    write CPU profiles of the measured servers
  --save           rewrite the table in docs/performance.md`;

/** Returns the flags of a command line; throws an `Error` that names the flag and what is wrong with it. */
export function readFlags(args: readonly string[]): Flags {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      only: { type: 'string' },
      smoke: { type: 'boolean', default: false },
      save: { type: 'boolean', default: false },
      json: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const { smoke } = values;
  const only = values.only === undefined ? suiteNames.filter((name) => !isScript(name)) : readSuites(values.only);
  if (values.save && (smoke || values.only !== undefined)) {
    throw new Error('--save keeps the table of a whole run; it goes neither with --smoke nor with --only');
  }
  return {
    rounds: readCount('--rounds', values.rounds, smoke ? 1 : 5),
    seconds: readCount('--seconds', values.seconds, smoke ? 1 : 4),
    only,
    smoke,
    save: values.save,
    jsonFile: values.json,
    profileFolder: values.profile,
  };
}

function readCount(flag: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (!/^[1-9][0-9]{0,3}$/.test(text)) throw new Error(`${flag} takes a whole number from 1 to 9999, not "${text}"`);
  return Number(text);
}

function readSuites(text: string): SuiteName[] {
  return text.split(',').map((name) => {
    const known = suiteNames.find((candidate) => candidate === name);
    if (known === undefined) throw new Error(`--only knows ${suiteNames.join(', ')}, not "${name}"`);
    return known;
  });
}
