/** Readers of documents over two nodes, whose connections are cut all the time, while one node is killed and restarted. */
import { setTimeout as sleep } from 'node:timers/promises';
import { applyOperations, type JsonObject, type PatchOperation } from '@holdfast/json';
import { createApi, expectStatus, writesAfter } from '../../tooling/api.ts';
import { createProject, publicStatePath } from '../../tooling/credentials.ts';
import { type Node, type NodeStage, startNodeStage } from '../../tooling/node-stage.ts';
import { withDataDir } from '../../tooling/server-process.ts';
import { sumOf } from '../../tooling/statistics.ts';
import { nextAddress, openEvents, type StreamEvent } from './event-socket.ts';

export interface FollowingOptions {
  readonly readers: number;
  readonly documents: number;
  /** Versions of all documents together. */
  readonly writes: number;
  readonly seconds: number;
  /** How long a connection lives before it is cut. */
  readonly cutMilliseconds: number;
}

export interface FollowingReport {
  readonly writes: number;
  readonly events: number;
  readonly connections: number;
  /** Whole documents sent because a reader was far behind. */
  readonly snapshots: number;
  /** Milliseconds from sending a write to its event on the other node, sorted. */
  readonly delays: readonly number[];
  readonly faults: readonly string[];
}

/** How long nothing arrives before the rest is counted as lost. */
const settledMilliseconds = 20_000;

interface Document {
  readonly path: string;
  readonly authorization: string;
  /** When the write of a version was sent, and on which node. */
  readonly written: Map<number, { readonly at: number; readonly node: Node }>;
  version: number;
}

/** Rejects if the nodes cannot be started. */
export function following(options: FollowingOptions): Promise<FollowingReport> {
  return withDataDir(async (folder) => {
    const env = { SVC_CONNECTIONS_MAX: '8192' };
    const stage = await startNodeStage({ nodes: 2, folder, env });
    try {
      return await follow(stage, options);
    } finally {
      await stage.close();
    }
  });
}

async function follow(stage: NodeStage, options: FollowingOptions): Promise<FollowingReport> {
  const { readers: count, documents: documentCount, writes, seconds } = options;
  const documents = await Promise.all(Array.from({ length: documentCount }, (_, n) => newDocument(stage, n)));
  const versions = Math.ceil(writes / documentCount);
  const faults: string[] = [];
  const readers = Array.from(
    { length: count },
    (_, n) => new Reader(documents[n % documentCount] as Document, stage.nodes, n, options.cutMilliseconds, faults),
  );
  const victim = stage.nodes[1] as Node;
  const killing = (async () => {
    await sleep((seconds * 1000) / 3);
    await victim.kill();
    await sleep(1_000);
    await victim.start();
  })();
  const rest = (seconds * 1000) / versions;
  await Promise.all([...documents.map((document) => writeAll(document, stage.nodes, versions, rest)), killing]);
  await untilSettled(() => sumOf(readers, ({ version }) => version), count * versions);
  for (const reader of readers) {
    reader.close();
    if (reader.version !== versions) faults.push(`a reader has version ${reader.version} of ${versions} in the end`);
    else if (reader.state.n !== versions)
      faults.push(`a reader has ${JSON.stringify(reader.state)} as version ${versions}`);
  }
  return {
    writes: documentCount * versions,
    events: sumOf(readers, ({ events }) => events),
    connections: sumOf(readers, ({ connections }) => connections),
    snapshots: sumOf(readers, ({ snapshots }) => snapshots),
    delays: readers.flatMap(({ delays }) => delays).sort((one, other) => one - other),
    faults: [...new Set(faults)].slice(0, 20),
  };
}

/** Resolves once a sum has reached this, or no longer grows. */
async function untilSettled(sum: () => number, expected: number): Promise<void> {
  let [last, at] = [sum(), performance.now()];
  while (last < expected && performance.now() < at + settledMilliseconds) {
    await sleep(50);
    if (sum() !== last) [last, at] = [sum(), performance.now()];
  }
}

async function newDocument({ credentials }: NodeStage, n: number): Promise<Document> {
  const slug = `followed-${n}`;
  const apiKey = await createProject(credentials, slug);
  const path = publicStatePath({ ...credentials, slug }, 'production');
  return { path, authorization: `ApiKey ${apiKey}`, written: new Map(), version: 0 };
}

/** Writes versions in sequence, on either node in turn; unanswered ones are looked up. */
async function writeAll(document: Document, nodes: readonly Node[], versions: number, rest: number): Promise<void> {
  const { path, authorization, written } = document;
  const apis = new Map(nodes.map((node) => [node, createApi(node.baseUrl, authorization)]));
  const ready = (turn: number) =>
    nodes.filter(({ isUp }) => isUp)[turn % Math.max(1, nodes.filter(({ isUp }) => isUp).length)];
  for (let turn = 0; document.version < versions; turn++) {
    const node = ready(turn);
    const at = performance.now();
    const version = document.version + 1;
    try {
      const api = node && apis.get(node);
      if (node === undefined || api === undefined) throw new Error('no node is up');
      written.set(version, { at, node });
      const ops = [
        { op: 'add', path: '/n', value: version },
        { op: 'add', path: `/k${version % 10}`, value: `v${version}` },
      ];
      const answer = await api.send('PATCH', path, { headers: writesAfter(version - 1), body: { ops } });
      if (answer.status === 412) {
        document.version = (JSON.parse(answer.text) as { currentVersion: number | null }).currentVersion ?? 0;
        continue;
      }
      expectStatus(answer, 200);
      document.version = version;
    } catch {
      await sleep(20);
      continue;
    }
    await sleep(Math.max(0, rest - (performance.now() - at)));
  }
  for (const api of apis.values()) api.close();
}

/** Follows one document, on the nodes in turn, and compares every event with the previous one. */
class Reader {
  readonly delays: number[] = [];
  version = 0;
  state: JsonObject = {};
  events = 0;
  connections = 0;
  snapshots = 0;
  readonly #document: Document;
  readonly #nodes: readonly Node[];
  readonly #cutMilliseconds: number;
  readonly #faults: string[];
  #turn: number;
  #openedAt = 0;
  #node: Node | undefined;
  #cut: () => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(document: Document, nodes: readonly Node[], n: number, cutMilliseconds: number, faults: string[]) {
    this.#document = document;
    this.#nodes = nodes;
    this.#turn = n;
    this.#cutMilliseconds = cutMilliseconds;
    this.#faults = faults;
    this.#timer = setTimeout(() => this.#open(), Math.random() * cutMilliseconds);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#cut();
  }

  #open(): void {
    if (this.#isClosed) return;
    const node = this.#nodes[this.#turn++ % this.#nodes.length] as Node;
    const { path, authorization } = this.#document;
    this.connections++;
    this.#node = node;
    this.#openedAt = Number.POSITIVE_INFINITY;
    const since = this.version;
    this.#cut = openEvents({
      port: Number(new URL(node.baseUrl).port),
      localAddress: nextAddress(),
      path: `${path}/changes?since=${since}`,
      authorization,
      onOpen: () => {
        this.#openedAt = performance.now();
      },
      onEvent: (event) => this.#take(event),
      onEnd: (status) => {
        if (status !== undefined && status !== 503) this.#faults.push(`a connect was answered with ${status}`);
        this.#again(50 + Math.random() * 100);
      },
    });
    this.#timer = setTimeout(() => {
      this.#cut();
      this.#again(0);
    }, this.#cutMilliseconds);
  }

  #again(milliseconds: number): void {
    clearTimeout(this.#timer);
    if (!this.#isClosed) this.#timer = setTimeout(() => this.#open(), milliseconds);
  }

  #take({ type, id, data: text }: StreamEvent): void {
    if (type === 'goodbye') return;
    this.events++;
    const data = JSON.parse(text) as { from?: number; ops?: PatchOperation[]; state?: JsonObject };
    if (type === 'snapshot') {
      this.snapshots++;
      if (id - this.version <= 50) this.#faults.push(`version ${id} came whole after ${this.version}`);
      this.state = data.state ?? {};
    } else if (type !== 'change' || data.from !== this.version || id !== this.version + 1) {
      this.#faults.push(`${type} from ${data.from} to ${id} came after version ${this.version}`);
    } else {
      const result = applyOperations(this.state, data.ops ?? []);
      if (result.kind === 'patched') this.state = result.document;
      else this.#faults.push(`the operations to version ${id} do not apply: ${result.message}`);
    }
    this.version = id;
    const written = this.#document.written.get(id);
    if (written !== undefined && written.node !== this.#node && this.#openedAt < written.at) {
      this.delays.push(performance.now() - written.at);
    }
  }
}
