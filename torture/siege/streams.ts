/** Attacks by change streams: many, unread, reopened, or of documents that are hard to compare. */

import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, createApi, expectStatus, writesAfter } from '../../tooling/api.ts';
import { createProject, publicStatePath } from '../../tooling/credentials.ts';
import { quick, type SiegeCase, type Target } from './case.ts';
import { openConnections, wholeRequest } from './wire.ts';

/** A document of the attacker, and the requests that watch it. */
interface Watched {
  readonly api: Api;
  readonly path: string;
  /** Asks for a stream. */
  readonly stream: Buffer;
  version: number;
}

/** Pause after a write was refused by the server's capacity or the key's limit. */
const refusedPauseMilliseconds = 20;

let documents = 0;

async function newDocument(target: Target): Promise<Watched> {
  const slug = `streams-${++documents}`;
  const apiKey = await createProject(target, slug);
  const path = publicStatePath({ ...target, slug }, 'production');
  const headers = { Authorization: `ApiKey ${apiKey}`, Accept: 'text/event-stream' };
  const stream = wholeRequest('GET', `${path}/changes`, target.host, { headers });
  return { api: createApi(target.baseUrl, `ApiKey ${apiKey}`), path, stream, version: 0 };
}

async function write(document: Watched, stateText: string): Promise<void> {
  const { api, path, version } = document;
  const answer = await api.send('PUT', path, { headers: writesAfter(version), body: `{"state":${stateText}}` });
  if (answer.status === 503 || answer.status === 429) {
    await sleep(refusedPauseMilliseconds); // the next write includes it
    return;
  }
  document.version = (JSON.parse(expectStatus(answer, 200).text) as { version: number }).version;
}

const filled = (piece: string, characters = 255_000) => piece.repeat(Math.floor(characters / piece.length));

/** Pairs of documents of the largest size, each hard to compare in its own way. */
const pairs: Readonly<Record<string, readonly [string, string]>> = {
  'small values that all differ': [`{"a":[${filled('1,')}1]}`, `{"a":[${filled('2,')}2]}`],
  'numbers that no double holds': [`{"a":[${filled('1e400,')}1]}`, `{"a":[${filled('2e400,')}1]}`],
  'an array that has moved': [`{"a":[${filled('"x",')}1]}`, `{"a":[0,${filled('"x",', 254_000)}2]}`],
  'members whose names all differ': [members('a'), members('b')],
  'the deepest nesting': [`{"a":[${nested(1)}]}`, `{"a":[${nested(2)}]}`],
  'one text': [`{"a":"${filled('x')}"}`, `{"a":"${filled('y')}"}`],
};

function members(name: string): string {
  return `{${Array.from({ length: 18_000 }, (_, n) => `"${name}${n}":${n % 10}`).join()}}`;
}

function nested(value: number): string {
  return Array(490)
    .fill(`${'['.repeat(250)}${value}${']'.repeat(250)}`)
    .join();
}

export const streamCases: readonly SiegeCase[] = [
  quick({
    name: 'streams of the largest documents, never read',
    async prepare(target) {
      const document = await newDocument(target);
      await write(document, `{"a":"${filled('\u20ac')}"}`);
      const count = target.sized(900, 300);
      return async () => {
        const address = target.nextAddress();
        const held = await openConnections(target, count, { addressOf: () => address, bytes: document.stream });
        const deadline = performance.now() + target.size.seconds * 1_000;
        let writes = 0;
        for (; performance.now() < deadline; writes++) await write(document, `{"a":"${filled('\u20ac')}","n":${writes}}`);
        const note = `${held.open()} kept, ${writes} writes`;
        held.close();
        document.api.close();
        return { sent: `${count} streams`, note };
      };
    },
  }),
  {
    name: 'streams that are opened and closed again and again',
    async prepare(target) {
      const document = await newDocument(target);
      await write(document, '{}');
      const together = target.sized(200, 100);
      return async () => {
        const deadline = performance.now() + target.size.seconds * 1_000;
        let opened = 0;
        for (; performance.now() < deadline; opened += together) {
          const address = target.nextAddress();
          const held = await openConnections(target, together, { addressOf: () => address, bytes: document.stream });
          await sleep(20);
          held.close();
        }
        document.api.close();
        return { sent: `${opened} streams` };
      };
    },
  },
  ...Object.entries(pairs).map(
    ([name, [one, other]]): SiegeCase => ({
      name: `a watched document that changes: ${name}`,
      async prepare(target) {
        const documentsOfAttacker = await Promise.all(Array.from({ length: 4 }, () => newDocument(target)));
        for (const document of documentsOfAttacker) await write(document, one);
        return async () => {
          const address = target.nextAddress();
          const held = await Promise.all(
            documentsOfAttacker.map(({ stream }) =>
              openConnections(target, 20, { addressOf: () => address, bytes: stream }),
            ),
          );
          for (const { sockets } of held) for (const socket of sockets) socket.resume();
          const deadline = performance.now() + target.size.seconds * 1_000;
          let writes = 0;
          const change = async (document: Watched) => {
            for (let n = 0; performance.now() < deadline; n++, writes++) await write(document, n % 2 === 0 ? other : one);
          };
          await Promise.all(documentsOfAttacker.map(change));
          for (const connections of held) connections.close();
          for (const { api } of documentsOfAttacker) api.close();
          return { sent: `${writes} writes with 80 streams` };
        };
      },
    }),
  ),
];
