/** Guessing a password at full speed: the limit holds, and the owner can still sign in. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFormClient, signUpByForms } from '../../tooling/forms.ts';
import { type LoginClient, type LoginWorld, openLoginWorld } from './world.ts';

const password = 'correct horse battery';
const address = 'ada@mail.example';
let world: LoginWorld;
let client: LoginClient;
beforeAll(async () => {
  world = await openLoginWorld({ SVC_TRUST_PROXY: '127.0.0.1' });
  client = await world.newClient();
});
afterAll(() => world.stop());

it('at 100 guesses a second from as many addresses, 100 an hour are checked, and a known device still signs in', {
  timeout: 180_000,
}, async () => {
  const owner = createFormClient(world.baseUrl);
  await signUpByForms(world, owner, address, password, client);
  const url = world.authorizeUrl(client, {}, '/authorize/sign-in');
  const guesser = createFormClient(world.baseUrl);
  const page = await guesser.get(world.authorizeUrl(client));
  const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
  const statuses = new Map<number, number>();
  const guess = async (index: number) => {
    const from = { 'X-Forwarded-For': `198.51.${Math.floor(index / 250)}.${index % 250}` };
    for (;;) {
      const answer = await guesser.post(url, { email: address, password: `guess number ${index}`, csrf }, from);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status !== 503) return answer;
      await sleep(200); // busy: the password was not checked
    }
  };
  const signIn = async () => {
    const shown = await owner.get(world.authorizeUrl(client));
    return owner.send(shown, '/authorize/sign-in', { email: address, password });
  };

  let ownerStatus: number | undefined;
  let last: Awaited<ReturnType<typeof guess>> | undefined;
  for (let second = 0; second < 2; second++) {
    const guesses = Array.from({ length: 100 }, (_, index) => guess(second * 100 + index));
    if (second === 1) ownerStatus = (await signIn()).status;
    last = (await Promise.all(guesses)).at(-1);
  }
  expect(statuses.get(422)).toBe(100);
  expect(statuses.get(429)).toBe(100);
  expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(3_000);
  expect(last?.text).toMatch(/Too many attempts. You can try again in \d+ minutes/);
  expect([200, 503]).toContain(ownerStatus);
  expect((await signIn()).status).toBe(200);

  // Without the device, even the right password must wait; a link by mail need not.
  const stranger = createFormClient(world.baseUrl);
  const shown = await stranger.get(world.authorizeUrl(client));
  const answer = await stranger.send(shown, '/authorize/sign-in', { email: address, password });
  expect(answer.status).toBe(429);
  expect(answer.text).toContain('Forgot password?');
  world.pass(61 * 60_000);
  const later = await stranger.get(world.authorizeUrl(client));
  expect((await stranger.send(later, '/authorize/sign-in', { email: address, password })).status).toBe(200);
});
