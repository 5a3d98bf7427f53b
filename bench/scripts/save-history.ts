/**
 * Cost of the history of user states: the processor time of a server for a PATCH of a user state with 20 kept versions, compared with none.
 * The two take turns on one server. Over PostgreSQL, the time of the database counts too.
 *
 *     node bench/scripts/save-history.ts [--engine embedded] [--characters 10000] [--players 200] [--rounds 7] [--seconds 2]
 */

import { parseArgs } from 'node:util';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import {
  type PostgresCluster,
  startPostgres,
} from '../../packages/server/src/storage/postgres/fixtures/cluster.fixture.ts';
import { type Api, createApi, expectStatus, writesAfter } from '../../tooling/api.ts';
import { allowSignIn, type Credentials, createAccount, createProject, userStatePath } from '../../tooling/credentials.ts';
import { freshNonce, guestForm, postToken } from '../../tooling/guest.ts';
import { cpuMicroseconds } from '../../tooling/readings.ts';
import { startServerProcess, withDataDir } from '../../tooling/server-process.ts';
import { median, seededRandom, sumOf } from '../../tooling/statistics.ts';

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'embedded' },
    characters: { type: 'string', default: '10000' },
    players: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
    command: { type: 'string' },
  },
});
const atOnce = 16;
const histories = { off: { versions: 0, days: 0 }, on: { versions: 20, days: 30 } } as const;
type Mode = keyof typeof histories;

interface Player {
  readonly token: string;
  version: number;
}

interface Population {
  readonly path: string;
  readonly api: Api;
  readonly players: readonly Player[];
}

/** A project that keeps this many versions of a user state, and guests with a user state each. */
async function populate(credentials: Credentials, mode: Mode): Promise<Population> {
  const { accountId, baseUrl } = credentials;
  const project = { ...credentials, slug: mode };
  await createProject(credentials, mode);
  await allowSignIn(project, { userStateHistory: histories[mode] });
  const api = createApi(baseUrl, '');
  const path = userStatePath(project, 'production');
  const place = { baseUrl, clientId: `${accountId}.${mode}`, scope: 'env:production' };
  const players: Player[] = [];
  for (let index = 0; index < Number(values.players); index++) {
    const entered = expectStatus(await postToken(api, guestForm(place, await freshNonce(api))), 200);
    const { access_token: token } = JSON.parse(entered.text) as { access_token: string };
    const userState = { n: 0, items: 'x'.repeat(Math.max(0, Number(values.characters) - 20)) };
    const body = { ops: Object.entries(userState).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })) };
    const headers = { Authorization: `Bearer ${token}`, ...writesAfter(0) };
    expectStatus(await api.send('PATCH', path, { headers, body }), 200);
    players.push({ token, version: 1 });
  }
  return { path, api, players };
}

/** Writes for some seconds to random players, with at most one write per player in progress. Returns the number of writes. */
async function write({ path, api, players }: Population, random: () => number, seconds: number): Promise<number> {
  const endsAt = performance.now() + seconds * 1_000;
  let count = 0;
  const share = Math.floor(players.length / atOnce);
  const writeInTurn = async (first: number) => {
    while (performance.now() < endsAt) {
      const player = players[first + Math.floor(random() * share)] as Player;
      const headers = { Authorization: `Bearer ${player.token}`, ...writesAfter(player.version) };
      const body = { ops: [{ op: 'replace', path: '/n', value: player.version }] };
      expectStatus(await api.send('PATCH', path, { headers, body }), 200);
      player.version++;
      count++;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, index) => writeInTurn(index * share)));
  return count;
}

async function measure(pids: readonly number[], credentials: Credentials): Promise<void> {
  const populations = { off: await populate(credentials, 'off'), on: await populate(credentials, 'on') };
  const random = seededRandom(1);
  const used = () => pids.map(cpuMicroseconds);
  const costs = { off: [] as number[][], on: [] as number[][] };
  // The first versions are kept before measuring.
  for (const population of Object.values(populations)) await write(population, random, Number(values.seconds));
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const mode of round % 2 === 0 ? (['off', 'on'] as const) : (['on', 'off'] as const)) {
      const before = used();
      const count = await write(populations[mode], random, Number(values.seconds));
      costs[mode].push(used().map((after, index) => (after - (before[index] as number)) / count));
    }
  }
  for (const { api } of Object.values(populations)) api.close();
  const whole = (cost: readonly number[]) => sumOf(cost, (part) => part);
  for (const mode of ['off', 'on'] as const) {
    const parts = pids.map((_, index) => median(costs[mode].map((cost) => cost[index] as number)).toFixed(1));
    console.log(`history ${mode}: ${median(costs[mode].map(whole)).toFixed(1)} us a write (${parts.join(' + ')})`);
  }
  const ratios = costs.on.map((cost, round) => whole(cost) / whole(costs.off[round] as number[]));
  console.log(`ratio: ${median(ratios).toFixed(3)} (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`);
}

await withDataDir(async (dataDir) => {
  let cluster: PostgresCluster | undefined;
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const env: Record<string, string> = { SVC_BASE_URL: baseUrl, SVC_GUESTS_PER_HOUR: '0', SVC_LOG_LEVEL: 'error' };
  if (values.engine === 'postgresql') {
    cluster = await startPostgres();
    env.SVC_DATABASE_URL = await cluster.createDatabase();
    env.SVC_SECRET_KEY = Buffer.alloc(32, 7).toString('base64');
  }
  const server = await startServerProcess({ dataDir, port, env, command: values.command });
  try {
    const credentials = await createAccount(dataDir, { baseUrl }, env, values.command);
    await measure([server.pid, ...(cluster?.pid === undefined ? [] : [cluster.pid])], credentials);
  } finally {
    await server.kill();
    await cluster?.dispose();
  }
});
