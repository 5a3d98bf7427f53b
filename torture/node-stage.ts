/** Nodes of the service over one PostgreSQL, each with a proxy of its own on the way to it. */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../packages/server/src/free-port.fixture.ts';
import { type PostgresCluster, startPostgres } from '../packages/server/src/storage/postgres/fixtures/cluster.fixture.ts';
import { type Api, type ApiAnswer, type ApiRequest, createApi } from './api.ts';
import { type Credentials, createAccount } from './credentials.ts';
import { type Pooler, startPooler } from './pooler.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

export interface Node {
  readonly name: string;
  readonly baseUrl: string;
  /** Between the node and the database. */
  readonly proxy: TcpProxy;
  readonly isUp: boolean;
  /** The process that runs now, or ran last. */
  readonly server: ServerProcess;
  /** Whether the node was killed, or was not up, at any time since `time` (of `performance.now`). */
  wasDownSince(time: number): boolean;
  /** Sends SIGTERM and resolves with the exit code, or the name of the signal that ended it. */
  stop(): Promise<number | string>;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again at the same address, as often as it takes; resolves when it is ready. */
  start(): Promise<void>;
}

export interface NodeStage {
  readonly cluster: PostgresCluster;
  /** Of the one that all nodes use, past all proxies. */
  readonly databaseUrl: string;
  readonly nodes: readonly Node[];
  /** Of an account with a project, valid on every node. */
  readonly credentials: Credentials;
  /** What the nodes have in common, for commands of the operator. */
  readonly settings: Readonly<Record<string, string>>;
  /** Ends everything. */
  close(): Promise<void>;
}

export interface NodeStageOptions {
  readonly nodes: number;
  /** An empty one, for the nodes' data directories. */
  readonly folder: string;
  /** `SVC_…` variables beside those that join the nodes to each other. */
  readonly env?: Readonly<Record<string, string>>;
  /** What runs as each node until that is started again: the command of an older program, with variables in place of `env`. */
  readonly before?: { readonly command: string; readonly env: Readonly<Record<string, string>> };
  /** Lines of postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether a pooler lies between the nodes and the database. */
  readonly isPooled?: boolean;
}

/** After a restart a request may still meet a connection to the process before. */
const staleConnectionMilliseconds = 250;
const startMillisecondsMax = 20_000;

/** Starts the database, and then the nodes. Rejects, having ended everything, when one does not start. */
export async function startNodeStage(options: NodeStageOptions): Promise<NodeStage> {
  const { nodes: count, folder, env, before, settings, isPooled = false } = options;
  const cluster = await startPostgres({ ...(settings && { settings }) });
  const nodes: Node[] = [];
  let pooler: Pooler | undefined;
  const close = async () => {
    await Promise.all(nodes.map((node) => node.kill()));
    await Promise.all(nodes.map(({ proxy }) => proxy.close()));
    await pooler?.stop();
    await cluster.dispose();
  };
  try {
    const databaseUrl = await cluster.createDatabase();
    const secretKey = randomBytes(32).toString('base64');
    const ports = await Promise.all(Array.from({ length: count }, freePort));
    const common = { SVC_BASE_URL: `http://127.0.0.1:${ports[0]}`, SVC_SECRET_KEY: secretKey };
    const shared = { ...common, ...env };
    const first = before && { command: before.command, env: { ...common, ...before.env } };
    const places = ports.map((port, index) => ({ port, name: `node-${index + 1}` }));
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

interface NodePlace {
  readonly name: string;
  readonly port: number;
  readonly folder: string;
  readonly databaseUrl: string;
  readonly shared: Readonly<Record<string, string>>;
  readonly first: NodeStageOptions['before'];
}

async function startNode({ name, port, folder, databaseUrl, shared, first }: NodePlace): Promise<Node> {
  const { hostname, port: databasePort } = new URL(databaseUrl);
  const proxy = await startTcpProxy({ host: hostname, port: Number(databasePort) });
  const dataDir = join(folder, name);
  mkdirSync(dataDir, { mode: 0o700 });
  const own = { SVC_DATABASE_URL: proxy.through(databaseUrl) };
  const launch = () => startServerProcess({ dataDir, port, env: { ...shared, ...own } });
  let server: ServerProcess;
  try {
    server = first
      ? await startServerProcess({ dataDir, port, command: first.command, env: { ...first.env, ...own } })
      : await launch();
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
      server = await launchUntilReady(launch);
      isUp = true;
      upSince = performance.now();
    },
  };
}

/** A node that starts while its database cannot be reached says so and ends, and whoever supervises it starts it again. */
async function launchUntilReady(launch: () => Promise<ServerProcess>): Promise<ServerProcess> {
  const deadline = performance.now() + startMillisecondsMax;
  for (;;) {
    try {
      return await launch();
    } catch (error) {
      const isTransient = (error as Error).message.includes('cannot use the database');
      if (!isTransient || performance.now() > deadline) throw error;
    }
  }
}

/** The answers of one node to one client, with what is known of how it fared. */
export interface NodeApi {
  readonly node: Node;
  /** Resolves with undefined when the node was killed meanwhile; rejects when it gives no answer, or hangs up, unharmed. */
  send(method: string, path: string, options?: ApiRequest): Promise<ApiAnswer | undefined>;
  close(): void;
}

/** A client of one node, which outlives the processes that run as that node. */
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

const patienceMilliseconds = 15_000;

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
