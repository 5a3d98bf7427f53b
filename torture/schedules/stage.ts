/** Nodes that apply changes at their times, and what disturbs them. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { type Api, type ApiAnswer, type ApiRequest, createApi } from '../../tooling/api.ts';
import { clockAhead } from '../../tooling/clock-ahead.ts';
import { type Credentials, firstCredentials } from '../../tooling/credentials.ts';
import type { Engine } from '../../tooling/database.ts';
import { startNodeStage } from '../../tooling/node-stage.ts';
import type { Random } from '../../tooling/random.ts';
import { type ServerProcess, startServerProcess } from '../../tooling/server-process.ts';
import { type Disturbance, disturbances } from '../node-faults.ts';
import { pause } from '../outage.ts';

export interface ScheduleStage {
  readonly credentials: Credentials;
  readonly servers: readonly { readonly server: ServerProcess; readonly isUp: boolean }[];
  readonly deck: readonly (Disturbance & { /** Whether times may be missed meanwhile. */ readonly isOutage: boolean })[];
  /** Sends a request to any node that runs. Undefined: no answer, or 503. */
  send(method: string, path: string, options?: ApiRequest): Promise<ApiAnswer | undefined>;
  close(): Promise<void>;
}

const asleepMilliseconds = { from: 1_000, to: 4_000 };
const downMilliseconds = { from: 50, to: 1_000 };
const longestMilliseconds = 2_500;

/** Starts two nodes over PostgreSQL, the second with a clock that is a day ahead, or one with the embedded engine. */
export function openScheduleStage(engine: Engine, folder: string, random: Random): Promise<ScheduleStage> {
  return engine === 'embedded' ? embedded(folder, random) : overPostgres(folder, random);
}

async function embedded(folder: string, random: Random): Promise<ScheduleStage> {
  const port = await freePort();
  const launch = () => startServerProcess({ dataDir: folder, port });
  const node = { server: await launch(), isUp: true, baseUrl: `http://127.0.0.1:${port}` };
  const run = async () => {
    node.isUp = false;
    await node.server.kill();
    await pause(random, downMilliseconds);
    node.server = await launch();
    node.isUp = true;
  };
  const credentials = await firstCredentials(folder, node.baseUrl);
  const { send, close } = requestsTo([node], credentials, random);
  return {
    credentials,
    servers: [node],
    deck: [{ name: 'killed', isOutage: true, run }],
    send,
    async close() {
      close();
      await node.server.kill();
    },
  };
}

async function overPostgres(folder: string, random: Random): Promise<ScheduleStage> {
  const stage = await startNodeStage({ nodes: 2, folder: join(folder), own: [{}, clockAhead(1)] });
  const { nodes, credentials } = stage;
  const asleep = async () => {
    const { pid } = random.pick(nodes).server;
    process.kill(pid, 'SIGSTOP');
    await pause(random, asleepMilliseconds);
    process.kill(pid, 'SIGCONT');
  };
  const deck = disturbances(stage, random.fork(), longestMilliseconds).flatMap((disturbance, index) => [
    { ...disturbance, isOutage: disturbance.name !== 'node killed' },
    ...(index % 3 === 0 ? [{ name: 'node asleep', isOutage: false, run: asleep }] : []),
  ]);
  const { send, close } = requestsTo(nodes, credentials, random);
  return {
    credentials,
    servers: nodes,
    deck,
    send,
    async close() {
      close();
      await stage.close();
    },
  };
}

const patienceMilliseconds = 10_000;

function requestsTo(
  nodes: readonly { readonly baseUrl: string; readonly isUp: boolean }[],
  { developerToken }: Credentials,
  random: Random,
): Pick<ScheduleStage, 'send'> & { close(): void } {
  const apis = new Map<string, Api>(nodes.map(({ baseUrl }) => [baseUrl, createApi(baseUrl, `Bearer ${developerToken}`)]));
  return {
    async send(method, path, options) {
      const up = nodes.filter(({ isUp }) => isUp);
      const api = up.length === 0 ? undefined : apis.get(random.pick(up).baseUrl);
      const answering = api?.send(method, path, options).catch(() => undefined);
      const answer = await Promise.race([answering, sleep(patienceMilliseconds, undefined, { ref: false })]);
      return answer?.status === 503 ? undefined : answer;
    },
    close: () => {
      for (const api of apis.values()) api.close();
    },
  };
}
