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

/** What the command line says beside the attack. */
export interface Given {
  /** The number of the attack's own option; 0 if it takes none. */
  readonly count: number;
  /** The number of a shared option, or another if it is not given. */
  readonly size: (option: SizeOption, otherwise: number) => number;
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

export interface Entry {
  /** The option that chooses it. */
  readonly option: string;
  /** The least number that the option takes; undefined if it takes none. */
  readonly min?: number;
  /** Another option that takes this one as a part of its own attack. */
  readonly isPartOf?: string;
  /** Its lines in the help. */
  readonly help: readonly string[];
  readonly whole: (given: Given) => Attack;
  /** What the smoke run tries; undefined for what needs programs that are not everywhere. */
  readonly smoke?: () => Attack;
}

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
  {
    option: 'fuzz',
    min: 1,
    help: ['N damaged requests against the listener'],
    whole: ({ count }) => fuzzAttack(count),
    smoke: () => fuzzAttack(2_000),
  },
  {
    option: 'crash',
    min: 1,
    help: ['kill -9 under a write load, N times on the same data'],
    whole: ({ count }) => crashAttack(count),
    smoke: () => crashAttack(3),
  },
  {
    option: 'patch',
    min: 1,
    help: ['JSON Patch against an independent oracle, N generated cases'],
    whole: ({ count }) => patchAttack(count),
    smoke: () => patchAttack(20_000),
  },
  {
    option: 'versions',
    help: ['memory while 1,000 versions of 250 KB are listed'],
    whole: () => versionsAttack(1_000),
    smoke: () => versionsAttack(200),
  },
  {
    option: 'disk-full',
    help: ['a small disk that is full, and has room again, --rounds 20 times'],
    whole: ({ size }) => diskFullAttack(size('rounds', 20)),
    smoke: () => diskFullAttack(2),
  },
  {
    option: 'sync-error',
    help: ['syncs that fail, on a disk that forgets what was not synced; --rounds 20 losses of power'],
    whole: ({ size }) => syncErrorAttack(size('rounds', 20)),
    smoke: () => syncErrorAttack(2),
  },
  {
    option: 'nodes',
    help: ['two nodes over PostgreSQL, killed and cut off under 16 clients for --seconds 60'],
    whole: ({ size }) => nodesAttack(size('seconds', 60), false),
    smoke: () => nodesAttack(12, false, 1_500),
  },
  {
    option: 'pooled',
    help: ['the same with PgBouncer in transaction mode before the database'],
    whole: ({ size }) => nodesAttack(size('seconds', 60), true),
    smoke: () => nodesAttack(8, true, 1_500),
  },
  {
    option: 'restart',
    help: [
      'three nodes over PostgreSQL behind nginx, then Caddy: each node restarts once under --requests 50000',
      'reads and writes; --rounds restarts each so many times. With --upgrade beside it, the nodes are of the',
      'release before until they restart. Needs the two programs, or Debian as root',
    ],
    whole: ({ size, isUpgrading, checkout }) => {
      const before = isUpgrading ? { release: lastRelease, checkout } : undefined;
      return restartAttack(size('requests', 50_000), size('rounds', 1), before);
    },
  },
  {
    option: 'upgrade',
    isPartOf: 'restart',
    help: [
      'two nodes of the release before under load, replaced one by one by this one, in 4 stages of --seconds 10;',
      'takes that release out of the history of the repository, or from --checkout FOLDER',
    ],
    whole: ({ size, checkout }) =>
      upgradeAttack({ release: lastRelease, checkout, seconds: size('seconds', 10), clients: 8 }),
    smoke: () => upgradeAttack({ release: lastRelease, checkout: undefined, seconds: 2, clients: 4 }),
  },
  {
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
  },
  {
    option: 'guests',
    min: 1,
    help: ['N guests sign up or merge while they save and servers are killed, on both engines or one --engine'],
    whole: ({ count, engines }) => guestsAttack(count, engines),
    smoke: () => guestsAttack(40, everyEngine),
  },
  {
    option: 'sessions',
    min: 1,
    help: ['players renew their tokens under N restarts and rotations of keys, on both engines or one --engine'],
    whole: ({ count, engines }) => sessionsAttack(count, engines),
    smoke: () => sessionsAttack(12, everyEngine),
  },
  {
    option: 'webhooks',
    min: 20,
    help: ['N versions told to 20 receivers with faults, the service killed once, on both engines or one --engine'],
    whole: ({ count, engines }) => webhooksAttack(count, engines, true),
    smoke: () => webhooksAttack(200, everyEngine, false),
  },
  {
    option: 'schedules',
    min: 1,
    help: [
      'N changes of 20 projects at set times over --seconds 480, under kills and cuts, while others write;',
      '--small takes 40 of 4 projects',
    ],
    whole: ({ count, size, isSmall, engines }) => {
      const whole = { schedules: count, projects: 20, paceMilliseconds: 4_000, lateMillisecondsMax: 2_000 };
      const spread = { seconds: size('seconds', 480), calmMilliseconds: { from: 2_000, to: 8_000 } };
      return schedulesAttack(isSmall ? quickSchedules : { ...whole, ...spread }, engines);
    },
    smoke: () => schedulesAttack(quickSchedules, everyEngine),
  },
  {
    option: 'foreign',
    help: [
      'Schemathesis against the OpenAPI description, for --seconds 60 on each engine, or on one --engine; needs',
      'Python and its registry',
    ],
    whole: ({ size, engines }) => foreignAttack(size('seconds', 60), engines),
  },
  {
    option: 'siege',
    help: [
      'attempts to freeze it, to fill it, and to starve others, one after the other on both engines, or one',
      '--engine embedded|postgresql; --seconds 6 for those that last, --connections 8192 for those that take',
      'all; --only TEXT tries the cases whose name holds the text, --small sends less, --quick less still',
    ],
    whole: ({ size, engines, only, ...given }) => {
      const isSmall = given.isSmall || given.isQuick;
      const seconds = size('seconds', isSmall ? quickSiege.seconds : 6);
      const connections = size('connections', quickSiege.connections);
      const tolerance = isSmall ? quickSiege.tolerance : wholeTolerance;
      return siegeAttack({ isSmall, isQuick: given.isQuick, seconds, connections, tolerance }, engines, only);
    },
    smoke: () => siegeAttack(quickSiege, everyEngine),
  },
  {
    option: 'slow-connections',
    help: ['--connections 1000 slow clients beside a healthy one, for --seconds 15 in each of three modes'],
    whole: ({ size }) => slowConnectionsAttack(size('connections', 1_000), size('seconds', 15)),
    smoke: () => slowConnectionsAttack(200, 1, 500),
  },
  {
    option: 'overload',
    help: ['ten times what the server can take, for --seconds 60, over at most --connections 2000'],
    whole: ({ size }) => overloadAttack(size('seconds', 60), size('connections', 2_000)),
    smoke: () => overloadAttack(2, 256, true),
  },
];
