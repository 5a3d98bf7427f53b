/** Attacks by reading: large responses, read slowly or never. */

import { setTimeout as sleep } from 'node:timers/promises';
import { createApi, expectStatus, writesAfter } from '../../tooling/api.ts';
import { projectPath, publicStatePath, userStatePath } from '../../tooling/credentials.ts';
import { allowSignIn } from './browser.ts';
import { quick, type SiegeCase, type Target } from './case.ts';
import { nextAnswer, openConnection, openConnections, statusCounts, wholeRequest } from './wire.ts';

/** The largest possible state, in bytes: every character takes three. */
const largestState = JSON.stringify({ state: { text: '\u20ac'.repeat(255_000) } });
const largestPatch = JSON.stringify({ ops: [{ op: 'add', path: '/text', value: '\u20ac'.repeat(255_000) }] });
const listedUsers = 50;
const prepared = new WeakMap<Target, Map<string, Promise<void>>>();

/** Runs a preparation once per target, however many cases need it. */
function once(target: Target, name: string, work: () => Promise<void>): Promise<void> {
  const done = prepared.get(target) ?? new Map<string, Promise<void>>();
  prepared.set(target, done);
  const doing = done.get(name) ?? work();
  done.set(name, doing);
  return doing;
}

/** Fifty players with the largest state each. */
const withUserStates = (target: Target) =>
  once(target, 'user states', async () => {
    const path = userStatePath(target, 'development');
    for (let user = 0; user < listedUsers; user++) {
      const api = createApi(target.baseUrl, `Bearer ${await target.operator.playerToken(target, `listed-${user}`)}`);
      expectStatus(await api.send('PATCH', path, { headers: writesAfter(0), body: largestPatch }), 200);
      api.close();
    }
  });

const versions = (target: Target) => target.sized(200, 60);

/** A document with many versions of the largest size. */
const withVersions = (target: Target) =>
  once(target, 'versions', async () => {
    const api = createApi(target.baseUrl, `ApiKey ${target.apiKey}`);
    const path = statePath(target);
    expectStatus(await api.send('PUT', path, { headers: writesAfter(0), body: largestState }), 200);
    const body = { ops: [{ op: 'add', path: '/number', value: 1 }] };
    for (let version = 1; version < versions(target); version++) {
      expectStatus(await api.send('PATCH', path, { headers: writesAfter(version), body }), 200);
    }
    api.close();
  });

const statePath = (target: Target) => publicStatePath(target, 'development');
const pagePath = (target: Target) => `${projectPath(target)}/user-states/development`;
/** A different developer of the account each time, so that no case meets a limit used up by the previous one. */
const asDeveloper = async ({ operator, accountId, nextAddress }: Target) => ({
  Authorization: `Bearer ${await operator.developerToken(accountId, `reader-${nextAddress()}`)}`,
});

interface Reading {
  readonly pathOf: (target: Target) => string;
  readonly ready: (target: Target) => Promise<void>;
}
const page: Reading = { pathOf: pagePath, ready: withUserStates };
const list: Reading = { pathOf: (target) => `${statePath(target)}/versions`, ready: withVersions };
const state: Reading = { pathOf: statePath, ready: withVersions };

export const readerCases: readonly SiegeCase[] = [
  {
    name: 'a page of the 50 largest user states',
    isQuick: true,
    async prepare(target) {
      await withUserStates(target);
      return async () => {
        const socket = await openConnection(target, target.nextAddress());
        const answering = bytesOf(socket);
        socket.write(
          wholeRequest('GET', pagePath(target), target.host, {
            headers: { ...(await asDeveloper(target)), Connection: 'close' },
          }),
        );
        const bytes = await answering;
        const isWhole = bytes > listedUsers * 765_000;
        return {
          sent: 'one GET',
          note: `${Math.round(bytes / 1e6)} MB`,
          faults: isWhole ? [] : [`the page came to ${bytes} bytes, less than its states`],
        };
      };
    },
  },
  quick(neverReading('pages of the 50 largest user states, never read', page, 20, 8)),
  neverReading('lists of large versions, never read', list, 100, 30),
  neverReading('the largest state, never read', state, 500, 300),
  repeating('HEAD of a page of the 50 largest user states', 'HEAD', page, 20, 6),
  repeating('HEAD of a list of large versions', 'HEAD', list, 40, 10),
  repeating('GET with 16 KB of entity tags', 'GET', state, 500, 100, {
    'If-None-Match': `${'"1",'.repeat(3_700)}"0"`,
  }),
  repeating('GET with 15 KB of cookies', 'GET', state, 500, 100, { Cookie: 'a=b; '.repeat(3_000) }),
  repeating('GET with 15 KB of X-Forwarded-For', 'GET', state, 500, 100, { 'X-Forwarded-For': '1.2.3.4, '.repeat(1_600) }),
  {
    name: 'pages with a large logo, read slowly',
    isApart: true,
    async prepare(target) {
      expectStatus(await allowSignIn(target, largestLogo()), 200);
      const path = `/v1/readonly/${target.accountId}/projects/${target.slug}/auth/end-user/config`;
      const count = target.sized(2_000, 400);
      return async () => {
        const bytes = wholeRequest('GET', path, target.host);
        const held = await openConnections(target, count, { addressOf: target.nextAddress, bytes });
        await sleep(target.size.seconds * 500);
        held.close();
        return { sent: `${count} × a public config of 88 KB, never read` };
      };
    },
  },
];

/** A logo of the largest size. */
function largestLogo() {
  const chunk = (name: string, bytes: number): Buffer => {
    const whole = Buffer.alloc(12 + bytes);
    whole.writeUInt32BE(bytes);
    whole.write(name, 4);
    return whole;
  };
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const frameBytes = signature.length + 3 * 12 + 13;
  const pixels = chunk('IDAT', 65_536 - frameBytes);
  const png = Buffer.concat([signature, chunk('IHDR', 13), pixels, chunk('IEND', 0)]);
  return { logoData: png.toString('base64'), logoMediaType: 'image/png' };
}

/** The received bytes of a connection until it ends. */
async function bytesOf(socket: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0;
  for await (const piece of socket) bytes += piece.length;
  return bytes;
}

function neverReading(name: string, { pathOf, ready }: Reading, whole: number, small: number): SiegeCase {
  return {
    name,
    async prepare(target) {
      await ready(target);
      const count = target.sized(whole, small);
      const bytes = wholeRequest('GET', pathOf(target), target.host, { headers: await asDeveloper(target) });
      return async () => {
        const address = target.nextAddress();
        const held = await openConnections(target, count, { addressOf: () => address, bytes });
        await sleep(target.size.seconds * 1_000);
        const note = `${held.open()} kept`;
        held.close();
        return { sent: `${count} GETs`, note };
      };
    },
  };
}

function repeating(
  name: string,
  method: string,
  { pathOf, ready }: Reading,
  whole: number,
  small: number,
  headers: Readonly<Record<string, string>> = {},
): SiegeCase {
  return {
    name,
    async prepare(target) {
      await ready(target);
      const count = target.sized(whole, small);
      const bytes = wholeRequest(method, pathOf(target), target.host, {
        headers: { ...(await asDeveloper(target)), ...headers },
      });
      return async () => {
        const address = target.nextAddress();
        const held = await openConnections(target, count, { addressOf: () => address, bytes });
        const answers = await Promise.all(held.sockets.map((socket) => nextAnswer(socket, method === 'HEAD')));
        held.close();
        return { sent: `${count} at once`, note: statusCounts(answers) };
      };
    },
  };
}
