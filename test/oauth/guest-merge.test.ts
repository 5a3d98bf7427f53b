/** Guests whose identity is already in use: they are merged into its player. @see docs/contract.md §7.17 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Device, newDevice, type Wrong } from '../../tooling/guest.ts';
import type { Answer } from '../support/client.ts';
import { bearer, guestSteps, somebody, userIdOf } from './guest-steps.ts';
import { expectTokenError, openWorld, type SignInProject, type World } from './world.ts';

let world: World;
let project: SignInProject;
let steps: ReturnType<typeof guestSteps>;
async function enterNewProject(): Promise<void> {
  project = await world.newSignInProject({ allowedIdps: ['password', 'anonymous'] });
  steps = guestSteps(world, project);
}
beforeAll(async () => {
  world = await openWorld({ settings: { SVC_GUESTS_PER_HOUR: '0' } });
  await enterNewProject();
});
afterAll(() => world.stop());

/** A guest and a player, each with a user state by default. */
async function both({ guestSaves = true, playerSaves = true } = {}) {
  const [device, subject] = [newDevice(), somebody()];
  const guest = await steps.play(device);
  if (guestSaves) expect((await steps.write(guest, 'of the guest')).status).toBe(200);
  const player = await steps.signIn(subject);
  if (playerSaves) expect((await steps.write(player, 'of the player')).status).toBe(200);
  return { device, subject, guest, player };
}

interface Sent {
  readonly ifVersion?: unknown;
  readonly fromVersion?: unknown;
  readonly state?: unknown;
  readonly key?: string;
  readonly wrong?: Wrong;
  readonly assertion?: string;
}

async function assertionInto(device: Device, playerId: string, wrong: Wrong = {}): Promise<string> {
  const claims = { merge_into: playerId, ...wrong.claims };
  return device.assert(steps.placeOf(), await steps.freshNonce(), { ...wrong, claims });
}

async function merge(device: Device, player: string, sent: Sent = {}): Promise<Answer> {
  const { ifVersion = 1, fromVersion = 1, state = { a: 'merged' }, key, wrong } = sent;
  const guestAssertion = sent.assertion ?? (await assertionInto(device, userIdOf(player), wrong));
  return world.server.call('POST', `${project.path}/me/merge`, {
    headers: { ...bearer(player), ...(key !== undefined && { 'Idempotency-Key': key }) },
    body: { guestAssertion, state, ifVersion, fromVersion },
  });
}

describe('a merge', () => {
  it('leaves one player with the merged user state, two versions later, and retires the guest', async () => {
    const { device, guest, player } = await both();
    const answer = await merge(device, player);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json).toEqual({ version: 3, state: { a: 'merged' } });
    expect(answer.headers.etag).toBe('"3"');
    expect((await steps.read(player)).json).toEqual({ version: 3, state: { a: 'merged' } });
    expect((await steps.write(guest, 'late')).status).not.toBe(200);
    expect((await steps.write(guest, 'late', 1)).status).not.toBe(200);
    const entered = await steps.enter(device);
    expectTokenError(entered, 400, 'invalid_grant');
    expect(entered.json).toMatchObject({ error_description: 'guest_upgraded' });
  });

  it('moves a user state if only the guest has one', async () => {
    const { device, player } = await both({ playerSaves: false });
    const answer = await merge(device, player, { ifVersion: null, state: { a: 'of the guest' } });
    expect(answer.json).toEqual({ version: 1, state: { a: 'of the guest' } });
    expect((await steps.write(player, 'on', 1)).json).toMatchObject({ version: 2 });
  });

  it('keeps a user state if only the player has one here, and adds the guest’s from elsewhere', async () => {
    const staging = guestSteps(world, project, 'env:staging');
    const { device, subject, player } = await both({ guestSaves: false });
    await staging.write(await staging.play(device), 'staging of the guest');
    const answer = await merge(device, player, { fromVersion: null, state: { a: 'of the player' } });
    expect(answer.json).toEqual({ version: 1, state: { a: 'of the player' } });
    const inStaging = await staging.read(await staging.signIn(subject));
    expect(inStaging.json).toEqual({ version: 1, state: { a: 'staging of the guest' } });
    expectTokenError(await steps.enter(device), 400, 'invalid_grant');
  });

  it('keeps every digit of the state', async () => {
    const { device, player } = await both();
    const guestAssertion = await assertionInto(device, userIdOf(player));
    const body = `{"guestAssertion":"${guestAssertion}","state":{"n":9007199254740993.10},"ifVersion":1,"fromVersion":1}`;
    const headers = { ...bearer(player), 'Content-Type': 'application/json' };
    const answer = await world.server.call('POST', `${project.path}/me/merge`, { headers, body });
    expect(answer.text).toBe('{"version":3,"state":{"n":9007199254740993.10}}');
  });

  it('adds the guest’s user states from other environments and projects, where the player has none', async () => {
    const staging = guestSteps(world, project, 'env:staging');
    const other = await steps.otherProject();
    const { device, subject, player } = await both();
    await staging.write(await staging.play(device), 'staging of the guest');
    await steps.write(await steps.play(device, other), 'other of the guest', undefined, other);
    const there = await steps.signIn(subject, other);
    await steps.write(there, 'other of the player', undefined, other);
    expect((await merge(device, player)).status).toBe(200);
    const inStaging = await staging.signIn(subject);
    expect((await staging.read(inStaging)).json).toEqual({ version: 1, state: { a: 'staging of the guest' } });
    expect((await steps.read(there, other)).json).toEqual({ version: 3, state: { a: 'other of the player' } });
    const { bearer: headers } = project.developer;
    const gone = await world.server.call('GET', `${project.path}/user-states/staging`, { headers });
    expect((gone.json as { items: { endUserId: string }[] }).items.map((item) => item.endUserId)).toContain(subject);
  });

  it('lowers the count of players by one, but not that of guests', async () => {
    const at = await world.newSignInProject({ allowedIdps: ['password', 'anonymous'] });
    const own = guestSteps(world, at);
    const device = newDevice();
    const guest = await own.play(device);
    await own.write(guest, 'x'.repeat(1_000));
    const player = await own.signIn(somebody());
    await own.write(player, 1);
    const usage = async () =>
      (await world.server.call('GET', `/v1/${at.developer.accountId}/usage`, { headers: at.developer.bearer })).json as {
        endUsers: { used: number };
        storageBytes: { used: number };
      };
    const before = await usage();
    const claims = { merge_into: userIdOf(player) };
    const guestAssertion = device.assert(own.placeOf(), await own.freshNonce(), { claims });
    const body = { guestAssertion, state: { a: 1 }, ifVersion: 1, fromVersion: 1 };
    const answer = await world.server.call('POST', `${at.path}/me/merge`, { headers: bearer(player), body });
    expect(answer.status, answer.text).toBe(200);
    const after = await usage();
    expect(after.endUsers.used).toBe(before.endUsers.used - 1);
    // The guest's user state is now a version of the player's.
    expect(after.storageBytes.used).toBeGreaterThan(1_000);
  });

  it('can be repeated with its key, and with a new assertion', async () => {
    const { device, player } = await both();
    const first = await merge(device, player, { key: 'once' });
    const second = await merge(device, player, { key: 'once' });
    expect(second.status).toBe(200);
    expect(second.text).toBe(first.text);
    expect((await merge(device, player, { key: 'once', assertion: 'anything' })).status).toBe(200);
    expect((await merge(device, player, { key: 'once', state: { b: 1 } })).json).toMatchObject({
      error: 'idempotency_key_reused',
    });
    await steps.write(player, 'on', 3);
    expect((await merge(device, player, { key: 'once' })).json).toMatchObject({ appliedVersion: 3, currentVersion: 4 });
  });
});

describe('a retired key', () => {
  // One in 4,096 later players of a project begins above the versions of a player who was deleted there, and not with version 1.
  beforeAll(enterNewProject);
  afterAll(enterNewProject);

  const erase = (id: string) =>
    world.server.call('DELETE', `${project.path}/players/${id}`, { headers: project.developer.bearer });
  const expectRetired = async (device: Device) => {
    const entered = await steps.enter(device);
    expectTokenError(entered, 400, 'invalid_grant');
    expect(entered.json).toMatchObject({ error_description: 'guest_upgraded' });
  };

  it('stays retired after deleting the guest and the player, even twice', async () => {
    const { device, subject, guest, player } = await both();
    expect((await merge(device, player)).status).toBe(200);
    for (const id of [userIdOf(guest), subject, subject]) {
      expect((await erase(id)).status).toBe(204);
      await expectRetired(device);
    }
    const again = await steps.signIn(subject);
    expect(userIdOf(again)).toBe(subject);
    expect((await steps.write(again, 'again')).status).toBe(200);
  });

  it('stays retired after deleting an upgraded guest, and the identity starts again as its own player', async () => {
    const [device, subject] = [newDevice(), somebody()];
    const guest = await steps.play(device);
    await steps.write(guest, 1);
    expect((await steps.upgrade(device, await steps.codeOf(subject))).json).toMatchObject({ link: 'linked' });
    expect((await erase(userIdOf(guest))).status).toBe(204);
    await expectRetired(device);
    expect((await steps.write(guest, 2)).status).toBe(401);
    expect(userIdOf(await steps.signIn(subject))).toBe(subject);
    // The identity can be linked to another guest, but never to this one again.
    const other = newDevice();
    await steps.write(await steps.play(other), 1);
    expect((await steps.upgrade(other, await steps.codeOf(subject))).json).toMatchObject({ link: 'linked' });
    expectTokenError(await steps.upgrade(device, await steps.codeOf(somebody())), 400, 'invalid_grant');
  });
});

describe('a merge is refused', () => {
  it.each([
    ['when the user state of the player has changed', { ifVersion: 2 }],
    ['when the user state of the guest has changed', { fromVersion: 2 }],
    ['when the player is expected to have no user state', { ifVersion: null }],
    ['when the guest is expected to have no user state', { fromVersion: null }],
  ])('%s', async (_, sent) => {
    const { device, guest, player } = await both();
    const answer = await merge(device, player, sent);
    expect(answer.status).toBe(412);
    expect(answer.json).toMatchObject({ error: 'version_conflict', currentVersion: 1 });
    expect((await steps.read(player)).json).toMatchObject({ version: 1 });
    expect((await steps.write(guest, 'on', 1)).status).toBe(200);
  });

  it.each<[string, Wrong | ((guest: string) => Wrong)]>([
    ['for another player', { claims: { merge_into: 'somebody else' } }],
    ['for nobody', { claims: { merge_into: undefined } }],
    ['that also links', { claims: { link_code: 'x' } }],
    ['into the guest itself', (guest) => ({ claims: { merge_into: guest } })],
    ['of another environment', { claims: { scope: 'env:staging' } }],
    ['of another account', { claims: { client_id: 'acc_1.other' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['signed by another key', { signedBy: newDevice() }],
  ])('with an assertion %s', async (_, wrong) => {
    const { device, guest, player } = await both();
    const given = typeof wrong === 'function' ? wrong(userIdOf(guest)) : wrong;
    const answer = await merge(device, player, { wrong: given });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: 'validation_error' });
    expect((await steps.read(guest)).json).toMatchObject({ version: 1 });
  });

  it.each<[string, Sent]>([
    ['a version that is a text', { ifVersion: '1' }],
    ['a version of 0', { fromVersion: 0 }],
    ['a missing version', { fromVersion: false }],
    ['a state that is a list', { state: [] }],
    ['an assertion of 3 KB', { assertion: 'x'.repeat(3_000) }],
    ['an empty assertion', { assertion: '' }],
  ])('with %s', async (_, sent) => {
    const { device, player } = await both();
    const answer = await merge(device, player, sent);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: 'validation_error' });
  });

  it('for a state that the player could not write', async () => {
    const at = await world.newSignInProject({ allowedIdps: ['password', 'anonymous'] });
    const own = guestSteps(world, at);
    const schema = { properties: { gold: { type: 'integer', 'x-write': 'server' } } };
    const put = await world.server.call('PUT', `${at.path}/schemas/production/user-state`, {
      headers: { ...at.developer.bearer, 'If-None-Match': '*' },
      body: { mode: 'enforce', schema },
    });
    expect(put.status, put.text).toBe(200);
    const device = newDevice();
    await own.write(await own.play(device), 'of the guest');
    const player = await own.signIn(somebody());
    await own.write(player, 'of the player');
    const send = async (state: unknown) => {
      const claims = { merge_into: userIdOf(player) };
      const guestAssertion = device.assert(own.placeOf(), await own.freshNonce(), { claims });
      const body = { guestAssertion, state, ifVersion: 1, fromVersion: 1 };
      return world.server.call('POST', `${at.path}/me/merge`, { headers: bearer(player), body });
    };
    const cheated = await send({ a: 'x', gold: 1_000 });
    expect(cheated.status).toBe(400);
    expect(cheated.json).toMatchObject({ error: 'validation_error', violations: [{ path: '/gold' }] });
    expect((await send({ a: 'x' })).status).toBe(200);
  });

  it('for a state that raises a value of the player by more than one write may, and keeps the guest', async () => {
    const at = await world.newSignInProject({ allowedIdps: ['password', 'anonymous'] });
    const own = guestSteps(world, at);
    const device = newDevice();
    const guest = await own.play(device);
    await own.write(guest, 150);
    const player = await own.signIn(somebody());
    await own.write(player, 5);
    const schema = { properties: { a: { type: 'integer', 'x-increase-max': 100 } } };
    const put = await world.server.call('PUT', `${at.path}/schemas/production/user-state`, {
      headers: { ...at.developer.bearer, 'If-None-Match': '*' },
      body: { mode: 'enforce', schema },
    });
    expect(put.status, put.text).toBe(200);
    const send = async (a: number) => {
      const claims = { merge_into: userIdOf(player) };
      const guestAssertion = device.assert(own.placeOf(), await own.freshNonce(), { claims });
      const body = { guestAssertion, state: { a }, ifVersion: 1, fromVersion: 1 };
      return world.server.call('POST', `${at.path}/me/merge`, { headers: bearer(player), body });
    };
    const refused = await send(155);
    expect(refused.status).toBe(400);
    expect(refused.json).toMatchObject({ violations: [{ path: '/a', keyword: 'x-increase-max' }] });
    expect((await own.read(player)).json).toEqual({ version: 1, state: { a: 5 } });
    expect((await own.read(guest)).json).toEqual({ version: 1, state: { a: 150 } });
    expect((await send(105)).json).toEqual({ version: 3, state: { a: 105 } });
    const before = await world.server.call('GET', `${at.path}/user-states/production/${userIdOf(player)}/versions/2`, {
      headers: at.developer.bearer,
    });
    expect(before.json).toMatchObject({ version: 2, state: { a: 150 } });
  });

  it('for a blocked player or guest in any project of the account, without a change', async () => {
    const other = await steps.otherProject();
    const block = (of: SignInProject, id: string, method = 'PUT') => {
      const body = method === 'PUT' ? { body: {} } : {};
      return world.server.call(method, `${of.path}/players/${id}/block`, { headers: of.developer.bearer, ...body });
    };
    const { device, subject, guest, player } = await both();
    await steps.write(await steps.signIn(subject, other), 'there', undefined, other);
    await steps.write(await steps.play(device, other), 'there', undefined, other);
    for (const id of [subject, userIdOf(guest)]) {
      expect((await block(other, id)).status).toBe(200);
      const refused = await merge(device, player);
      expect(refused.status).toBe(409);
      expect(refused.json).toMatchObject({ error: 'player_blocked' });
      expect((await steps.read(player)).json).toMatchObject({ version: 1 });
      expect((await block(other, id, 'DELETE')).status).toBe(204);
    }
    expect((await merge(device, player)).status).toBe(200);
  });

  it('for another account’s guest, whatever the assertion says', async () => {
    const elsewhere = await world.newSignInProject({ allowedIdps: ['password', 'anonymous'] });
    const device = newDevice();
    const there = await steps.play(device, elsewhere);
    await steps.write(there, 'of the guest', undefined, elsewhere);
    const player = await steps.signIn(somebody());
    await steps.write(player, 'of the player');
    const claims = { merge_into: userIdOf(player) };
    const ofThere = device.assert(steps.placeOf(elsewhere), await steps.freshNonce(), { claims });
    expect((await merge(device, player, { assertion: ofThere })).json).toMatchObject({ error: 'validation_error' });
    // The same key is a different guest here, without a user state.
    expect((await merge(device, player)).status).toBe(412);
    const answer = await merge(device, player, { fromVersion: null });
    expect([answer.status, answer.json]).toMatchObject([409, { error: 'nothing_to_merge' }]);
    expect((await steps.read(there, elsewhere)).json).toEqual({ version: 1, state: { a: 'of the guest' } });
    expect((await steps.enter(device, elsewhere)).status).toBe(200);
    const post = { headers: bearer(player), body: { guestAssertion: ofThere, state: {}, ifVersion: 1, fromVersion: 1 } };
    expect((await world.server.call('POST', `${elsewhere.path}/me/merge`, post)).status).toBe(403);
  });

  it('by a guest', async () => {
    const { device, guest } = await both();
    expect((await merge(device, guest)).status).toBe(403);
  });

  it('when repeated, and after the guest has signed up', async () => {
    const { device, player } = await both();
    expect((await merge(device, player)).status).toBe(200);
    expect((await merge(device, player, { ifVersion: 3 })).json).toMatchObject({ error: 'validation_error' });
    const upgraded = newDevice();
    await steps.upgrade(upgraded, await steps.codeOf(somebody()));
    expect((await merge(upgraded, player, { ifVersion: 3, fromVersion: null })).json).toMatchObject({
      error: 'validation_error',
    });
  });

  it('without a user state here, even if the guest has one elsewhere', async () => {
    const staging = guestSteps(world, project, 'env:staging');
    const { device, player } = await both({ guestSaves: false, playerSaves: false });
    await staging.write(await staging.play(device), 'staging of the guest');
    const answer = await merge(device, player, { ifVersion: null, fromVersion: null });
    expect(answer.json).toMatchObject({ error: 'validation_error' });
    expect((await steps.enter(device)).status).toBe(200);
  });
});

describe('races', () => {
  it('of a merge and writes on both sides: either 412, or nothing is lost', async () => {
    for (let round = 0; round < 8; round++) {
      const { device, guest, player } = await both();
      const [guestWrite, playerWrite, merged] = await Promise.all([
        steps.write(guest, 'late guest', 1),
        steps.write(player, 'late player', 1),
        merge(device, player),
      ]);
      const outcome = [guestWrite.status, playerWrite.status, merged.status];
      if (merged.status === 412) {
        expect(outcome.slice(0, 2), String(outcome)).toContain(200);
        continue;
      }
      expect(outcome).toEqual([expect.not.closeTo(200), 412, 200]);
      expect((await steps.read(player)).json).toEqual({ version: 3, state: { a: 'merged' } });
    }
  });

  it('of a merge and the guest’s first write elsewhere: it is merged or refused', async () => {
    const staging = guestSteps(world, project, 'env:staging');
    for (let round = 0; round < 8; round++) {
      const { device, subject, player } = await both();
      const guest = await staging.play(device);
      const [saved, merged] = await Promise.all([staging.write(guest, 'first'), merge(device, player)]);
      expect(merged.status, merged.text).toBe(200);
      const kept = await staging.read(await staging.signIn(subject));
      expect(kept.status, `the user state was ${saved.status}`).toBe(saved.status === 200 ? 200 : 204);
    }
  });

  it('of two merges of one guest: one player gets it', async () => {
    const { device, player } = await both();
    const other = await steps.signIn(somebody());
    await steps.write(other, 'other');
    const outcomes = await Promise.all([merge(device, player), merge(device, other)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});
