/** What `npm run torture` can try: each attack with its option, its help, and its size, whole and in the smoke run. */

import { type Engine, engines as everyEngine } from '../tooling/database.ts';
import {
  type Attack,
  crashAttack,
  diskFullAttack,
  foreignAttack,
  fuzzAttack,
  nodesAttack,
  overloadAttack,
  patchAttack,
  restartAttack,
  siegeAttack,
  slowConnectionsAttack,
  streamsAttack,
  syncErrorAttack,
  upgradeAttack,
  versionsAttack,
} from './attacks.ts';
import { guestsAttack, sessionsAttack } from './players/attacks.ts';
import { schedulesAttack } from './schedules/attack.ts';
import type { Size, Tolerance } from './siege/case.ts';
import { webhooksAttack } from './webhooks/attack.ts';

/** What the command line says besides the attack. */
export interface Given<Taken extends SizeOption = SizeOption> {
  /** The number of the attack's own option; 0 if it takes none. */
  readonly count: number;
  /** The number of each size that the entry declares: as given, or its own. */
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

export interface Entry {
  /** The option that chooses it. */
  readonly option: string;
  /** The least number that the option takes; undefined if it takes none. */
  readonly min?: number;
  /** Another option that takes this one as a part of its own attack. */
  readonly isPartOf?: string;
  /** The sizes that it takes, with their defaults. */
  readonly sizes?: Partial<Sizes>;
  /** The sizes that differ with `--small` and `--quick`. */
  readonly smallSizes?: Partial<Sizes>;
  /** The other options that it takes. */
  readonly takes?: readonly OtherOption[];
  /** Its lines in the help. A size stands there as `--rounds`, and is shown with its number. */
  readonly help: readonly string[];
  readonly whole: (given: Given) => Attack;
  /** What the smoke run tries; undefined for what needs programs that are not everywhere. */
  readonly smoke?: () => Attack;
}

/** Returns an entry, which gets the sizes that it declares. */
const entry = <Taken extends SizeOption = never>(
  one: Omit<Entry, 'sizes' | 'whole'> & {
    readonly sizes?: Pick<Sizes, Taken>;
    readonly whole: (given: Given<Taken>) => Attack;
  },
): Entry => one;

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

const quickSchedules = {
  schedules: 40,
  projects: 4,
  seconds: 2,
  paceMilliseconds: 1_000,
  calmMilliseconds: { from: 500, to: 1_000 },
  // A busy machine delays steps. One that is lost never comes.
  lateMillisecondsMax: 20_000,
};

const lastRelease = '0.1.0' as const;

/** In the order of the smoke run. The last two bind this process to one core. */
export const catalogue: readonly Entry[] = [
  entry({
    option: 'fuzz',
    min: 1,
    help: ['N damaged requests against the listener'],
    whole: ({ count }) => fuzzAttack(count),
    smoke: () => fuzzAttack(2_000),
  }),
  entry({
    option: 'crash',
    min: 1,
    help: ['kill -9 under a write load, N times on the same data'],
    whole: ({ count }) => crashAttack(count),
    smoke: () => crashAttack(3),
  }),
  entry({
    option: 'patch',
    min: 1,
    help: ['JSON Patch against an independent oracle, N generated cases'],
    whole: ({ count }) => patchAttack(count),
    smoke: () => patchAttack(20_000),
  }),
  entry({
    option: 'versions',
    help: ['memory while 1,000 versions of 250 KB are listed'],
    whole: () => versionsAttack(1_000),
    smoke: () => versionsAttack(200),
  }),
  entry({
    option: 'disk-full',
    sizes: { rounds: 20 },
    help: ['a small disk that fills up, then has room again, --rounds times'],
    whole: ({ sizes }) => diskFullAttack(sizes.rounds),
    smoke: () => diskFullAttack(2),
  }),
  entry({
    option: 'sync-error',
    sizes: { rounds: 20 },
    help: ['syncs that fail, on a disk that forgets what was not synced; --rounds losses of power'],
    whole: ({ sizes }) => syncErrorAttack(sizes.rounds),
    smoke: () => syncErrorAttack(2),
  }),
  entry({
    option: 'nodes',
    sizes: { seconds: 60 },
    help: ['two nodes over PostgreSQL, killed and cut off under 16 clients for --seconds'],
    whole: ({ sizes }) => nodesAttack(sizes.seconds, false),
    smoke: () => nodesAttack(12, false, 1_500),
  }),
  entry({
    option: 'pooled',
    sizes: { seconds: 60 },
    help: ['the same with PgBouncer in transaction mode before the database'],
    whole: ({ sizes }) => nodesAttack(sizes.seconds, true),
    smoke: () => nodesAttack(8, true, 1_500),
  }),
  entry({
    option: 'restart',
    sizes: { requests: 50_000, rounds: 1 },
    takes: ['checkout'],
    help: [
      'three nodes over PostgreSQL behind nginx, then Caddy: each node restarts once under --requests',
      'reads and writes; --rounds restarts each so many times. With --upgrade beside it, the nodes are of the',
      'release before until they restart. Needs the two programs, or Debian as root',
    ],
    whole: ({ sizes, isUpgrading, checkout }) => {
      const before = isUpgrading ? { release: lastRelease, checkout } : undefined;
      return restartAttack(sizes.requests, sizes.rounds, before);
    },
  }),
  entry({
    option: 'upgrade',
    isPartOf: 'restart',
    sizes: { seconds: 10 },
    takes: ['checkout'],
    help: [
      'two nodes of the release before under load, replaced one by one by this one, in 4 stages of --seconds;',
      'takes that release out of the history of the repository, or from --checkout FOLDER',
    ],
    whole: ({ sizes, checkout }) => upgradeAttack({ release: lastRelease, checkout, seconds: sizes.seconds, clients: 8 }),
    smoke: () => upgradeAttack({ release: lastRelease, checkout: undefined, seconds: 2, clients: 4 }),
  }),
  entry({
    option: 'streams',
    help: [
      '500 readers of changes over two nodes, cut every 500 ms while one node is killed; 10,000 idle streams; a',
      'node that stops with 5,000',
    ],
    whole: () => {
      const load = { readers: 500, documents: 10, writes: 2_000, seconds: 40, cutMilliseconds: 500 };
      return streamsAttack(load, { streams: 10_000, stoppedStreams: 5_000 }, true);
    },
    smoke: () => {
      const load = { readers: 40, documents: 4, writes: 200, seconds: 6, cutMilliseconds: 500 };
      return streamsAttack(load, { streams: 500, stoppedStreams: 250 }, false);
    },
  }),
  entry({
    option: 'guests',
    min: 1,
    takes: ['engine'],
    help: ['N guests sign up or merge while they save and servers are killed, on both engines or one --engine'],
    whole: ({ count, engines }) => guestsAttack(count, engines),
    smoke: () => guestsAttack(40, everyEngine),
  }),
  entry({
    option: 'sessions',
    min: 1,
    takes: ['engine'],
    help: ['players renew their tokens under N restarts and rotations of keys, on both engines or one --engine'],
    whole: ({ count, engines }) => sessionsAttack(count, engines),
    smoke: () => sessionsAttack(12, everyEngine),
  }),
  entry({
    option: 'webhooks',
    min: 20,
    takes: ['engine'],
    help: ['N versions sent to 20 faulty receivers, the service killed once, on both engines or one --engine'],
    whole: ({ count, engines }) => webhooksAttack(count, engines, true),
    smoke: () => webhooksAttack(200, everyEngine, false),
  }),
  entry({
    option: 'schedules',
    min: 1,
    sizes: { seconds: 480 },
    takes: ['engine', 'small'],
    help: [
      'N changes of 20 projects at set times over --seconds, under kills and cuts, while others write;',
      '--small takes 40 of 4 projects',
    ],
    whole: ({ count, sizes, isSmall, engines }) => {
      const whole = { schedules: count, projects: 20, paceMilliseconds: 4_000, lateMillisecondsMax: 2_000 };
      const spread = { seconds: sizes.seconds, calmMilliseconds: { from: 2_000, to: 8_000 } };
      return schedulesAttack(isSmall ? quickSchedules : { ...whole, ...spread }, engines);
    },
    smoke: () => schedulesAttack(quickSchedules, everyEngine),
  }),
  entry({
    option: 'foreign',
    sizes: { seconds: 60 },
    takes: ['engine'],
    help: [
      'Schemathesis against the OpenAPI description, for --seconds on each engine, or on one --engine; needs',
      'Python and its registry',
    ],
    whole: ({ sizes, engines }) => foreignAttack(sizes.seconds, engines),
  }),
  entry({
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
      return siegeAttack({ ...sizes, isSmall, isQuick: given.isQuick, tolerance }, engines, only);
    },
    smoke: () => siegeAttack(quickSiege, everyEngine),
  }),
  entry({
    option: 'slow-connections',
    sizes: { connections: 1_000, seconds: 15 },
    help: ['--connections slow clients beside a healthy one, for --seconds in each of three modes'],
    whole: ({ sizes }) => slowConnectionsAttack(sizes.connections, sizes.seconds),
    smoke: () => slowConnectionsAttack(200, 1, 500),
  }),
  entry({
    option: 'overload',
    sizes: { seconds: 60, connections: 2_000 },
    help: ['ten times what the server can take, for --seconds, over at most --connections'],
    whole: ({ sizes }) => overloadAttack(sizes.seconds, sizes.connections),
    smoke: () => overloadAttack(2, 256, true),
  }),
];
