/** `npm run torture`: attacks that take too long for the test suite. Exits with 0 if every promise held, otherwise 1. */

import { parseArgs } from 'node:util';
import type { Engine } from '../tooling/database.ts';
import { freshSeed } from '../tooling/random.ts';
import { cleanUpAtExit } from '../tooling/workspace.ts';
import {
  type Attack,
  crashAttack,
  diskFullAttack,
  foreignAttack,
  fuzzAttack,
  nodesAttack,
  type Outcome,
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

const usage = `npm run torture -- [what] [--seed S]

  --fuzz N            N damaged requests against the listener
  --crash N           kill -9 under a write load, N times on the same data
  --patch N           JSON Patch against an independent oracle, N generated cases
  --versions          memory while 1,000 versions of 250 KB are listed
  --overload          ten times what the server can take, for --seconds 60, over at most --connections 2000
  --slow-connections  --connections 1000 slow clients beside a healthy one, for --seconds 15 in each of three modes
  --disk-full         a small disk that is full, and has room again, --rounds 20 times
  --sync-error        syncs that fail, on a disk that forgets what was not synced; --rounds 20 losses of power
  --nodes             two nodes over PostgreSQL, killed and cut off under 16 clients for --seconds 60
  --upgrade           two nodes of the release before under load, replaced one by one by this one, in 4 stages of --seconds 10;
                      takes that release out of the history of the repository, or from --checkout FOLDER
  --pooled            the same with PgBouncer in transaction mode before the database
  --restart           three nodes over PostgreSQL behind nginx, then Caddy: each node restarts once under --requests 50000
                      reads and writes; --rounds restarts each so many times. With --upgrade beside it, the nodes are of the
                      release before until they restart. Needs the two programs, or Debian as root
  --siege             attempts to freeze it, to fill it, and to starve others, one after the other on both engines, or one
                      --engine embedded|postgresql; --seconds 6 for those that last, --connections 8192 for those that take
                      all; --only TEXT tries the cases whose name holds the text, --small sends less, --quick less still
  --streams           500 readers of changes over two nodes, cut every 500 ms while one node is killed; 10,000 idle streams; a
                      node that stops with 5,000
  --guests N          N guests sign up or merge while they save and servers are killed, on both engines or one --engine
  --sessions N        players renew their tokens under N restarts and rotations of keys, on both engines or one --engine
  --webhooks N        N versions told to 20 receivers with faults, the service killed once, on both engines or one --engine
  --schedules N       N changes of 20 projects at set times over --seconds 480, under kills and cuts, while others write;
                      --small takes 40 of 4 projects
  --foreign           Schemathesis against the OpenAPI description, for --seconds 60 on each engine, or on one --engine; needs
                      Python and its registry
  --smoke             a little of everything, in three to four minutes
  --seed S            repeats a run; a damaged request is repeated alone by --fuzz 1 --seed <its seed>
`;

const options = {
  fuzz: { type: 'string' },
  crash: { type: 'string' },
  patch: { type: 'string' },
  versions: { type: 'boolean' },
  overload: { type: 'boolean' },
  'slow-connections': { type: 'boolean' },
  'disk-full': { type: 'boolean' },
  'sync-error': { type: 'boolean' },
  nodes: { type: 'boolean' },
  pooled: { type: 'boolean' },
  upgrade: { type: 'boolean' },
  checkout: { type: 'string' },
  restart: { type: 'boolean' },
  requests: { type: 'string' },
  siege: { type: 'boolean' },
  streams: { type: 'boolean' },
  guests: { type: 'string' },
  sessions: { type: 'string' },
  webhooks: { type: 'string' },
  schedules: { type: 'string' },
  foreign: { type: 'boolean' },
  engine: { type: 'string' },
  only: { type: 'string' },
  small: { type: 'boolean' },
  quick: { type: 'boolean' },
  seconds: { type: 'string' },
  connections: { type: 'string' },
  rounds: { type: 'string' },
  smoke: { type: 'boolean' },
  seed: { type: 'string' },
} as const;

function readCommandLine(): { attacks: Attack[]; seed: number } {
  const { values } = parseArgs({ options });
  const size = (option: 'seconds' | 'connections' | 'rounds' | 'requests', otherwise: number) =>
    values[option] === undefined ? otherwise : wholeNumber(option, values[option], 1);
  const attacks: Attack[] = values.smoke ? smoke() : [];
  if (values.fuzz !== undefined) attacks.push(fuzzAttack(wholeNumber('fuzz', values.fuzz, 1)));
  if (values.crash !== undefined) attacks.push(crashAttack(wholeNumber('crash', values.crash, 1)));
  if (values.patch !== undefined) attacks.push(patchAttack(wholeNumber('patch', values.patch, 1)));
  if (values.versions) attacks.push(versionsAttack(1_000));
  if (values['disk-full']) attacks.push(diskFullAttack(size('rounds', 20)));
  if (values['sync-error']) attacks.push(syncErrorAttack(size('rounds', 20)));
  if (values.nodes) attacks.push(nodesAttack(size('seconds', 60), false));
  if (values.pooled) attacks.push(nodesAttack(size('seconds', 60), true));
  const before = { release: '0.1.0', checkout: values.checkout } as const;
  if (values.restart) {
    attacks.push(restartAttack(size('requests', 50_000), size('rounds', 1), values.upgrade ? before : undefined));
  } else if (values.upgrade) attacks.push(upgradeAttack({ ...before, seconds: size('seconds', 10), clients: 8 }));
  if (values.siege) {
    const isQuick = values.quick ?? false;
    const isSmall = isQuick || (values.small ?? false);
    const seconds = size('seconds', isSmall ? quickSiege.seconds : 6);
    const connections = size('connections', quickSiege.connections);
    const tolerance = isSmall ? quickSiege.tolerance : wholeTolerance;
    attacks.push(
      siegeAttack({ isSmall, isQuick, seconds, connections, tolerance }, enginesNamed(values.engine), values.only),
    );
  }
  if (values.streams) {
    const load = { readers: 500, documents: 10, writes: 2_000, seconds: 40, cutMilliseconds: 500 };
    attacks.push(streamsAttack(load, { streams: 10_000, stoppedStreams: 5_000 }, true));
  }
  const engines = enginesNamed(values.engine);
  if (values.guests !== undefined) attacks.push(guestsAttack(wholeNumber('guests', values.guests, 1), engines));
  if (values.sessions !== undefined) attacks.push(sessionsAttack(wholeNumber('sessions', values.sessions, 1), engines));
  if (values.webhooks !== undefined) {
    attacks.push(webhooksAttack(wholeNumber('webhooks', values.webhooks, 20), engines, true));
  }
  if (values.schedules !== undefined) {
    const schedules = wholeNumber('schedules', values.schedules, 1);
    const whole = { projects: 20, paceMilliseconds: 4_000, lateMillisecondsMax: 2_000 };
    const spread = { seconds: size('seconds', 480), calmMilliseconds: { from: 2_000, to: 8_000 } };
    attacks.push(schedulesAttack(values.small ? quickSchedules : { schedules, ...whole, ...spread }, engines));
  }
  if (values.foreign) attacks.push(foreignAttack(size('seconds', 60), enginesNamed(values.engine)));
  if (values['slow-connections']) attacks.push(slowConnectionsAttack(size('connections', 1_000), size('seconds', 15)));
  if (values.overload) attacks.push(overloadAttack(size('seconds', 60), size('connections', 2_000)));
  if (attacks.length === 0) throw new TypeError('say what to try');
  return { attacks, seed: values.seed === undefined ? freshSeed() : wholeNumber('seed', values.seed, 0) };
}

/** How much a row may exceed its goals and still hold. */
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

function enginesNamed(name: string | undefined): readonly Engine[] {
  const engines = ['embedded', 'postgresql'] as const;
  if (name === undefined) return engines;
  const found = engines.filter((engine) => engine === name);
  if (found.length === 0) throw new TypeError(`--engine takes ${engines.join(' or ')}, not "${name}"`);
  return found;
}

function smoke(): Attack[] {
  return [
    fuzzAttack(2_000),
    crashAttack(3),
    patchAttack(20_000),
    versionsAttack(200),
    diskFullAttack(2),
    syncErrorAttack(2),
    nodesAttack(12, false, 1_500),
    nodesAttack(8, true, 1_500),
    upgradeAttack({ release: '0.1.0', seconds: 2, clients: 4, checkout: undefined }),
    streamsAttack(
      { readers: 40, documents: 4, writes: 200, seconds: 6, cutMilliseconds: 500 },
      { streams: 500, stoppedStreams: 250 },
      false,
    ),
    guestsAttack(40, enginesNamed(undefined)),
    sessionsAttack(12, enginesNamed(undefined)),
    webhooksAttack(200, enginesNamed(undefined), false),
    schedulesAttack(quickSchedules, enginesNamed(undefined)),
    siegeAttack(quickSiege, enginesNamed(undefined)),
    // The last two bind this process to one core.
    slowConnectionsAttack(200, 1, 500),
    overloadAttack(2, 256, true),
  ];
}

function wholeNumber(option: string, text: string, min: number): number {
  const number = /^[0-9_]+$/.test(text) ? Number(text.replaceAll('_', '')) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= min) return number;
  throw new TypeError(`--${option} takes a whole number from ${min} on, not "${text}"`);
}

/** Runs one attack and prints a line about it, and a line for each fault. Returns whether every promise held. */
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
  cleanUpAtExit();
  process.stdout.write(`seed ${plan.seed}\n`);
  let held = true;
  // Of what an attack has left running after its fault: the attack says why, and the others go on.
  process.on('unhandledRejection', (error) => {
    held = false;
    process.stdout.write(`BROKEN by a rejection that nothing awaits: ${(error as Error).stack ?? error}\n`);
  });
  for (const attack of plan.attacks) if (!(await holds(attack, plan.seed))) held = false;
  return held ? 0 : 1;
}

// Processes left by a failed attack are killed with this one.
process.exit(await main());
