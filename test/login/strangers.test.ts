/** What strangers do with an email address leaves its owner a mail and a right code. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFormClient, fillIn } from '../../tooling/forms.ts';
import { type LoginClient, type LoginWorld, openLoginWorld } from './world.ts';

const password = 'correct horse battery';
let world: LoginWorld;
let client: LoginClient;
beforeAll(async () => {
  world = await openLoginWorld({ SVC_TRUST_PROXY: '127.0.0.1', SVC_MAILS_PER_HOUR: '60' });
  client = await world.newClient();
});
afterAll(() => world.stop());

/** Opens a browser that comes from a client address. */
async function browserAt(clientAddress: string) {
  const form = createFormClient(world.baseUrl);
  const from = { 'X-Forwarded-For': clientAddress };
  const page = await form.get(world.authorizeUrl(client), from);
  const csrf = fillIn(page.text, '/authorize/sign-in').held.csrf ?? '';
  const send = (path: string, fields: Readonly<Record<string, string>>) =>
    form.post(world.authorizeUrl(client, {}, path), { ...fields, csrf }, from);
  return {
    send,
    /** Signs up, and returns the secret that the next page holds. */
    async signUp(email: string): Promise<string> {
      const answer = await send('/authorize/sign-up', { email, password });
      expect(answer.status).toBe(303);
      const next = await form.get(answer.location ?? '', from);
      return fillIn(next.text, '/authorize/confirm').held.sign_up ?? '';
    },
  };
}

it('strangers’ wrong codes and mails leave the owner of an address a mail and a valid code', async () => {
  const email = 'grace@mail.example';
  for (let stranger = 0; stranger < 8; stranger++) {
    const { send, signUp } = await browserAt(`203.0.113.${stranger}`);
    const sign_up = await signUp(email);
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++) statuses.push((await send('/authorize/confirm', { sign_up, code: '000000' })).status);
    expect(statuses).toEqual([...Array(5).fill(422), 410]);
  }
  const owner = await browserAt('198.51.100.77');
  const sign_up = await owner.signUp(email);
  const { code = '' } = await world.mailTo(email, 8);
  const done = await owner.send('/authorize/confirm', { sign_up, code });
  expect(done.status).toBe(200);
  expect(done.headers.getSetCookie().join()).toContain('device='); // signed in
});

it('one client address can cause only as many mails as the setting allows', async () => {
  const school = await browserAt('198.51.100.78');
  for (let pupil = 0; pupil < 60; pupil++) await school.signUp(`pupil-${pupil}@mail.example`);
  const answer = await school.send('/authorize/sign-up', { email: 'pupil-60@mail.example', password });
  expect([answer.status, Number(answer.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
  const home = await browserAt('198.51.100.79');
  await home.signUp('pupil-60@mail.example');
});
