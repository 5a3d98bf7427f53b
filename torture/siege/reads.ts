/**
 * Every operation that reads, sent in parallel as often as a viewer may per minute, for an account with much data. Generated from the
 * operations table, so that a new one is tried too.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { type Operation, operations } from '@holdfast/contract';
import { type Api, createApi, expectStatus, writesAfter } from '../../tooling/api.ts';
import { projectPath, publicStatePath, userStatePath } from '../../tooling/credentials.ts';
import { Counts } from '../../tooling/statistics.ts';
import type { SiegeCase, Target } from './case.ts';
import { openConnections, wholeRequest } from './wire.ts';

/** The default requests per minute of a credential. */
const requestsPerMinute = 600;
const player = 'player-with-versions';
const userStateCharacters = 240_000;
/** The account with much data, by target. */
const filledFor = new WeakMap<Target, Target>();

const isRead = ({ method, page, isUndescribed, watches, access }: Operation): boolean =>
  method === 'GET' && !page && !isUndescribed && !watches && access.length > 0;

const readOperations: readonly Operation[] = Object.values(operations as Readonly<Record<string, Operation>>).filter(
  isRead,
);

const pathOf = ({ path }: Operation, { accountId, slug }: Target): string => {
  const samples: Readonly<Record<string, string>> = {
    accountId,
    slug,
    env: 'production',
    envOrEndUserId: 'production',
    endUserId: player,
    version: '15',
    kind: 'user-state',
  };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => samples[name] ?? 'x');
};

async function authorizationFor({ access }: Operation, target: Target): Promise<string> {
  const { operator, accountId, apiKey, nextAddress } = target;
  if (access.some((kind) => kind === 'developer')) {
    return `Bearer ${await operator.developerToken(accountId, `viewer-${nextAddress()}`)}`;
  }
  if (access.some((kind) => kind === 'end_user'))
    return `Bearer ${await operator.playerToken(target, player, 'production')}`;
  return `ApiKey ${apiKey}`;
}

/** Writes a document, then this many versions of it as differences. */
async function writeVersions(api: Api, path: string, versions: number): Promise<void> {
  const text = 'a word and another one, '.repeat(userStateCharacters / 24);
  const first = { ops: [{ op: 'add', path: '/text', value: text }] };
  expectStatus(await api.send('PATCH', path, { headers: writesAfter(0), body: first }), 200);
  for (let version = 1; version < versions; version++) {
    const body = { ops: [{ op: 'add', path: `/number${version % 7}`, value: version }] };
    expectStatus(await api.send('PATCH', path, { headers: writesAfter(version), body }), 200);
  }
}

/** Returns an account with much readable data: large states, long histories, large schemas, many keys and projects. */
async function filled(stage: Target): Promise<Target> {
  const known = filledFor.get(stage);
  if (known !== undefined) return known;
  const target: Target = { ...stage, ...(await stage.operator.newAccount('Much to read')) };
  await fill(target);
  filledFor.set(stage, target);
  return target;
}

async function fill(target: Target): Promise<void> {
  const { baseUrl, accountId, operator, nextAddress, sized } = target;
  const project = projectPath(target);
  const versions = sized(400, 70);
  const developer = async () =>
    createApi(baseUrl, `Bearer ${await operator.developerToken(accountId, `filling-${nextAddress()}`)}`);
  const api = await developer();
  const settings = { enabled: true, userStateHistory: { versions: 1_000, days: 400 } };
  expectStatus(await api.send('PATCH', `${project}/auth/end-user/config`, { body: settings }), 200);
  for (let number = 0; number < sized(100, 20); number++) {
    expectStatus(await api.send('POST', `${project}/api-keys`, { body: { name: `key ${number}` } }), 201);
    expectStatus(await api.send('POST', `/v1/${accountId}/projects`, { body: { slug: `p-${number}` } }), 201);
  }
  const schemas = `${project}/schemas/production/user-state`;
  for (let version = 0; version < 20; version++) {
    const body = { mode: 'off', schema: { description: `${version} `.repeat(30_000) } };
    expectStatus(await api.send('PUT', schemas, { headers: writesAfter(version), body }), 200);
  }
  api.close();
  const writer = await developer();
  await writeVersions(writer, publicStatePath(target, 'production'), versions);
  writer.close();
  const own = createApi(baseUrl, `Bearer ${await operator.playerToken(target, player, 'production')}`);
  await writeVersions(own, userStatePath(target, 'production'), versions);
  own.close();
  const largest = JSON.stringify({ ops: [{ op: 'add', path: '/text', value: '\u20ac'.repeat(255_000) }] });
  for (let user = 0; user < 50; user++) {
    const each = createApi(baseUrl, `Bearer ${await operator.playerToken(target, `large-${user}`, 'production')}`);
    expectStatus(
      await each.send('PATCH', userStatePath(target, 'production'), { headers: writesAfter(0), body: largest }),
      200,
    );
    each.close();
  }
}

/** The rows: one per reading operation. */
export const readCases: readonly SiegeCase[] = readOperations.map((operation) => ({
  name: `reads of one viewer: ${operation.path}`,
  async prepare(stage) {
    const target = await filled(stage);
    const count = target.sized(requestsPerMinute, 150);
    const headers = { Authorization: await authorizationFor(operation, target), Connection: 'close' };
    const bytes = wholeRequest('GET', pathOf(operation, target), target.host, { headers });
    return async () => {
      const address = target.nextAddress();
      const held = await openConnections(target, count, { addressOf: () => address, bytes });
      let received = 0;
      const statuses = new Counts();
      for (const socket of held.sockets) {
        socket.once('data', (piece: Buffer) => {
          statuses.add(piece.toString('latin1', 9, 12));
        });
        socket.on('data', (piece: Buffer) => {
          received += piece.length;
        });
      }
      const endsAt = performance.now() + target.size.seconds * 1_000;
      while (held.open() > 0 && performance.now() < endsAt) await sleep(20);
      const left = held.open();
      held.close();
      const failed = [...statuses.keys()].filter((status) => status.startsWith('5') && status !== '503');
      return {
        sent: `${count} at once`,
        note: `${statuses}; ${Math.round(received / 1e6)} MB${left > 0 ? `, ${left} under way` : ''}`,
        faults: failed.map((status) => `some were answered ${status}`),
      };
    };
  },
}));
