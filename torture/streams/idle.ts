/** Very many streams of one node: the cost of each, the delay until a write reaches all of them, and how they end. */

import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { ask, createApi, expectStatus, writesAfter } from '../../tooling/api.ts';
import {
  asDeveloper,
  type Credentials,
  createApiKey,
  createProject,
  projectPath,
  publicStatePath,
  userStatePath,
  withServer,
} from '../../tooling/credentials.ts';
import type { ServerProcess } from '../../tooling/server-process.ts';
import { openOperator } from '../siege/operator.ts';
import { nextAddress, openEvents } from './event-socket.ts';
import type { ProbeOrder, ProbeReport } from './get-probe.ts';

export interface IdleOptions {
  /** Open idle streams, and streams that are open when the node is stopped. */
  readonly streams: number;
  readonly stoppedStreams: number;
  /** Whether too large times and sizes are faults. */
  readonly isStrict: boolean;
}

export interface IdleReport {
  readonly kibibytesEach: number;
  /** From sending a write to its event in the last stream, the median of five. */
  readonly lastMilliseconds: number;
  /** The longest wait of others' reads meanwhile. */
  readonly readMilliseconds: number;
  readonly revokedMilliseconds: number;
  /** From the expiry of a token to the end of its stream. */
  readonly expiredMilliseconds: number;
  /** The largest share of all reconnections within 100 ms, after the node was stopped. */
  readonly herd: number;
  readonly faults: readonly string[];
}

const kibibytesMax = 30;
const lastMillisecondsMax = 500;
const readMillisecondsMax = 50;
const revokedMillisecondsMax = 1_000;
const expiredMillisecondsMax = 2_000;
const herdMax = 0.15;

/** The maximum of one credential is a thousand. */
const streamsOfKey = 900;
const openedTogether = 200;
/** The server has stopped, and what it sent is still to be read. */
const endedMilliseconds = 60_000;

/** Rejects if the server cannot be started. */
export function idle({ streams, stoppedStreams, isStrict }: IdleOptions): Promise<IdleReport> {
  const env = { SVC_CONNECTIONS_MAX: '16384', SVC_LOG_REQUESTS: 'refused' };
  return withServer({ env }, async (server, credentials, dataDir) => {
    const crowd = new Crowd(credentials);
    const kibibytesEach = await crowd.grow(streams, server);
    const { lastMilliseconds, readMilliseconds } = await crowd.tell();
    const ends = await measureEnds(credentials, { SVC_DATA_DIR: dataDir, SVC_PORT: String(credentials.port) });
    crowd.shrink(stoppedStreams);
    await sleep(1_000);
    const herd = await crowd.stop(server);
    const report = { kibibytesEach, lastMilliseconds, readMilliseconds, ...ends, herd };
    return { ...report, faults: [...crowd.faults, ...(isStrict ? tooLarge(report) : [])] };
  });
}

function tooLarge(report: Omit<IdleReport, 'faults'>): string[] {
  const bounds = {
    kibibytesEach: kibibytesMax,
    lastMilliseconds: lastMillisecondsMax,
    readMilliseconds: readMillisecondsMax,
    revokedMilliseconds: revokedMillisecondsMax,
    expiredMilliseconds: expiredMillisecondsMax,
    herd: herdMax,
  } as const;
  return (Object.keys(bounds) as (keyof typeof bounds)[])
    .filter((name) => report[name] > bounds[name])
    .map((name) => `${name} is ${report[name].toFixed(2)}, more than ${bounds[name]}`);
}

/** Streams of one document. */
class Crowd {
  readonly faults: string[] = [];
  readonly #credentials: Credentials;
  readonly #cuts: (() => void)[] = [];
  readonly #goodbyes: number[] = [];
  readonly #keys: string[] = [];
  #notified = 0;
  #onNotified: () => void = () => {};
  #isStopping = false;
  #ended = 0;
  #onEnded: () => void = () => {};
  #version = 0;

  constructor(credentials: Credentials) {
    this.#credentials = credentials;
  }

  get #path(): string {
    return publicStatePath(this.#credentials, 'staging');
  }

  /** Opens this many streams. Returns the memory of each on the server, in KiB. */
  async grow(count: number, server: ServerProcess): Promise<number> {
    for (let keys = 0; keys * streamsOfKey < count; keys++) {
      this.#keys.push((await createApiKey(this.#credentials, { name: 'crowd' })).apiKey);
    }
    await this.#open(Math.min(count, openedTogether)); // everything is loaded by then
    await sleep(1_000);
    const before = server.residentBytes();
    const opened = this.#cuts.length;
    while (this.#cuts.length < count) await this.#open(Math.min(openedTogether, count - this.#cuts.length));
    await sleep(3_000);
    return (server.residentBytes() - before) / 1024 / Math.max(1, this.#cuts.length - opened);
  }

  async #open(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    let left = count;
    for (let i = 0; i < count; i++) {
      const key = this.#keys[Math.floor(this.#cuts.length / streamsOfKey)];
      this.#cuts.push(
        openEvents({
          port: this.#credentials.port,
          localAddress: nextAddress(),
          path: `${this.#path}/changes`,
          authorization: `ApiKey ${key}`,
          onEvent: ({ type, data }) => {
            if (type === 'snapshot' && --left === 0) resolve();
            if (type === 'change') this.#countNotified();
            if (type === 'goodbye') this.#goodbyes.push((JSON.parse(data) as { retryAfterMs: number }).retryAfterMs);
          },
          onEnd: (status) => {
            if (!this.#isStopping) this.faults.push(`a stream ended (status ${status})`);
            else if (++this.#ended === this.#cuts.length) this.#onEnded();
          },
        }),
      );
    }
    await promise;
  }

  #countNotified(): void {
    this.#notified++;
    if (this.#notified === this.#cuts.length) this.#onNotified();
  }

  /** Writes the document five times, while somebody reads another one. Returns the median of the writes, and the longest read. */
  async tell(): Promise<{ readonly lastMilliseconds: number; readonly readMilliseconds: number }> {
    const { port, apiKey, baseUrl } = this.#credentials;
    const order: ProbeOrder = { port, path: publicStatePath(this.#credentials, 'production'), apiKey };
    const probe = new Worker(new URL('./get-probe.ts', import.meta.url), { workerData: order });
    const api = createApi(baseUrl, `ApiKey ${apiKey}`);
    await sleep(1_000);
    const times: number[] = [];
    for (let round = 0; round < 5; round++) {
      this.#notified = 0;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#onNotified = resolve;
      const begun = performance.now();
      const body = { ops: [{ op: 'add', path: '/n', value: round }] };
      const sent = api.send('PATCH', this.#path, { headers: writesAfter(this.#version), body });
      const { text } = expectStatus(await sent, 200);
      this.#version = (JSON.parse(text) as { version: number }).version;
      await promise;
      times.push(performance.now() - begun);
      await sleep(300);
    }
    api.close();
    const reported = new Promise<ProbeReport>((resolve) => probe.once('message', resolve));
    probe.postMessage('end');
    const { longestMilliseconds } = await reported;
    await probe.terminate();
    const [, , lastMilliseconds = 0] = times.sort((one, other) => one - other);
    return { lastMilliseconds, readMilliseconds: longestMilliseconds };
  }

  /** Closes streams until this many are left. */
  shrink(count: number): void {
    for (const cut of this.#cuts.splice(count)) cut();
  }

  /** Stops the node. Returns the largest share of clients that reconnect within the same 100 ms, at their assigned times. */
  async stop(server: ServerProcess): Promise<number> {
    this.#isStopping = true;
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    this.#onEnded = resolve;
    await server.stop();
    await Promise.race([ended, sleep(endedMilliseconds)]);
    const count = this.#cuts.length;
    if (this.#goodbyes.length !== count) this.faults.push(`${this.#goodbyes.length} of ${count} streams heard a goodbye`);
    const slots = Map.groupBy(this.#goodbyes, (milliseconds) => Math.floor(milliseconds / 100));
    return Math.max(0, ...[...slots.values()].map(({ length }) => length)) / Math.max(1, count);
  }
}

/** How soon streams end after their key is revoked or their token expires. */
async function measureEnds(
  credentials: Credentials,
  settings: Readonly<Record<string, string>>,
): Promise<Pick<IdleReport, 'revokedMilliseconds' | 'expiredMilliseconds'>> {
  const { baseUrl, accountId, port } = credentials;
  const slug = 'ending';
  const place = { accountId, slug };
  await createProject(credentials, slug);
  const { id, apiKey } = await createApiKey({ ...credentials, slug }, { name: 'gone' });
  const path = `${publicStatePath(place, 'staging')}/changes`;
  const streams = await Promise.all(Array.from({ length: 20 }, () => openUntilEnd(port, path, `ApiKey ${apiKey}`)));
  const revokedAt = performance.now();
  await ask(asDeveloper(credentials), 204, 'DELETE', `${projectPath(place)}/api-keys/${id}`);
  const revokedMilliseconds = Math.max(...(await Promise.all(streams.map(({ ended }) => ended)))) - revokedAt;
  const operator = await openOperator(baseUrl, settings);
  const seconds = 3;
  const token = await operator.playerToken(place, 'player', 'staging', seconds);
  const { exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { exp: number };
  const stream = await openUntilEnd(port, `${userStatePath(place, 'staging')}/changes`, `Bearer ${token}`);
  const endedAt = (await stream.ended) + performance.timeOrigin;
  return { revokedMilliseconds, expiredMilliseconds: endedAt - exp * 1000 };
}

/** Opens a stream; `ended` is when it ended, of `performance.now`. */
async function openUntilEnd(port: number, path: string, authorization: string) {
  const { promise: opened, resolve: onOpen } = Promise.withResolvers<void>();
  const { promise: ended, resolve: onEnded } = Promise.withResolvers<number>();
  openEvents({
    port,
    path,
    authorization,
    localAddress: nextAddress(),
    onEvent: () => {},
    onOpen,
    onEnd: () => onEnded(performance.now()),
  });
  await opened;
  return { ended };
}
