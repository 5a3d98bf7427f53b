/** Attacks by the contents of documents and patches, from somebody who may write. */

import type { Api } from '../../tooling/api.ts';
import { createApi, writesAfter } from '../../tooling/api.ts';
import { publicStatePath, userStatePath } from '../../tooling/credentials.ts';
import { Counts } from '../../tooling/statistics.ts';
import { clock, quick, type SiegeCase, sendAtRate, type Target } from './case.ts';

const bodyBytesMax = 2 * 1024 * 1024;

interface HostileDocument {
  readonly name: string;
  readonly method: 'PUT' | 'PATCH';
  body(): string;
}

/** Repeats a text until a body of the largest size is nearly full. */
const filled = (piece: string, bytes = bodyBytesMax - 100) => piece.repeat(Math.floor(bytes / piece.length));
const ops = (list: string) => `{"ops":[${list}]}`;
const add = (path: string, value: string) => `{"op":"add","path":${JSON.stringify(path)},"value":${value}}`;
const numbers = (count: number) => `[${Array(count).fill('0').join()}]`;

const hostileDocuments: readonly HostileDocument[] = [
  {
    name: 'numbers that no double holds',
    method: 'PATCH',
    body: () => ops(add('/a', `[${filled('1e400,', 1_048_000)}1]`)),
  },
  { name: 'one number of 2 million digits', method: 'PATCH', body: () => ops(add('/a', filled('7'))) },
  { name: 'one fraction of 2 million digits', method: 'PUT', body: () => `{"state":{"a":0.${filled('3')}}}` },
  { name: 'exponents of 50 digits', method: 'PUT', body: () => `{"state":{"a":[${filled(`1e${'9'.repeat(50)},`)}1]}}` },
  { name: 'nesting of a million levels', method: 'PUT', body: () => `{"state":${filled('[')}` },
  { name: 'members nested 300,000 deep', method: 'PATCH', body: () => ops(add('/a', filled('{"a":'))) },
  { name: '700,000 empty objects', method: 'PUT', body: () => `{"state":{"a":[${filled('{},')}{}]}}` },
  { name: '250,000 equal member names', method: 'PUT', body: () => `{"state":{${filled('"a":1,')}"a":2}}` },
  {
    name: '25,000 times __proto__',
    method: 'PUT',
    body: () => `{"state":{${filled('"__proto__":{"a":[]},', 500_000)}"a":2}}`,
  },
  { name: 'escapes of 2 MB', method: 'PUT', body: () => `{"state":{"a":"${filled('\\u0000')}"}}` },
  { name: 'lone surrogates of 2 MB', method: 'PATCH', body: () => ops(add('/a', `"${filled('\\ud800')}"`)) },
  { name: 'an unclosed text of 2 MB', method: 'PUT', body: () => `{"state":{"a":"${filled('\\"')}` },
  { name: 'blanks of 2 MB', method: 'PUT', body: () => `${filled(' ')}{"state":{}}` },
  { name: 'many different members', method: 'PUT', body: () => `{"state":{${members(150_000)}}}` },
  {
    name: 'members whose names are numbers',
    method: 'PUT',
    body: () => `{"state":{${Array.from({ length: 30_000 }, (_, index) => `"${4_294_967_294 - index * 137}":1`).join()}}}`,
  },
  {
    name: '40,000 insertions at the beginning of a large array',
    method: 'PATCH',
    body: () => ops(`${add('/a', numbers(127_000))},${filled(`${add('/a/0', '0')},`, 1_700_000)}${add('/b', '0')}`),
  },
  {
    name: '40,000 removals at the beginning of a large array',
    method: 'PATCH',
    body: () =>
      ops(`${add('/a', numbers(127_000))},${filled('{"op":"remove","path":"/a/0"},', 1_700_000)}${add('/b', '0')}`),
  },
  {
    name: 'a large array replaced by many operations',
    method: 'PATCH',
    body: () => ops(`${add('/a', numbers(20_000))},${filled(`${add('', '{"a":[]}')},`, 1_700_000)}${add('/b', '0')}`),
  },
  { name: 'a pointer of 2 MB', method: 'PATCH', body: () => ops(add(filled('/a'), '0')) },
  { name: 'a pointer of 2 MB of escapes', method: 'PATCH', body: () => ops(add(`/${filled('~0~1')}`, '0')) },
  { name: 'pointers of 1 KB to nowhere', method: 'PATCH', body: () => ops(`${filled(`${add('/a'.repeat(500), '0')},`)}0`) },
  { name: '60,000 operations without a path', method: 'PATCH', body: () => ops(`${filled('{"op":"add","value":1},')}0`) },
  { name: '600,000 empty operations', method: 'PATCH', body: () => ops(`${filled('{},')}{}`) },
  {
    name: 'a comment of 2 MB',
    method: 'PUT',
    body: () => `{"state":{},"comment":"${filled('\u0301\u0323')}"}`.slice(0, 1_000_000),
  },
];

function members(count: number): string {
  return Array.from({ length: count }, (_, index) => `"${index.toString(36)}":1`).join();
}

/** Every document once or twice, in sequence, with the time of each. */
const eachDocument: SiegeCase = {
  name: 'hostile documents and patches, one after the other',
  isQuick: true,
  prepare(target) {
    const chosen = target.size.isSmall ? everyThird(target.seed) : hostileDocuments;
    const bodies = chosen.map(({ name, method, body }) => ({ name, method, body: body() }));
    const api = createApi(target.baseUrl, `ApiKey ${target.apiKey}`);
    const path = publicStatePath(target, 'production');
    return async () => {
      const inputs = [];
      const statuses = new Counts<number>();
      for (const { name, method, body } of bodies) {
        const from = clock();
        const { status } = await api.send(method, path, { headers: writesAfter(0), body });
        statuses.add(status);
        inputs.push({ name, from, to: clock() });
      }
      api.close();
      return { sent: `${bodies.length} bodies of up to 2 MB`, note: String(statuses), inputs };
    };
  },
};

const everyThird = (seed: number) => hostileDocuments.filter((_, index) => (index + seed) % 3 === 0);

export const documentCases: readonly SiegeCase[] = [
  eachDocument,
  quick(longCase('numbers that no double holds, again and again, of one end user', 9.5, hostileDocuments[0])),
  longCase(
    'insertions into a large array, again and again, of one end user',
    9.5,
    hostileDocuments.find(({ name }) => name.startsWith('40,000 insertions')),
  ),
  {
    name: 'small bodies of the worst kind, again and again, of one end user',
    async prepare(target) {
      const body = ops(add('/a', `[${filled('1e400,', 64_000)}1]`));
      const token = await target.operator.playerToken(target, 'small-bodies');
      const api = createApi(target.baseUrl, `Bearer ${token}`);
      return async () => {
        const count = await patchAtRate(api, target, { perSecond: 60, body, seconds: target.size.seconds });
        return { sent: `${count} PATCHes of 64 KB, 60 a second` };
      };
    },
  },
];

function longCase(name: string, perSecond: number, document: HostileDocument | undefined): SiegeCase {
  return {
    name,
    async prepare(target) {
      const body = document?.body() ?? '';
      const token = await target.operator.playerToken(target, name.replaceAll(/\W/g, '-'));
      const api = createApi(target.baseUrl, `Bearer ${token}`);
      return async () => {
        const seconds = target.sized(target.size.seconds * 2, target.size.seconds);
        // A small run sends faster for a shorter time, so that the queue gets as long.
        const rate = target.sized(perSecond, 3 * perSecond);
        const count = await patchAtRate(api, target, { perSecond: rate, body, seconds });
        return { sent: `${count} bodies of ${Math.round(body.length / 1_000)} KB, ${rate} a second` };
      };
    },
  };
}

/** Patches the state of a player at a rate. Resolves with their number when the last was sent. */
function patchAtRate(
  api: Api,
  target: Target,
  { perSecond, body, seconds }: { perSecond: number; body: string; seconds: number },
): Promise<number> {
  const path = userStatePath(target, 'development');
  return sendAtRate(api, perSecond, seconds, () => api.send('PATCH', path, { headers: writesAfter(0), body }));
}
