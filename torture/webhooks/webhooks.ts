/**
 * Writes of public state, told to receivers with faults while the service is killed once: each version must arrive, in order, or be named as
 * dropped, and usually soon after its commit.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { type Api, createApi, expectStatus, writesAfter } from '../../tooling/api.ts';
import {
  type Credentials,
  createProject,
  firstCredentials,
  projectPath,
  publicStatePath,
} from '../../tooling/credentials.ts';
import { closeRunDatabases, type Engine, openRunDatabase } from '../../tooling/database.ts';
import { createRandom } from '../../tooling/random.ts';
import {
  type ServerProcess,
  startedDespiteDatabase,
  startServerProcess,
  withDataDir,
} from '../../tooling/server-process.ts';
import { sumOf } from '../../tooling/statistics.ts';
import { until } from '../../tooling/until.ts';
import { type FaultyReceiver, openFaultyReceiver } from './receivers.ts';

export interface WebhooksOptions {
  readonly engine: Engine;
  /** Versions written in all. */
  readonly events: number;
  readonly receivers: number;
  /** How many versions of one document are written in a second, at most: a receiver takes ten. */
  readonly perSecond: number;
  readonly seed: number;
}

export interface WebhooksReport {
  readonly versions: number;
  readonly received: number;
  readonly repeated: number;
  readonly refused: number;
  /** From the answer of each write to the first event with its version, sorted. */
  readonly delays: Float64Array;
  readonly faults: readonly string[];
}

/** A document with its receiver. */
interface Pair {
  readonly path: string;
  readonly receiver: FaultyReceiver;
  /** When the write of each version was answered; index 0 is version 1. */
  readonly answeredAt: number[];
}

/** The longest pause that a first repeated try waits is 5 s, that of a killed node 20 s; and a busy machine. */
const arrivalMilliseconds = 90_000;
const awayMilliseconds = 4_000;

/** Runs the attack on one engine. */
export async function tortureWebhooks(options: WebhooksOptions): Promise<WebhooksReport> {
  try {
    return await withDataDir(async (dataDir) => {
      const place = options.engine === 'embedded' ? {} : (await openRunDatabase()).place;
      const port = await freePort();
      const launch = () => startedDespiteDatabase(() => startServerProcess({ dataDir, port, env: place }));
      let server: ServerProcess = await launch();
      const credentials = await firstCredentials(dataDir, server.baseUrl, place);
      const pairs: Pair[] = [];
      try {
        const random = createRandom(options.seed);
        for (let n = 0; n < options.receivers; n++) {
          pairs.push(await openPair(credentials, `hooks-${n}`, await openFaultyReceiver(random.fork())));
        }
        const disturbing = disturb(options, pairs, async () => {
          await server.kill();
          server = await launch();
        });
        await Promise.all(pairs.map((pair) => write(credentials, pair, options)));
        await disturbing;
        await untilArrived(pairs);
        return reportOf(pairs);
      } finally {
        for (const { receiver } of pairs) await receiver.close();
        await server.kill();
      }
    });
  } finally {
    await closeRunDatabases();
  }
}

async function openPair(credentials: Credentials, slug: string, receiver: FaultyReceiver): Promise<Pair> {
  const { baseUrl, accountId, developerToken } = credentials;
  const place = { accountId, slug };
  await createProject(credentials, slug);
  const api = createApi(baseUrl, `Bearer ${developerToken}`);
  const body = { url: receiver.url, events: ['public_state.changed'] };
  expectStatus(await api.send('POST', `${projectPath(place)}/webhooks`, { body }), 201);
  api.close();
  return { path: publicStatePath(place, 'production'), receiver, answeredAt: [] };
}

/** Kills the service in the middle, and takes one receiver away for a while. */
async function disturb(
  { events, receivers, perSecond }: WebhooksOptions,
  pairs: readonly Pair[],
  restart: () => Promise<void>,
) {
  const third = (events / receivers / perSecond / 3) * 1_000;
  await sleep(third);
  await pairs[0]?.receiver.away();
  await sleep(Math.min(third, awayMilliseconds));
  await pairs[0]?.receiver.back();
  await restart();
}

/** Writes the versions of one document. After a lost answer it reads how far it got. */
async function write({ baseUrl, developerToken }: Credentials, { path, answeredAt }: Pair, options: WebhooksOptions) {
  const api = createApi(baseUrl, `Bearer ${developerToken}`);
  const count = Math.ceil(options.events / options.receivers);
  const startedAt = performance.now();
  while (answeredAt.length < count) {
    const version = answeredAt.length;
    await sleep(Math.max(0, startedAt + (version * 1_000) / options.perSecond - performance.now()));
    const headers = writesAfter(version);
    const answer = await api.send('PUT', path, { headers, body: { state: { version } } }).catch(() => undefined);
    if (answer?.status === 200) answeredAt.push(performance.now());
    else await catchUp(api, path, answeredAt);
  }
  api.close();
}

async function catchUp(api: Api, path: string, answeredAt: number[]): Promise<void> {
  const found = await api.send('GET', path).catch(() => undefined);
  if (found?.status !== 200) return void (await sleep(50));
  const { version } = JSON.parse(found.text) as { version: number };
  while (answeredAt.length < version) answeredAt.push(performance.now());
}

const newestOf = ({ receiver }: Pair): number =>
  Math.max(0, ...receiver.accepted.slice(-20).map(({ data }) => data.version ?? 0));

/** Resolves once everything has arrived, or nothing more arrives. What has not is a fault of the report. */
async function untilArrived(pairs: readonly Pair[]): Promise<void> {
  const left = () => pairs.filter((pair) => newestOf(pair) < pair.answeredAt.length);
  for (let last = -1, count = 0; left().length > 0 && count !== last; ) {
    last = sumOf(pairs, ({ receiver }) => receiver.accepted.length);
    const hasMore = () => left().length === 0 || sumOf(pairs, ({ receiver }) => receiver.accepted.length) > last;
    await until(hasMore, { withinMilliseconds: arrivalMilliseconds, otherwise: '' }).catch(() => undefined);
    count = sumOf(pairs, ({ receiver }) => receiver.accepted.length);
  }
}

function reportOf(pairs: readonly Pair[]): WebhooksReport {
  const checked = pairs.map(check);
  const sum = (value: (one: (typeof checked)[number]) => number) => checked.reduce((total, one) => total + value(one), 0);
  return {
    versions: sum(({ versions }) => versions),
    received: sum(({ received }) => received),
    repeated: sum(({ repeated }) => repeated),
    refused: sum(({ refused }) => refused),
    delays: Float64Array.from(checked.flatMap(({ delays }) => delays)).sort(),
    faults: checked.flatMap(({ faults }) => faults),
  };
}

/** Checks that the events of a document lead from each version to the next, and that a repeated one is unchanged. */
function check({ path, receiver, answeredAt }: Pair) {
  const delays: number[] = [];
  const ids = new Set<string>();
  const faults = receiver.changed.map((text) => `${path}: ${text}`);
  let [newest, dropped] = [0, 0];
  for (const { id, at, type, data } of receiver.accepted) {
    if (ids.has(id)) continue;
    ids.add(id);
    if (type === 'events.dropped') dropped += data.count ?? 0;
    if (data.from === undefined || data.version === undefined) continue;
    if (data.from !== newest && dropped === 0)
      faults.push(`${path}: an event leads from ${data.from}, the one before to ${newest}`);
    for (let version = newest + 1; version <= data.version; version++) delays.push(at - (answeredAt[version - 1] ?? at));
    newest = Math.max(newest, data.version);
  }
  const missing = answeredAt.length - newest;
  if (missing > 0) faults.push(`${path}: the last ${missing} of ${answeredAt.length} versions never arrived`);
  const received = receiver.accepted.length;
  const refused = receiver.faults;
  return { versions: answeredAt.length, received, repeated: received - ids.size, refused, delays, faults };
}
