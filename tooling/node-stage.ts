/**
 * Nodes of the service over one PostgreSQL, each connected through its own proxy; or over the cluster of `CITUS_DATABASE_URL`, which
 * somebody else started and nobody here stops.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../packages/server/src/free-port.fixture.ts';
import { type PostgresCluster, startPostgres } from '../packages/server/src/storage/postgres/fixtures/cluster.fixture.ts';
import { newName } from '../packages/server/src/storage/postgres/fixtures/databases.fixture.ts';
import {
  coordinatorUrl,
  createDistributedDatabase,
} from '../packages/server/src/storage/postgres/fixtures/machines.fixture.ts';
import { type Api, type ApiAnswer, type ApiRequest, createApi } from './api.ts';
import { type Credentials, createAccount } from './credentials.ts';
import { type Pooler, startPooler } from './proxies/pooler.ts';
import { startTcpProxy, type TcpProxy } from './proxies/tcp-proxy.ts';
import { type ServerProcess, startedDespiteDatabase, startServerProcess } from './server-process.ts';

export interface Node {
  readonly name: string;
  readonly baseUrl: string;
  /** The proxy between the node and the database. */
  readonly proxy: TcpProxy;
  readonly isUp: boolean;
  /** The current process, or the last one. */
  readonly server: ServerProcess;
  /** Whether the node was killed or down at any time since `time` (of `performance.now`). */
  wasDownSince(time: number): boolean;
  /** Sends SIGTERM and resolves with the exit code, or the name of the signal that ended it. */
  stop(): Promise<number | string>;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
  /** Restarts it at the same address, with as many tries as needed; resolves when it is ready. */
  start(): Promise<void>;
}

export interface NodeStage {
  /** Undefined over a cluster that somebody else started. */
  readonly cluster: PostgresCluster | undefined;
  /** The URL of the common database, bypassing all proxies. */
  readonly databaseUrl: string;
  readonly nodes: readonly Node[];
  /** Credentials of an account with a project, valid on every node. */
  readonly credentials: Credentials;
  /** Settings common to all nodes, for operator commands. */
  readonly settings: Readonly<Record<string, string>>;
  /** Stops everything. */
  close(): Promise<void>;
}

export interface NodeStageOptions {
  readonly nodes: number;
  /** An empty folder, for the nodes' data folders. */
  readonly folder: string;
  /** `SVC_…` variables in addition to those that connect the nodes. */
  readonly env?: Readonly<Record<string, string>>;
  /** Variables of each node alone, the first node's first. */
  readonly own?: readonly Readonly<Record<string, string>>[];
  /** The command of each node until its restart, for example of an older program, with variables that replace `env`. */
  readonly before?: { readonly command: string; readonly env: Readonly<Record<string, string>> };
  /** Lines of postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether a pooler is between the nodes and the database. */
  readonly isPooled?: boolean;
}

/** After a restart a request may still use a connection to the previous process. */
const staleConnectionMilliseconds = 250;

/** Starts the database and the nodes. Rejects, after stopping everything, if one does not start. */
export async function startNodeStage(options: NodeStageOptions): Promise<NodeStage> {
  const { nodes: count, folder, env, own = [], before, settings, isPooled = false } = options;
  const cluster = coordinatorUrl === undefined ? await startPostgres({ ...(settings && { settings }) }) : undefined;
  const nodes: Node[] = [];
  let pooler: Pooler | undefined;
  const close = async () => {
    await Promise.all(nodes.map((node) => node.kill()));
    await Promise.all(nodes.map(({ proxy }) => proxy.close()));
    await pooler?.stop();
    await cluster?.dispose();
  };
  try {
    const databaseUrl = await (cluster?.createDatabase() ?? createDistributedDatabase(coordinatorUrl as string, newName()));
    const secretKey = randomBytes(32).toString('base64');
    const ports = await Promise.all(Array.from({ length: count }, freePort));
    const common = { SVC_BASE_URL: `http://127.0.0.1:${ports[0]}`, SVC_SECRET_KEY: secretKey };
    const shared = { ...common, ...env };
    const first = before && { command: before.command, env: { ...common, ...before.env } };
    const places = ports.map((port, index) => ({ port, name: `node-${index + 1}`, own: own[index] ?? {} }));
    if (isPooled) pooler = await startPooler(databaseUrl);
    const reached = { folder, databaseUrl: pooler?.url ?? databaseUrl, shared, first };
    for (const place of places) nodes.push(await startNode({ ...place, ...reached }));
    const baseUrl = shared.SVC_BASE_URL;
    const settings = { ...(first?.env ?? shared), SVC_DATABASE_URL: databaseUrl };
    const credentials = await createAccount(join(folder, 'operator'), { baseUrl }, settings, before?.command);
    return { cluster, databaseUrl, nodes, credentials, settings, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface NodeSettings {
  readonly name: string;
  readonly port: number;
  readonly folder: string;
  readonly databaseUrl: string;
  readonly shared: Readonly<Record<string, string>>;
  readonly own: Readonly<Record<string, string>>;
  readonly first: NodeStageOptions['before'];
}

async function startNode({ name, port, folder, databaseUrl, shared, own: extra, first }: NodeSettings): Promise<Node> {
  const { hostname, port: databasePort } = new URL(databaseUrl);
  const proxy = await startTcpProxy({ host: hostname, port: Number(databasePort) });
  const dataDir = join(folder, name);
  mkdirSync(dataDir, { mode: 0o700 });
  const own = { ...extra, SVC_DATABASE_URL: proxy.through(databaseUrl) };
  const launch = () => startServerProcess({ dataDir, port, env: { ...shared, ...own } });
  let server: ServerProcess;
  try {
    server = await startedDespiteDatabase(() =>
      first ? startServerProcess({ dataDir, port, command: first.command, env: { ...first.env, ...own } }) : launch(),
    );
  } catch (error) {
    await proxy.close();
    throw error;
  }
  let isUp = true;
  let upSince = Number.NEGATIVE_INFINITY;
  return {
    name,
    baseUrl: server.baseUrl,
    proxy,
    get isUp() {
      return isUp;
    },
    get server() {
      return server;
    },
    wasDownSince: (time) => !isUp || time < upSince + staleConnectionMilliseconds,
    async stop() {
      isUp = false;
      return server.stop();
    },
    async kill() {
      isUp = false;
      await server.kill();
    },
    async start() {
      server = await startedDespiteDatabase(launch);
      isUp = true;
      upSince = performance.now();
    },
  };
}

/** The responses of one node to one client, taking the node's state into account. */
export interface NodeApi {
  readonly node: Node;
  /** Resolves with undefined if the node was killed in the meantime. Rejects if it hangs up or does not respond although healthy. */
  send(method: string, path: string, options?: ApiRequest): Promise<ApiAnswer | undefined>;
  close(): void;
}

/** A client of one node that survives restarts of the node. */
export function createNodeApi(node: Node, authorization: string): NodeApi {
  const api: Api = createApi(node.baseUrl, authorization);
  return {
    node,
    async send(method, path, options) {
      const sentAt = performance.now();
      try {
        return await answerInTime(api.send(method, path, options));
      } catch (error) {
        if (node.wasDownSince(sentAt)) return undefined;
        throw error;
      }
    },
    close: api.close,
  };
}

/** Longer than any promise, and than a busy machine needs. */
const patienceMilliseconds = 60_000;

async function answerInTime(answering: Promise<ApiAnswer>): Promise<ApiAnswer> {
  let alarm: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    alarm = setTimeout(() => reject(new Error(`no answer within ${patienceMilliseconds / 1000} s`)), patienceMilliseconds);
  });
  try {
    return await Promise.race([answering, late]);
  } finally {
    clearTimeout(alarm);
  }
}
