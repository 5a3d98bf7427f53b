/**
 * Cost of players in the embedded store: a large environment compared with a small one, and refresh tokens compared with the minimum cost
 * of a refresh. Everything is pinned to one core, including the writer thread.
 *
 *     node bench/scripts/user-states.ts [--users 1000000] [--characters 1000] [--rounds 5] [--seconds 2] [--dir /var/tmp]
 */

import { generateKeyPairSync, hash, randomBytes, sign } from 'node:crypto';
import { closeSync, fdatasyncSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { PagePosition } from '../../packages/server/src/storage/contract/pages.ts';
import { openSqliteStore } from '../../packages/server/src/storage/sqlite/store.ts';
import type { Store } from '../../packages/server/src/storage/store.ts';
import { runPinned } from '../../tooling/child-processes.ts';
import { createBenchAccount } from '../../tooling/load/seed.ts';
import { median, seededRandom } from '../../tooling/statistics.ts';
import { withFolder } from '../../tooling/workspace.ts';

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '1000000' },
    characters: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    dir: { type: 'string', default: tmpdir() },
    pinned: { type: 'boolean', default: false },
  },
});
const few = 1_000;
const many = Number(values.users);
const milliseconds = Number(values.seconds) * 1_000;
const itemsMax = 50;
const atATime = 64;
const place = { accountId: 'acc_bench', slug: 'bench', environment: 'production' } as const;
const stateText = JSON.stringify({ data: 'x'.repeat(Number(values.characters) - 11) });
const state = { stateText, stateBytes: stateText.length, writtenAt: 1 };

/** A store with its players; `versions` are their current versions, `active` a random selection. */
interface Population {
  readonly store: Store;
  readonly versions: Uint32Array;
  readonly active: readonly number[];
  readonly random: () => number;
  readonly lastPage: PagePosition | null;
}

/** Microseconds of one call, elapsed and of processor time. */
interface Cost {
  readonly elapsed: number;
  readonly cpu: number;
}

const steps = ['read', 'write', 'write of active users', 'first page', 'last page'] as const;
type Step = (typeof steps)[number];

async function main(dataDir: string): Promise<void> {
  await compareSizes(dataDir);
  await compareRefreshes(dataDir);
}

async function compareSizes(dataDir: string): Promise<void> {
  const small = await populate(join(dataDir, 'few'), few);
  const large = await populate(join(dataDir, 'many'), many);
  const costs = { small: emptyCosts(), large: emptyCosts() };
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const step of steps) {
      costs.small[step].push(await measure[step](small));
      costs.large[step].push(await measure[step](large));
    }
  }
  await small.store.close();
  await large.store.close();
  printSizes(costs.small, costs.large);
}

const emptyCosts = () => Object.fromEntries(steps.map((step) => [step, []])) as unknown as Record<Step, Cost[]>;

const measure: Readonly<Record<Step, (of: Population) => Promise<Cost>>> = {
  read,
  write: (of) => write(of, ({ versions, random }) => Math.floor(random() * versions.length)),
  'write of active users': (of) => write(of, ({ active, random }) => active[Math.floor(random() * few)] as number),
  'first page': (of) => list(of, null),
  'last page': (of) => list(of, of.lastPage),
};

const userAt = (index: number) => hash('sha256', `user ${index}`, 'base64url').slice(0, 28);

/** Creates the users in random order of their ids, like sign-ups. */
async function populate(dataDir: string, users: number): Promise<Population> {
  // Nothing is cached, so every read is one of the database.
  const store = await openSqliteStore({ dataDir, cacheCharactersMax: 1 });
  await createBenchAccount(store, place.slug);
  const start = performance.now();
  for (let done = 0; done < users; done += 1_000) {
    const group = Array.from({ length: Math.min(1_000, users - done) }, (_, i) => ({
      ...place,
      playerId: userAt(done + i),
    }));
    await Promise.all(group.map((key) => store.writeUserState(key, { kind: 'absent' }, state)));
  }
  const perSecond = Math.round(users / ((performance.now() - start) / 1_000));
  let lastPage: PagePosition | null = null;
  for (let next: PagePosition | null = null; ; lastPage = next) {
    const outcome = await store.listUserStates(place, { after: next, itemsMax });
    if (outcome.kind === 'no_project') throw new Error('the project is gone');
    if (outcome.page.next === null) break;
    next = outcome.page.next;
  }
  console.log(`created ${users} users of ${stateText.length} characters, ${perSecond}/s`);
  const random = seededRandom(users);
  const active = Array.from({ length: few }, () => Math.floor(random() * users));
  return { store, versions: new Uint32Array(users).fill(1), active, random, lastPage };
}

async function measured(work: (isOver: () => boolean) => Promise<number>): Promise<Cost> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const count = await work(() => performance.now() - start >= milliseconds);
  const elapsed = ((performance.now() - start) * 1_000) / count;
  const { user, system } = process.cpuUsage(cpu);
  return { elapsed, cpu: (user + system) / count };
}

function read({ store, versions, random }: Population): Promise<Cost> {
  return measured(async (isOver) => {
    let count = 0;
    while (!isOver()) {
      for (let i = 0; i < 100; i++, count++) {
        const playerId = userAt(Math.floor(random() * versions.length));
        const found = await store.readUserState({ ...place, playerId });
        if (found.kind !== 'present') throw new Error(`user ${playerId} is ${found.kind}`);
      }
    }
    return count;
  });
}

function write(population: Population, pick: (of: Population) => number): Promise<Cost> {
  const { store, versions } = population;
  return measured(async (isOver) => {
    let count = 0;
    const busy = new Set<number>();
    const writer = async () => {
      while (!isOver()) {
        const index = pick(population);
        if (busy.has(index)) continue;
        busy.add(index);
        const expected = { kind: 'version', version: versions[index] as number } as const;
        const outcome = await store.writeUserState({ ...place, playerId: userAt(index) }, expected, state);
        if (outcome.kind !== 'written') throw new Error(`write of user ${index}: ${outcome.kind}`);
        versions[index] = outcome.version;
        busy.delete(index);
        count++;
      }
    };
    await Promise.all(Array.from({ length: atATime }, writer));
    return count;
  });
}

function list({ store }: Population, after: PagePosition | null): Promise<Cost> {
  return measured(async (isOver) => {
    let count = 0;
    for (; !isOver(); count++) {
      const outcome = await store.listUserStates(place, { after, itemsMax });
      if (outcome.kind === 'no_project' || outcome.page.items.length !== itemsMax) throw new Error('a page is not whole');
    }
    return count;
  });
}

function printSizes(small: Record<Step, Cost[]>, large: Record<Step, Cost[]>): void {
  const middle = (costs: Cost[], what: keyof Cost) => median(costs.map((cost) => cost[what]));
  const ratio = (above: Cost[], below: Cost[], what: keyof Cost) =>
    median(above.map((cost, round) => cost[what] / (below[round] as Cost)[what])).toFixed(2);
  console.log(`\n| us each | ${few} users | ${many} users | ratio | processor time | ratio |`);
  console.log('|---|---|---|---|---|---|');
  for (const step of steps) {
    const cells = (['elapsed', 'cpu'] as const).flatMap((what) => [
      middle(small[step], what).toFixed(1),
      middle(large[step], what).toFixed(1),
      ratio(large[step], small[step], what),
    ]);
    console.log(`| ${step} | ${cells.slice(0, 3).join(' | ')} | ${cells[3]} / ${cells[4]} | ${cells[5]} |`);
  }
  console.log(
    `\nlast page to first page: ${ratio(small['last page'], small['first page'], 'cpu')} with ${few} users,`,
    `${ratio(large['last page'], large['first page'], 'cpu')} with ${many} users`,
  );
}

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const signedText = Buffer.alloc(500, 'x');
const signOnce = () => sign('sha256', signedText, { key: privateKey, dsaEncoding: 'ieee-p1363' });

async function compareRefreshes(dataDir: string): Promise<void> {
  const store = await openSqliteStore({ dataDir: join(dataDir, 'refreshes') });
  await createBenchAccount(store, place.slug);
  const secrets: Uint8Array[] = [];
  while (secrets.length < 20_000) {
    const next = Array.from({ length: 1_000 }, (_, i) => signIn(store, secrets.length + i));
    secrets.push(...(await Promise.all(next)));
  }
  const rates = { floor: [] as number[], one: [] as number[], many: [] as number[] };
  for (let round = 0; round < Number(values.rounds); round++) {
    rates.floor.push(1e6 / (await measured(async (isOver) => leastWork(dataDir, isOver))).elapsed);
    rates.one.push(1e6 / (await measured((isOver) => refresh(store, secrets, 1, isOver))).elapsed);
    rates.many.push(1e6 / (await measured((isOver) => refresh(store, secrets, atATime, isOver))).elapsed);
  }
  await store.close();
  const ratio = (of: number[]) => median(of.map((rate, round) => rate / (rates.floor[round] as number))).toFixed(2);
  console.log('\n| refreshes, each with a look-up and an ES256 signature | per second | to the floor |');
  console.log('|---|---|---|');
  console.log(`| floor: one thread that signs and appends durably | ${Math.round(median(rates.floor))} | 1 |`);
  console.log(`| one at a time | ${Math.round(median(rates.one))} | ${ratio(rates.one)} |`);
  console.log(`| ${atATime} at a time | ${Math.round(median(rates.many))} | ${ratio(rates.many)} |`);
}

/** The floor of a refresh: a signature and a durable write in sequence. */
function leastWork(dataDir: string, isOver: () => boolean): number {
  mkdirSync(dataDir, { recursive: true });
  const file = openSync(join(dataDir, 'floor'), 'a');
  const line = randomBytes(200);
  let count = 0;
  for (; !isOver(); count++) {
    signOnce();
    writeSync(file, line);
    fdatasyncSync(file);
  }
  closeSync(file);
  return count;
}

const never = Number.MAX_SAFE_INTEGER;

async function signIn(store: Store, index: number): Promise<Uint8Array> {
  const grant = { ...place, clientId: 'acc_bench.bench', subject: userAt(index), scope: 'env:production' };
  const redirectUri = 'https://example.com/callback';
  const codeHash = hash('sha256', `code ${index}`, 'buffer');
  const secretHash = randomBytes(32);
  const code = { ...grant, redirectUri, codeChallenge: 'x'.repeat(43), email: null, name: null, expiresAt: never };
  await store.addAuthorizationCode(codeHash, code);
  const times = { createdAt: 1, idleExpiresAt: never, absoluteExpiresAt: never };
  await store.redeemAuthorizationCode(codeHash, { ...grant, familyId: `family-${index}`, ...times }, secretHash, 1);
  return secretHash;
}

/** Refreshes random families, this many in parallel, until it is over. Returns the number of refreshes. */
async function refresh(store: Store, secrets: Uint8Array[], concurrency: number, isOver: () => boolean): Promise<number> {
  let count = 0;
  const share = Math.floor(secrets.length / concurrency);
  const random = seededRandom(concurrency);
  const worker = async (first: number) => {
    while (!isOver()) {
      const index = first + Math.floor(random() * share);
      const familyId = `family-${index}`;
      if ((await store.findRefreshFamily(familyId, 2)) === undefined) throw new Error(`${familyId} is gone`);
      signOnce();
      const secretHash = randomBytes(32);
      const token = { familyId, secretHash: secrets[index] as Uint8Array };
      const outcome = await store.consumeRefreshToken(token, { secretHash, idleExpiresAt: never }, 2, 0);
      if (outcome.kind !== 'consumed') throw new Error(`refresh of ${familyId}: ${outcome.kind}`);
      secrets[index] = secretHash;
      count++;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, (_, i) => worker(i * share)));
  return count;
}

if (values.pinned) await withFolder('bench', main, values.dir);
else runPinned();
