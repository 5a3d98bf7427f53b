/**
 * A rolling restart or upgrade, as an operator does it: three nodes over one PostgreSQL behind the documented nginx or Caddy, each stopped
 * with SIGTERM and restarted in turn, while clients read and write. No read fails, and no write with an Idempotency-Key; each of those
 * counts once. A write without a key may be refused when a node stops, but never counts twice.
 */

import { randomUUID } from 'node:crypto';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { environments } from '@holdfast/contract';
import { freePort } from '../packages/server/src/free-port.fixture.ts';
import { writesAfter } from '../tooling/api.ts';
import { type Credentials, createProject, publicStatePath } from '../tooling/credentials.ts';
import { type NodeStage, startNodeStage } from '../tooling/node-stage.ts';
import { type Answer, type Ask, askOverHttp1 } from '../tooling/proxies/proxy-client.ts';
import { type ReverseProxy, startProxy } from '../tooling/proxies/reverse-proxy.ts';
import { runCommand, withDataDir } from '../tooling/server-process.ts';
import { firstOf } from '../tooling/statistics.ts';

const nodes = 3;
const clients = 16;
/** How many of the clients write without a key. */
const keyless = 2;
const drainSeconds = 5;
/** The load before the first restart, and between two of them. */
const calmMilliseconds = 1_000;
const faultsShown = 10;
/** How long a client waits before it repeats a request. */
const repeatMilliseconds = 2_000;

export interface RestartOptions {
  readonly proxies: Readonly<Record<string, ReverseProxy>>;
  /** Reads and writes with a key, through each proxy. The load continues until the last node is back, with more requests if needed. */
  readonly requests: number;
  /** How often each node restarts. */
  readonly rounds: number;
  /**
   * The folder of an older release, which each node runs before its first restart; the upgrade is finished at the end. Old nodes may not
   * drain, so clients repeat unanswered reads and writes with keys, like a client library.
   */
  readonly from?: string | undefined;
}

/** The clients' results behind one proxy. */
export interface RestartReport {
  readonly proxy: string;
  readonly restarts: number;
  readonly seconds: number;
  readonly reads: Count;
  readonly keyedWrites: Count;
  /** These may be refused. */
  readonly keylessWrites: Count;
  readonly faults: readonly string[];
}

export interface Count {
  sent: number;
  failed: number;
  /** Requests that the client repeated. */
  again: number;
}

/** Restarts all nodes behind each proxy in turn. Rejects if nodes or proxy cannot be started. */
export async function rollingRestarts(options: RestartOptions): Promise<RestartReport[]> {
  const reports: RestartReport[] = [];
  for (const [name, proxy] of Object.entries(options.proxies)) {
    const onStage = (stage: NodeStage) => withDataDir((place) => behind(stage, name, proxy, place, options));
    reports.push(await withStage(options.from, onStage));
  }
  return reports;
}

/** Nodes of this program, or of the one installed in `from`, over a separate database. */
const withStage = <Result>(from: string | undefined, work: (stage: NodeStage) => Promise<Result>): Promise<Result> =>
  withDataDir(async (folder) => {
    const first = { SVC_TRUST_PROXY: '127.0.0.1' };
    const before = from && { before: { command: join(from, 'packages/server/bin/holdfast.mjs'), env: first } };
    const env = { ...first, SVC_DRAIN_SECONDS: String(drainSeconds) };
    const stage = await startNodeStage({ nodes, folder, env, ...before });
    try {
      return await work(stage);
    } finally {
      await stage.close();
    }
  });

async function behind(
  stage: NodeStage,
  name: string,
  proxy: ReverseProxy,
  folder: string,
  { requests, rounds, from }: RestartOptions,
): Promise<RestartReport> {
  const services = stage.nodes.map(({ baseUrl }) => Number(new URL(baseUrl).port));
  const ports = { services, http: await freePort(), https: await freePort() };
  const stopProxy = await startProxy(proxy, folder, ports);
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  try {
    const load = new Load(askOverHttp1(ports.https, agent), from !== undefined);
    const startedAt = performance.now();
    let isOver = false;
    const running = Promise.all(
      (await paths(stage.credentials, name)).map((document, index) =>
        index < keyless ? load.writeWithoutKey(document, () => isOver) : load.use(document, () => isOver),
      ),
    );
    await restartAll(stage, rounds);
    if (from !== undefined) await finishUpgrade(stage).catch((error: Error) => load.faults.push(error.message));
    while (load.counted < requests) await sleep(50);
    isOver = true;
    await running;
    const { reads, keyedWrites, keylessWrites, faults } = load;
    const seconds = (performance.now() - startedAt) / 1000;
    return {
      proxy: name,
      restarts: rounds * nodes,
      seconds,
      reads,
      keyedWrites,
      keylessWrites,
      faults: firstOf(faults, faultsShown),
    };
  } finally {
    agent.destroy();
    await stopProxy();
  }
}

async function restartAll(stage: NodeStage, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const node of stage.nodes) {
      await sleep(calmMilliseconds);
      const code = await node.stop();
      if (code !== 0) throw new Error(`${node.name} stopped with ${code}:\n${node.server.output()}`);
      await node.start();
    }
  }
}

/** Like the operator after replacing the last old node. */
async function finishUpgrade({ settings }: NodeStage): Promise<void> {
  await withDataDir((dataDir) => runCommand(['upgrade', '--finish'], dataDir, settings));
}

interface Document {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A document for each client, in projects whose names end in `name`. */
async function paths(credentials: Credentials, name: string): Promise<Document[]> {
  const documents: Document[] = [];
  for (let index = 1; documents.length < clients; index++) {
    const slug = `restart-${index}-${name.replaceAll(/[^a-z]/g, '')}`;
    const headers = { Authorization: `ApiKey ${await createProject(credentials, slug)}` };
    for (const environment of environments) {
      documents.push({ path: publicStatePath({ ...credentials, slug }, environment), headers });
    }
  }
  return documents.slice(0, clients);
}

/** The requests of all clients, and their outcomes. */
class Load {
  readonly #ask: Ask;
  readonly #repeats: boolean;
  readonly reads: Count = { sent: 0, failed: 0, again: 0 };
  readonly keyedWrites: Count = { sent: 0, failed: 0, again: 0 };
  readonly keylessWrites: Count = { sent: 0, failed: 0, again: 0 };
  readonly faults: string[] = [];

  constructor(ask: Ask, repeats: boolean) {
    this.#ask = ask;
    this.#repeats = repeats;
  }

  get counted(): number {
    return this.reads.sent + this.keyedWrites.sent;
  }

  /** Creates a document, then changes and reads it alternately. Every write is its next version, and every read shows the last one. */
  async use(document: Document, isOver: () => boolean): Promise<void> {
    let version = 0;
    while (!isOver()) {
      const written = await this.#send(this.keyedWrites, document, { ...write(version), key: randomUUID() });
      if (written !== undefined) this.#expectVersion(this.keyedWrites, document, written, version + 1);
      const read = await this.#send(this.reads, document, { method: 'GET' });
      if (read === undefined) continue;
      // After a failed write, only a read shows the version.
      if (written?.status === 200) this.#expectVersion(this.reads, document, read, version + 1);
      version = versionOf(read) ?? version;
    }
  }

  /** Writes without a key. A refused one must not have been applied, and none may be applied twice. */
  async writeWithoutKey(document: Document, isOver: () => boolean): Promise<void> {
    let version = 0;
    while (!isOver()) {
      const answer = await this.#send(this.keylessWrites, document, write(version));
      if (answer?.status === 200) version++;
      else if (answer?.status === 412) {
        this.faults.push(`PUT without a key of ${document.path} met its own version: it was sent twice`);
        return;
      } else {
        this.keylessWrites.failed++;
        const read = await this.#ask({ path: document.path, headers: document.headers }).catch(() => undefined);
        version = (read && versionOf(read)) ?? version;
      }
    }
  }

  #expectVersion(count: Count, { path }: Document, answer: Answer, version: number): void {
    if (answer.status === 200 && versionOf(answer) === version) return;
    count.failed++;
    const found = `${answer.status} ${answer.headers.etag ?? ''}`;
    this.faults.push(`${path}: ${found} in place of "${version}": ${answer.text.slice(0, 120)}`);
  }

  /** Resolves with the response; counts a failure and resolves with undefined if there was none. */
  async #send(count: Count, document: Document, { method, key, ...rest }: Sent): Promise<Answer | undefined> {
    const keyed = key === undefined ? {} : { 'Idempotency-Key': key };
    const question = {
      method,
      path: document.path,
      headers: { ...document.headers, ...rest.headers, ...keyed },
      ...(rest.body !== undefined && { body: rest.body }),
    };
    count.sent++;
    try {
      const answer = await this.#ask(question);
      if (answer.status !== 503 || !this.#repeats || count === this.keylessWrites) return answer;
      count.again++;
      await sleep(repeatMilliseconds);
      return await this.#ask(question);
    } catch (error) {
      if (count === this.keylessWrites) return undefined;
      count.failed++;
      this.faults.push(`${method} ${document.path}: ${(error as Error).message}`);
      return undefined;
    }
  }
}

interface Sent {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly key?: string;
}

/** The write after a version: a PUT at first and now and then, otherwise a PATCH. */
function write(version: number): Sent {
  const headers = { ...writesAfter(version), 'Content-Type': 'application/json' };
  const state = { written: version + 1, filler: 'x'.repeat(1_000) };
  if (version % 4 === 0) return { method: 'PUT', headers, body: JSON.stringify({ state }) };
  const ops = [{ op: 'replace', path: '/written', value: version + 1 }];
  return { method: 'PATCH', headers, body: JSON.stringify({ ops }) };
}

const versionOf = ({ headers: { etag } }: Answer): number | undefined =>
  etag === undefined ? undefined : Number(etag.slice(1, -1));
