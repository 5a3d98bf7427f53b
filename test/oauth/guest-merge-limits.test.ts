/** Abuse of merges: undoing server writes, and storing data that no quota counts. @see docs/contract.md §7.17 */
import { expect, it } from 'vitest';
import {
  assertionOf,
  both,
  merge,
  protectGold,
  raceWritesOfServers,
  setGold,
  startLimited,
  storedBytes,
  world,
} from './guest-merge-limits.fixture.ts';
import { userIdOf } from './guest-steps.ts';

startLimited();

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

it('no merge undoes a server’s write, whatever its version', () => raceWritesOfServers(1, 5));
