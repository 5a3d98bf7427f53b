/** What a merge may not be used for: to undo what servers write, and to store what no quota counts. @see docs/contract.md §7.17 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Device, newDevice } from '../../tooling/guest.ts';
import type { Answer } from '../support/client.ts';
import { bearer, guestSteps, somebody, userIdOf } from './guest-steps.ts';
import { openWorld, type SignInProject, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld({
    settings: { SVC_GUESTS_PER_HOUR: '0', SVC_RATE_LIMIT_PER_MINUTE: '0', SVC_QUOTA_STORAGE_BYTES: '4000' },
  });
});
afterAll(() => world.stop());

interface Both {
  readonly project: SignInProject;
  readonly steps: ReturnType<typeof guestSteps>;
  readonly device: Device;
  readonly guest: string;
  readonly player: string;
}

/** A guest and a player of a new project, whose account may store 4,000 bytes. */
async function both(): Promise<Both> {
  const project = await world.newSignInProject({ allowedIdps: ['password', 'anonymous'] });
  const steps = guestSteps(world, project);
  const device = newDevice();
  return { project, steps, device, guest: await steps.play(device), player: await steps.signIn(somebody()) };
}

interface Sent {
  readonly ifVersion: number | null;
  readonly fromVersion: number | null;
  readonly state: unknown;
}

const assertionOf = async ({ steps, device, player }: Both) =>
  device.assert(steps.placeOf(), await steps.freshNonce(), { claims: { merge_into: userIdOf(player) } });

async function merge(of: Both, sent: Sent, assertion?: string): Promise<Answer> {
  const body = { guestAssertion: assertion ?? (await assertionOf(of)), ...sent };
  return world.server.call('POST', `${of.project.path}/me/merge`, { headers: bearer(of.player), body });
}

async function storedBytes({ project: { developer } }: Both): Promise<number> {
  const usage = await world.server.call('GET', `/v1/${developer.accountId}/usage`, { headers: developer.bearer });
  return (usage.json as { storageBytes: { used: number } }).storageBytes.used;
}

/** Lets servers alone write `gold`. */
async function protectGold({ project }: Both): Promise<void> {
  const schema = { properties: { gold: { type: 'integer', 'x-write': 'server' } } };
  const put = await world.server.call('PUT', `${project.path}/schemas/production/user-state`, {
    headers: { ...project.developer.bearer, 'If-None-Match': '*' },
    body: { mode: 'enforce', schema },
  });
  expect(put.status, put.text).toBe(200);
}

function setGold({ project, player }: Both, value: number, version: number | null): Promise<Answer> {
  const precondition = version === null ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` };
  return world.server.call('PATCH', `${project.path}/user-states/production/${userIdOf(player)}`, {
    headers: { ...project.developer.bearer, ...precondition },
    body: { ops: [{ op: 'add', path: '/gold', value }] },
  });
}

it('a guest without a user state in any project is not merged: nothing is stored, and its assertion and key stay valid', async () => {
  const of = await both();
  await of.steps.write(of.player, 'of the player');
  const before = await storedBytes(of);
  const assertion = await assertionOf(of);
  const sent = { ifVersion: 1, fromVersion: null, state: { a: 'x'.repeat(200_000) } };
  const refused = await merge(of, sent, assertion);
  expect([refused.status, refused.json]).toMatchObject([409, { error: 'nothing_to_merge' }]);
  expect(await storedBytes(of)).toBe(before);
  expect((await of.steps.read(of.player)).json).toMatchObject({ version: 1, state: { a: 'of the player' } });
  expect((await of.steps.enter(of.device)).status).toBe(200);
  await of.steps.write(of.guest, 'of the guest');
  const merged = await merge(of, { ifVersion: 1, fromVersion: 1, state: { a: 'merged' } }, assertion);
  expect([merged.status, merged.json]).toEqual([200, { version: 3, state: { a: 'merged' } }]);
});

it('a merge over the account’s storage limit changes nothing', async () => {
  const of = await both();
  await of.steps.write(of.guest, 'g'.repeat(900));
  await of.steps.write(of.player, 'p'.repeat(900));
  const before = await storedBytes(of);
  const large = await merge(of, { ifVersion: 1, fromVersion: 1, state: { a: 'x'.repeat(200_000) } });
  expect([large.status, large.json]).toMatchObject([402, { code: 'QUOTA_STORAGE', limit: 4_000, used: before }]);
  expect(await storedBytes(of)).toBe(before);
  expect((await of.steps.read(of.player)).json).toMatchObject({ version: 1 });
  expect((await of.steps.read(of.guest)).json).toMatchObject({ version: 1 });
  const small = await merge(of, { ifVersion: 1, fromVersion: 1, state: { a: 1 } });
  expect([small.status, small.json]).toEqual([200, { version: 3, state: { a: 1 } }]);
  const after = await storedBytes(of);
  expect(after).toBeLessThanOrEqual(4_000);
  const history = await world.server.call(
    'GET',
    `${of.project.path}/user-states/production/${userIdOf(of.player)}/history`,
    { headers: of.project.developer.bearer },
  );
  expect((history.json as { items: unknown[] }).items).toHaveLength(3);
});

it.each([
  ['the player', { ifVersion: 2, fromVersion: 1 }],
  ['the guest', { ifVersion: 1, fromVersion: 2 }],
])('an outdated version of %s is 412, whatever the state', async (_, versions) => {
  const of = await both();
  await protectGold(of);
  await of.steps.write(of.guest, 1);
  await setGold(of, 1_000, null);
  const refused = await merge(of, { ...versions, state: { gold: 5_000 } });
  expect([refused.status, refused.json]).toMatchObject([412, { error: 'version_conflict', currentVersion: 1 }]);
  const broken = await merge(of, { ifVersion: 1, fromVersion: 1, state: { gold: 5_000 } });
  expect([broken.status, broken.json]).toMatchObject([400, { violations: [{ path: '/gold' }] }]);
});

it('no merge undoes a server’s write, whatever its version', async () => {
  for (let round = 0; round < 6; round++) {
    const of = await both();
    await protectGold(of);
    await of.steps.write(of.guest, 1);
    expect((await setGold(of, 1_000, null)).status).toBe(200);
    const assertions = await Promise.all(Array.from({ length: 12 }, () => assertionOf(of)));
    const next = { ifVersion: 2, fromVersion: 1, state: { gold: 1_000 } };
    const [paid, ...merges] = await Promise.all([
      setGold(of, 900, 1),
      ...assertions.map((assertion) => merge(of, next, assertion)),
    ]);
    expect(paid.status).toBe(200);
    expect(merges.map(({ status }) => status).filter((status) => ![400, 412].includes(status))).toEqual([]);
    expect((await of.steps.read(of.player)).json).toEqual({ version: 2, state: { gold: 900 } });
  }
});
