/** The command line of `npm run bench`. */
import { parseArgs } from 'node:util';

const embeddedNames = ['get', 'put', 'patch', 'refresh', 'memory', 'versions', 'projects'] as const;
const postgresNames = ['postgres-get', 'postgres-put', 'postgres-nodes'] as const;
const scriptNames = ['json', 'store', 'user-states', 'history', 'save-history', 'players', 'first'] as const;
const suiteNames = [...embeddedNames, ...postgresNames, ...scriptNames] as const;
export type SuiteName = (typeof suiteNames)[number];

/** Benchmarks with separate scripts and output; they run only if named. */
export type ScriptName = (typeof scriptNames)[number];

export function isScript(name: SuiteName): name is ScriptName {
  return scriptNames.some((script) => script === name);
}

const storeNames = ['embedded', 'postgres'] as const;
export type StoreName = (typeof storeNames)[number];

/** The values of `--only` for each store. */
const namesOf: Readonly<Record<StoreName, readonly string[]>> = {
  embedded: [...embeddedNames, ...scriptNames],
  postgres: postgresNames.map((name) => name.slice('postgres-'.length)),
};

export interface Flags {
  /** Interleaved repetitions of every comparison; odd, so that the median is one of them. */
  readonly rounds: number;
  /** Length of one measurement. */
  readonly seconds: number;
  /** The data folder of the measured service. */
  readonly store: StoreName;
  readonly only: readonly SuiteName[];
  /** Tiny sizes, to check that everything runs; the figures mean nothing. */
  readonly smoke: boolean;
  /** Rewrites the table in docs/performance.md. */
  readonly save: boolean;
  readonly jsonFile: string | undefined;
  /** Folder for CPU profiles of the measured servers. */
  readonly profileFolder: string | undefined;
  /** A commit to compare this checkout with, instead of with floors. */
  readonly against: string | undefined;
  /** The stores of that comparison. */
  readonly stores: readonly StoreName[];
}

/** The flags of a comparison with a commit. */
export type AgainstFlags = Flags & { readonly against: string };

export const usage = `usage: npm run bench -- [options]
  --rounds N       interleaved repetitions of every comparison (5)
  --seconds N      length of one measurement (4)
  --store NAME     embedded, or postgres: over a PostgreSQL of its own (embedded)
  --only a,b       of ${namesOf.embedded.join(', ')} (all but ${scriptNames.join(', ')});
                   over PostgreSQL of ${namesOf.postgres.join(', ')} (all)
  --smoke          tiny sizes, to see that everything runs, on every store unless one is named; fails on a fault, never on
                   speed
  --against COMMIT compare GET, PUT, PATCH and refresh with those of another commit instead of with floors, on every store
                   unless one is named
  --json FILE      also write every measurement as JSON
  --profile DIR    write CPU profiles of the measured servers
  --save           rewrite the table in docs/performance.md`;

/** Returns the flags of a command line; throws an `Error` that names a wrong flag and its fault. */
export function readFlags(args: readonly string[]): Flags {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      store: { type: 'string' },
      only: { type: 'string' },
      smoke: { type: 'boolean', default: false },
      save: { type: 'boolean', default: false },
      against: { type: 'string' },
      json: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const { smoke } = values;
  const store = readStore(values.store ?? 'embedded');
  const all = store === 'postgres' ? postgresNames : embeddedNames;
  const whole = smoke && values.store === undefined ? [...embeddedNames, ...postgresNames] : all;
  const only = values.only === undefined ? whole : readSuites(values.only, store);
  if (values.save && (smoke || values.only !== undefined)) {
    throw new Error('--save keeps the table of a whole run; it goes neither with --smoke nor with --only');
  }
  if (values.against !== undefined && (values.only !== undefined || values.save)) {
    throw new Error('--against has loads and a table of its own; it goes neither with --only nor with --save');
  }
  return {
    rounds: readCount('--rounds', values.rounds, smoke ? 1 : 5),
    seconds: readCount('--seconds', values.seconds, smoke ? 1 : 4),
    store,
    only,
    smoke,
    save: values.save,
    jsonFile: values.json,
    profileFolder: values.profile,
    against: values.against,
    stores: values.store === undefined ? storeNames : [store],
  };
}

function readCount(flag: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (!/^[1-9][0-9]{0,3}$/.test(text)) throw new Error(`${flag} takes a whole number from 1 to 9999, not "${text}"`);
  return Number(text);
}

function readStore(text: string): StoreName {
  const known = storeNames.find((name) => name === text);
  if (known === undefined) throw new Error(`--store knows ${storeNames.join(' and ')}, not "${text}"`);
  return known;
}

function readSuites(text: string, store: StoreName): SuiteName[] {
  const names = namesOf[store];
  return text.split(',').map((name) => {
    const known =
      names.includes(name) && suiteNames.find((suite) => suite === (store === 'postgres' ? `postgres-${name}` : name));
    if (!known) throw new Error(`--only knows ${names.join(', ')} of this store, not "${name}"`);
    return known;
  });
}
