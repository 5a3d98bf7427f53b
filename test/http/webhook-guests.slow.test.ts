/** Events of guests who sign up, and of guests who become part of a player. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newDevice } from '../../tooling/guest.ts';
import { bearer, bodyOf, guestSteps, somebody, userIdOf } from '../oauth/guest-steps.ts';
import { openWorld, type SignInProject, type World } from '../oauth/world.ts';
import { newWebhook, openReceiver, type Receiver } from './webhook-receiver.ts';

let world: World;
let project: SignInProject;
let steps: ReturnType<typeof guestSteps>;
let receiver: Receiver;
beforeAll(async () => {
  world = await openWorld({ settings: { SVC_GUESTS_PER_HOUR: '0' } });
  project = await world.newSignInProject({ allowedIdps: ['password', 'anonymous'] });
  steps = guestSteps(world, project);
  receiver = await openReceiver();
  await newWebhook(world.server, project, { url: receiver.url, events: ['player.upgraded', 'player.merged'] });
});
afterAll(async () => {
  await receiver?.close();
  await world?.stop();
});

const dataOf = async (type: string) => (await receiver.next(({ event }) => event.type === type)).event.data;

it('tell of a guest who signed up, once', async () => {
  const [device, subject] = [newDevice(), somebody()];
  const guest = await steps.play(device);
  await steps.write(guest, 'of the guest');
  const upgrade = async () => bodyOf(await steps.upgrade(device, await steps.codeOf(subject)));
  expect((await upgrade()).link).toBe('linked');
  expect(await dataOf('player.upgraded')).toEqual({
    accountId: project.developer.accountId,
    projectSlug: project.slug,
    endUserId: userIdOf(guest),
  });
  await upgrade();
  expect(receiver.received.length).toBe(1);
});

it('tell of a guest who became part of a player', async () => {
  const device = newDevice();
  const guest = await steps.play(device);
  await steps.write(guest, 'of the guest');
  const player = await steps.signIn(somebody());
  await steps.write(player, 'of the player');
  const claims = { merge_into: userIdOf(player) };
  const guestAssertion = device.assert(steps.placeOf(), await steps.freshNonce(), { claims });
  const merged = await world.server.call('POST', `${project.path}/me/merge`, {
    headers: bearer(player),
    body: { guestAssertion, state: { a: 'merged' }, ifVersion: 1, fromVersion: 1 },
  });
  expect(merged.status, merged.text).toBe(200);
  const data = await dataOf('player.merged');
  expect(data).toMatchObject({ projectSlug: project.slug, endUserId: userIdOf(player), guestId: userIdOf(guest) });
  expect(JSON.stringify(receiver.received)).not.toMatch(/of the guest|of the player|"merged"}/);
});
