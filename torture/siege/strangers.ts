/** What a stranger can do to a game with only the key shipped inside it. */

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApi } from '../../tooling/api.ts';
import type { Credentials } from '../../tooling/credentials.ts';
import { createApiKey, projectPath, publicStatePath } from '../../tooling/credentials.ts';
import { clock, quick, type SentInput, type SiegeCase, type Target } from './case.ts';
import { type Connections, openConnection, openConnections, wholeRequest } from './wire.ts';

/** A game with a publishable key, in a separate account. */
interface Game extends Credentials {
  readonly shippedKeys: readonly { readonly id: string; readonly apiKey: string }[];
  readonly statePath: string;
}

async function newGame(target: Target, keys: number): Promise<Game> {
  const game = await target.operator.newAccount('Game');
  const shippedKeys: { id: string; apiKey: string }[] = [];
  while (shippedKeys.length < keys) shippedKeys.push(await createApiKey(game, { name: 'shipped', kind: 'publishable' }));
  return { ...game, shippedKeys, statePath: publicStatePath(game, 'production') };
}

/** Sends requests as one of the account's own clients, and returns failures. */
async function refusals(game: Game, asked: readonly [string, string, string, number][]): Promise<string[]> {
  const faults: string[] = [];
  for (const [credential, method, path, expected] of asked) {
    const api = createApi(game.baseUrl, credential);
    const { status, text } = await api.send(method, path);
    if (status !== expected) faults.push(`${method} ${path.replace(/^.*\/projects/, '…')} gave ${status}: ${text}`);
    api.close();
  }
  return faults;
}

const pipelined = 100;
const answeredMillisecondsMax = 20_000;
/** Streams per client address with one publishable key, and connections per address. */
const streamsOfHolder = 50;
const connectionsOfAddress = 2_000;
const streamsTogether = 100;
const closingMilliseconds = 500;
/** Enough for every stream of a node with default settings. */
const addresses = 3;

export const strangerCases: readonly SiegeCase[] = [
  quick({
    name: 'a shipped key that uses up the requests of a month',
    async prepare(target) {
      const most = target.sized(5_000, 1_000);
      const game = await newGame(target, 1);
      await target.operator.limitRequests(game.accountId, most);
      const [shipped] = game.shippedKeys as [Game['shippedKeys'][number]];
      const headed = (more: Readonly<Record<string, string>>) =>
        wholeRequest('HEAD', game.statePath, target.host, {
          headers: { Authorization: `ApiKey ${shipped.apiKey}`, ...more },
        });
      const last = headed({ Connection: 'close' });
      const bytes = Buffer.concat([...Array<Buffer>(pipelined - 1).fill(headed({})), last]);
      const count = Math.ceil((most / pipelined) * 1.2);
      return async () => {
        const held = await openConnections(target, count, { addressOf: target.nextAddress, bytes });
        for (const socket of held.sockets) socket.resume();
        await held.untilClosed(answeredMillisecondsMax);
        held.close();
        const developer = `Bearer ${game.developerToken}`;
        const usage = `/v1/${game.accountId}/usage`;
        const key = `${projectPath(game)}/api-keys/${shipped.id}`;
        const faults = await refusals(game, [
          [`ApiKey ${shipped.apiKey}`, 'GET', game.statePath, 402],
          [`ApiKey ${game.apiKey}`, 'GET', game.statePath, 204],
          [developer, 'GET', usage, 200],
          [developer, 'DELETE', key, 204],
          [`ApiKey ${shipped.apiKey}`, 'GET', game.statePath, 401],
        ]);
        return { sent: `${count * pipelined} HEADs of a month of ${most}`, faults };
      };
    },
  }),
  {
    name: 'one home that takes every stream of a game',
    isLarge: true,
    async prepare(target) {
      const game = await newGame(target, Math.ceil(connectionsOfAddress / streamsOfHolder));
      const streamOf = (credential: string) =>
        wholeRequest('GET', `${game.statePath}/changes`, target.host, {
          headers: { Authorization: credential, Accept: 'text/event-stream' },
        });
      const streams = game.shippedKeys.map(({ apiKey }) => streamOf(`ApiKey ${apiKey}`));
      return async () => {
        const homes: Connections[] = [];
        const inputs: SentInput[] = [];
        let from = clock();
        const phase = (name: string) => {
          const to = clock();
          inputs.push({ name, from, to });
          from = to;
        };
        for (let number = 0; number < addresses; number++) {
          const address = target.nextAddress();
          const home = await openConnections(target, connectionsOfAddress, { addressOf: () => address });
          phase('connecting');
          for (const [index, socket] of home.sockets.entries()) {
            socket.resume();
            socket.write(streams[index % streams.length] as Buffer);
            if (index % streamsTogether === 0) await sleep(20);
          }
          homes.push(home);
          phase('asking for streams');
        }
        await sleep(2_000);
        const comers = [
          ['the secret key', streamOf(`ApiKey ${game.apiKey}`)],
          ['the developer', streamOf(`Bearer ${game.developerToken}`)],
          ['a player elsewhere', streams[0] as Buffer],
        ] as const;
        const faults: string[] = [];
        for (const [who, bytes] of comers) {
          const line = await firstLine(target, bytes);
          if (!line.includes(' 200 ')) faults.push(`${who} got no stream: ${line}`);
        }
        phase('streams of others');
        for (const home of homes) home.close();
        await sleep(closingMilliseconds);
        phase('hanging up');
        return { sent: `${addresses * connectionsOfAddress} streams from ${addresses} addresses`, faults, inputs };
      };
    },
  },
];

/** The status line of the response to a request from a separate address. */
async function firstLine(target: Target, bytes: Buffer): Promise<string> {
  const socket = await openConnection(target, target.nextAddress());
  socket.write(bytes);
  const piece = await Promise.race([once(socket, 'data'), sleep(5_000)]);
  socket.destroy();
  return piece === undefined
    ? 'no answer'
    : String((piece as [Buffer])[0])
        .split('\r\n', 1)
        .join();
}
