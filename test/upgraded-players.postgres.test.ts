/** Players in an upgraded PostgreSQL database of 0.1.0: features that wait for its end, and indexes built in the background. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Operation, type OperationId, operations } from '@holdfast/contract';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { databaseAddress } from '../packages/server/src/storage/postgres/connection/address.ts';
import { openDatabase } from '../packages/server/src/storage/postgres/connection/database.ts';
import { createDatabase, dropDatabase } from '../packages/server/src/storage/postgres/fixtures/databases.fixture.ts';
import { missingIndexes } from '../packages/server/src/storage/postgres/schema/later-indexes.ts';
import { finishUpgrade } from '../packages/server/src/storage/postgres/schema/upgrade.ts';
import { openPostgresStore } from '../packages/server/src/storage/postgres/store.ts';
import { newDevice } from '../tooling/guest.ts';
import { guestSteps, somebody, userIdOf } from './oauth/guest-steps.ts';
import { openWorld, type World } from './oauth/world.ts';
import type { Place } from './support/place.ts';

const release = join(import.meta.dirname, 'releases/0.1.0');
const secretKey = readFileSync(join(release, 'secret.key'), 'utf8').trim();
let url: string;
let dataDir: string;
let world: World;

beforeAll(async () => {
  url = await createDatabase(inject('postgresUrl'));
  dataDir = mkdtempSync(join(tmpdir(), 'holdfast-upgraded-'));
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  await sql.unsafe(gunzipSync(readFileSync(join(release, 'postgres.sql.gz'))).toString());
  await sql.end();
  const notUsed = () => {
    throw new Error('this place is for servers only');
  };
  const place: Place = {
    dataDir,
    settings: { SVC_DATABASE_URL: url, SVC_SECRET_KEY: secretKey, SVC_DATABASE_CONNECTIONS: '4' },
    openStore: () => openPostgresStore({ url }),
    openParallel: () => openPostgresStore({ url }),
    secretKeyText: () => secretKey,
    storedText: notUsed,
    holdWrites: notUsed,
    runSql: notUsed,
    remove: async () => undefined,
  };
  world = await openWorld({ place, settings: { SVC_GUESTS_PER_HOUR: '0' } });
});
afterAll(async () => {
  await world?.stop();
  await dropDatabase(inject('postgresUrl'), url);
  rmSync(dataDir, { recursive: true, force: true });
});

/** Runs `work` over a separate connection to the database. */
async function inDatabase<Result>(work: (database: ReturnType<typeof openDatabase>) => Promise<Result>): Promise<Result> {
  const database = openDatabase(databaseAddress(url, 1));
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

it('the player search works immediately, while its index is built in the background', async () => {
  const { project } = world;
  const { bearer: headers } = project.developer;
  const search = async () => (await world.server.call('GET', `${project.path}/players?query=pla`, { headers })).json;
  await world.newTokens();
  const found = { items: [{ userId: 'player-1' }] };
  expect(await search()).toMatchObject(found);
  await expect.poll(() => inDatabase(({ query }) => missingIndexes(query))).toEqual([]);
  expect(await search()).toMatchObject(found);
});

it('all changes of webhooks and their deliveries wait until the upgrade is finished', async () => {
  const { project } = world;
  const { bearer: headers, accountId } = project.developer;
  const params = { accountId, slug: project.slug, webhookId: 'wh_none', deliveryId: 'msg_none' };
  const bodies: Readonly<Partial<Record<OperationId, object>>> = {
    createWebhook: { url: 'https://hooks.example/', events: ['schema.changed'] },
    updateWebhook: { enabled: false },
    rotateWebhookSecret: {},
  };
  const answers: Record<string, unknown> = {};
  for (const [id, { method, path }] of Object.entries(operations) as [OperationId, Operation][]) {
    if (!path.includes('/webhooks') || method === 'GET') continue;
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof params) => params[name]);
    const { status, json } = await world.server.call(method, filled, { headers, body: bodies[id] });
    answers[id] = [status, (json as { error?: string }).error];
  }
  const refused = [409, 'upgrade_unfinished'];
  expect(answers).toEqual({
    createWebhook: refused,
    updateWebhook: refused,
    deleteWebhook: refused,
    rotateWebhookSecret: refused,
    testWebhook: refused,
    retryWebhookDelivery: refused,
  });
  expect((await world.server.call('GET', `${project.path}/webhooks`, { headers })).json).toEqual({ items: [] });
});

it('proposals and required approvals wait until the upgrade is finished', async () => {
  const { project } = world;
  const { bearer } = project.developer;
  const proposals = `${project.path}/public-state/production/proposals`;
  const ask = async (method: string, path: string, body: object = {}) => {
    const isEdit = path.includes('/prop_') && method === 'PATCH';
    const headers = { ...bearer, ...(isEdit && { 'If-Match': '"1"' }) };
    const { status, json } = await world.server.call(method, path, { headers, ...(method !== 'DELETE' && { body }) });
    return [method, status, (json as { error?: string } | undefined)?.error];
  };
  const refused = (method: string) => [method, 409, 'upgrade_unfinished'];
  expect(await ask('POST', proposals, { baseVersion: null, ops: [] })).toEqual(refused('POST'));
  expect(await ask('PATCH', `${proposals}/prop_1`, { comment: 'x' })).toEqual(refused('PATCH'));
  expect(await ask('DELETE', `${proposals}/prop_1`)).toEqual(refused('DELETE'));
  expect(await ask('POST', `${proposals}/prop_1/apply`, { revision: 1 })).toEqual(refused('POST'));
  const approval = { revision: 1, version: null };
  expect(await ask('POST', `${proposals}/prop_1/approvals`, approval)).toEqual(refused('POST'));
  expect(await ask('DELETE', `${proposals}/prop_1/approvals`)).toEqual(refused('DELETE'));
  const setting = { requiredApprovals: { production: 1 } };
  expect(await ask('PATCH', project.path, setting)).toEqual(refused('PATCH'));
  expect((await world.server.call('GET', proposals, { headers: bearer })).json).toMatchObject({ items: [] });
});

it('guests, their sign-up, merges and blocks wait until the upgrade is finished', async () => {
  const { project } = world;
  const { bearer: headers } = project.developer;
  const steps = guestSteps(world, project);
  const device = newDevice();
  const player = await steps.signIn(somebody());
  const id = userIdOf(player);
  const narrow = async () => {
    const merge = { guestAssertion: 'x', state: {}, ifVersion: null, fromVersion: null };
    const answers = [
      await world.server.call('PATCH', `${project.path}/auth/end-user/config`, {
        headers,
        body: { allowedIdps: ['password', 'anonymous'] },
      }),
      await world.server.call('PUT', `${project.path}/auth/end-user/config`, {
        headers,
        body: {
          enabled: true,
          redirectUris: ['https://app.example/signed-in?tab=1'],
          allowedIdps: ['password', 'anonymous'],
        },
      }),
      await steps.upgrade(device, await steps.codeOf(somebody())),
      await world.server.call('POST', `${project.path}/me/merge`, {
        headers: { Authorization: `Bearer ${player}` },
        body: merge,
      }),
      await world.server.call('PUT', `${project.path}/players/${id}/block`, { headers, body: {} }),
    ];
    return answers.map(({ status, json }) => [status, (json as { error?: string }).error]);
  };
  expect(await narrow()).toEqual(Array(5).fill([409, 'upgrade_unfinished']));
  expect((await world.server.call('GET', `${project.path}/players/${id}`, { headers })).json).toMatchObject({
    blocked: null,
  });
  expect(await inDatabase(finishUpgrade)).toMatchObject({ kind: 'finished' });
  expect(await narrow()).toEqual([
    [200, undefined],
    [200, undefined],
    [200, undefined],
    [400, 'validation_error'], // not a valid assertion
    [200, undefined],
  ]);
});
