/** A guest and a player to merge, with a low storage limit and a field that only servers may write. */
import { afterAll, beforeAll, expect } from 'vitest';
import { type Device, newDevice } from '../../tooling/guest.ts';
import type { Answer } from '../support/client.ts';
import { bearer, guestSteps, somebody, userIdOf } from './guest-steps.ts';
import { openWorld, type SignInProject, type World } from './world.ts';

export let world: World;

/** Starts a service whose accounts may store 4,000 bytes, for the tests of a file. */
export function startLimited(): void {
  beforeAll(async () => {
    world = await openWorld({
      settings: { SVC_GUESTS_PER_HOUR: '0', SVC_RATE_LIMIT_PER_MINUTE: '0', SVC_QUOTA_STORAGE_BYTES: '4000' },
    });
  });
  afterAll(() => world.stop());
}

export interface Both {
  readonly project: SignInProject;
  readonly steps: ReturnType<typeof guestSteps>;
  readonly device: Device;
  readonly guest: string;
  readonly player: string;
}

/** A guest and a player of a new project, whose account may store 4,000 bytes. */
export async function both(): Promise<Both> {
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

export const assertionOf = async ({ steps, device, player }: Both) =>
  device.assert(steps.placeOf(), await steps.freshNonce(), { claims: { merge_into: userIdOf(player) } });

export async function merge(of: Both, sent: Sent, assertion?: string): Promise<Answer> {
  const body = { guestAssertion: assertion ?? (await assertionOf(of)), ...sent };
  return world.server.call('POST', `${of.project.path}/me/merge`, { headers: bearer(of.player), body });
}

export async function storedBytes({ project: { developer } }: Both): Promise<number> {
  const usage = await world.server.call('GET', `/v1/${developer.accountId}/usage`, { headers: developer.bearer });
  return (usage.json as { storageBytes: { used: number } }).storageBytes.used;
}

/** Lets only servers write `gold`. */
export async function protectGold({ project }: Both): Promise<void> {
  const schema = { properties: { gold: { type: 'integer', 'x-write': 'server' } } };
  const put = await world.server.call('PUT', `${project.path}/schemas/production/user-state`, {
    headers: { ...project.developer.bearer, 'If-None-Match': '*' },
    body: { mode: 'enforce', schema },
  });
  expect(put.status, put.text).toBe(200);
}

export function setGold({ project, player }: Both, value: number, version: number | null): Promise<Answer> {
  const precondition = version === null ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` };
  return world.server.call('PATCH', `${project.path}/user-states/production/${userIdOf(player)}`, {
    headers: { ...project.developer.bearer, ...precondition },
    body: { ops: [{ op: 'add', path: '/gold', value }] },
  });
}

/** Races `merges` merges of one version against a server write, in each round. */
export async function raceWritesOfServers(rounds: number, merges: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const of = await both();
    await protectGold(of);
    await of.steps.write(of.guest, 1);
    expect((await setGold(of, 1_000, null)).status).toBe(200);
    const assertions = await Promise.all(Array.from({ length: merges }, () => assertionOf(of)));
    const next = { ifVersion: 2, fromVersion: 1, state: { gold: 1_000 } };
    const [paid, ...answers] = await Promise.all([
      setGold(of, 900, 1),
      ...assertions.map((assertion) => merge(of, next, assertion)),
    ]);
    expect(paid.status).toBe(200);
    expect(answers.map(({ status }) => status).filter((status) => ![400, 412].includes(status))).toEqual([]);
    expect((await of.steps.read(of.player)).json).toEqual({ version: 2, state: { gold: 900 } });
  }
}
