/**
 * Several nodes over one PostgreSQL, and clients that read, write and patch a few common documents on all of them, while the database and
 * the nodes are killed and their connections cut. In all cases, the clients' view of each document is linearizable, no acknowledged write
 * is lost, no version is used twice, and requests that cannot be served are refused in time and in the right form.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { environments } from '@holdfast/contract';
import { createProject, publicStatePath } from '../tooling/credentials.ts';
import { createNodeApi, type NodeApi, type NodeStage, startNodeStage } from '../tooling/node-stage.ts';
import { createRandom, type Random } from '../tooling/random.ts';
import { withDataDir } from '../tooling/server-process.ts';
import { Counts, sumOf } from '../tooling/statistics.ts';
import type { StoredVersion } from './history.ts';
import { checkRegister, type Operation } from './linearizability.ts';
import { type Disturbance, disturbances, strikeUntil } from './node-faults.ts';
import { createNodeWatch, type NodeWatch } from './node-watch.ts';
import { pause } from './outage.ts';
import { createRegisterClient } from './register-client.ts';
import { storedVersions } from './write-ledger.ts';

const projects = 2;
const clients = 16;
/** A client changes to another document once in this many operations: its knowledge of one soon loses value. */
const changesOneIn = 6;
const thinkMilliseconds = { from: 0, to: 12 };
/** Pause after a failed operation. */
const refusedMilliseconds = { from: 10, to: 100 };
const calmMilliseconds = { from: 300, to: 1_500 };
/** After the run, for statements that the database still executes although nobody waits for them. */
const settleMilliseconds = 500;
const listedMilliseconds = 60_000;
const faultsPerDocumentMax = 5;

export interface NodesOptions {
  readonly nodes: number;
  readonly seconds: number;
  /** Whether PgBouncer is between the nodes and the database. */
  readonly isPooled: boolean;
  /** Of a network disturbance. */
  readonly longestMilliseconds: number;
  readonly seed: number;
}

export interface NodesReport {
  /** Operations by kind and outcome. */
  readonly operations: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Number of each disturbance. */
  readonly disturbances: ReadonlyMap<string, number>;
  /** Connections cut during a statement. */
  readonly strikes: number;
  /** Versions of all documents. */
  readonly versions: number;
  /** Of `versions`, those whose write got no response. */
  readonly storedUnanswered: number;
  readonly times: NodeWatch['times'];
  readonly faults: readonly string[];
}

/** Runs the load through the disturbances and checks the results. Rejects if the nodes cannot be started. */
export function torturedNodes(options: NodesOptions): Promise<NodesReport> {
  return withDataDir(async (folder) => {
    const stage = await startNodeStage({ nodes: options.nodes, folder, isPooled: options.isPooled });
    try {
      return await run(stage, options);
    } finally {
      await stage.close();
    }
  });
}

interface Document {
  readonly path: string;
  readonly apis: readonly NodeApi[];
  readonly history: Operation[];
}

async function run(stage: NodeStage, { seconds, longestMilliseconds, seed }: NodesOptions): Promise<NodesReport> {
  const random = createRandom(seed);
  const watch = createNodeWatch(stage.nodes);
  const documents = await makeDocuments(stage);
  const endsAt = performance.now() + seconds * 1_000;
  let isOver = false;
  const load = Promise.all(
    Array.from({ length: clients }, (_, index) =>
      useDocuments(`client ${index + 1}`, documents, random.fork(), watch, () => isOver),
    ),
  );
  const striking = strikeUntil(stage.nodes, random.fork(), () => isOver);
  const happened = await disturb(disturbances(stage, random.fork(), longestMilliseconds), watch, random.fork(), endsAt);
  isOver = true;
  await load;
  const strikes = await striking;
  await sleep(settleMilliseconds);

  const verdicts = await Promise.all(documents.map((document) => checkDocument(document, watch)));
  for (const { apis } of documents) for (const api of apis) api.close();
  const ended = stage.nodes.filter(({ server, isUp }) => isUp && !server.isRunning());
  return {
    operations: watch.operations,
    disturbances: happened,
    strikes,
    versions: sumOf(verdicts, ({ versions }) => versions),
    storedUnanswered: sumOf(verdicts, ({ storedUnanswered }) => storedUnanswered),
    times: watch.times,
    faults: [
      ...watch.faults(),
      ...verdicts.flatMap(({ faults }) => faults),
      ...ended.map(({ name, server }) => `${name} ended by itself:\n${server.output()}`),
    ],
  };
}

async function makeDocuments({ credentials, nodes }: NodeStage): Promise<Document[]> {
  const documents: Document[] = [];
  for (let index = 1; index <= projects; index++) {
    const slug = `torture-${index}`;
    const authorization = `ApiKey ${await createProject(credentials, slug)}`;
    const apis = nodes.map((node) => createNodeApi(node, authorization));
    for (const environment of environments) {
      const path = publicStatePath({ ...credentials, slug }, environment);
      documents.push({ path, apis, history: [] });
    }
  }
  return documents;
}

/** A client that runs operations on any document through any node, in sequence, until `isOver`. */
async function useDocuments(
  name: string,
  documents: readonly Document[],
  random: Random,
  watch: NodeWatch,
  isOver: () => boolean,
): Promise<void> {
  const client = createRegisterClient({ name, random, onFault: watch.note, now: () => performance.now() });
  let document = random.pick(documents);
  while (!isOver()) {
    await pause(random, thinkMilliseconds);
    if (random.oneIn(changesOneIn)) document = random.pick(documents);
    // Like a balancer that knows which nodes are down: a request to a stopped node shows nothing.
    const up = document.apis.filter(({ node }) => node.isUp);
    if (up.length === 0) continue;
    const { kind, operation } = await client.operate(watch.watched(random.pick(up)), document.path);
    watch.count(kind, operation.observation.kind);
    document.history.push(operation);
    if (operation.observation.kind === 'unknown') await pause(random, refusedMilliseconds);
  }
}

/** Runs disturbances in sequence until the time is over, each after the service has recovered from the previous one. */
async function disturb(deck: readonly Disturbance[], watch: NodeWatch, random: Random, endsAt: number): Promise<Counts> {
  const happened = new Counts();
  for (let turn = 0; performance.now() < endsAt; turn++) {
    await pause(random, calmMilliseconds);
    const { name, run } = deck[turn % deck.length] as Disturbance;
    watch.disturbed(name);
    await run();
    await watch.recovered(name);
    happened.add(name);
  }
  return happened;
}

/** Reads a document and its versions on every node, and checks all results about it. */
async function checkDocument({ path, apis, history }: Document, watch: NodeWatch) {
  const lists: (readonly StoredVersion[])[] = [];
  for (const api of apis) {
    const reader = createRegisterClient({
      name: `the last read on ${api.node.name}`,
      random: createRandom(0),
      onFault: watch.note,
      now: () => performance.now(),
    });
    history.push((await reader.operate(api.send, path)).operation);
    lists.push(await listVersions(api, path));
  }
  const [list = []] = lists;
  const unlike = lists.findIndex((other) => JSON.stringify(other) !== JSON.stringify(list));
  const faults = checkRegister(history, list).slice(0, faultsPerDocumentMax);
  if (unlike >= 0) faults.push(`${apis[unlike]?.node.name} lists other versions than ${apis[0]?.node.name}`);
  const answered = new Set(
    history.flatMap(({ observation }) => (observation.kind === 'written' ? [observation.record.version] : [])),
  );
  return {
    versions: list.length,
    storedUnanswered: list.filter(({ version }) => !answered.has(version)).length,
    faults: faults.map((fault) => `${path}: ${fault}`),
  };
}

/** After the disturbances a node on a busy machine may still refuse for a while. */
async function listVersions({ node, send }: NodeApi, path: string): Promise<readonly StoredVersion[]> {
  const list = () => send('GET', `${path}/versions`);
  const deadline = performance.now() + listedMilliseconds;
  let answer = await list();
  while (answer?.status === 503 && performance.now() < deadline) {
    await sleep(settleMilliseconds);
    answer = await list();
  }
  if (answer?.status !== 200)
    throw new Error(`${node.name} answered ${answer?.status} when it was asked for ${path}/versions`);
  return storedVersions(answer.text);
}
