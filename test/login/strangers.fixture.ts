/** Browsers of strangers, and mails that they cause. */
import { afterAll, beforeAll, expect } from 'vitest';
import { createFormClient, fillIn } from '../../tooling/forms.ts';
import { type LoginClient, type LoginWorld, openLoginWorld } from './world.ts';

const password = 'correct horse battery';
export let world: LoginWorld;
let client: LoginClient;

/** Starts a service that sends `mails` mails an hour for each client address, for the tests of a file. */
export function startMailing(mails: number): void {
  beforeAll(async () => {
    world = await openLoginWorld({ SVC_TRUST_PROXY: '127.0.0.1', SVC_MAILS_PER_HOUR: String(mails) });
    client = await world.newClient();
  });
  afterAll(() => world.stop());
}

/** Opens a browser with this client address. */
export async function browserAt(clientAddress: string) {
  const form = createFormClient(world.baseUrl);
  const from = { 'X-Forwarded-For': clientAddress };
  const page = await form.get(world.authorizeUrl(client), from);
  const csrf = fillIn(page.text, '/authorize/sign-in').held.csrf ?? '';
  const send = (path: string, fields: Readonly<Record<string, string>>) =>
    form.post(world.authorizeUrl(client, {}, path), { ...fields, csrf }, from);
  return {
    send,
    /** Signs up, and returns the secret in the next page. */
    async signUp(email: string): Promise<string> {
      const answer = await send('/authorize/sign-up', { email, password });
      expect(answer.status).toBe(303);
      const next = await form.get(answer.location ?? '', from);
      return fillIn(next.text, '/authorize/confirm').held.sign_up ?? '';
    },
  };
}

/** Causes the permitted number of mails from one client address, and one more. */
export async function causeMails(mails: number): Promise<void> {
  const school = await browserAt('198.51.100.78');
  for (let pupil = 0; pupil < mails; pupil++) await school.signUp(`pupil-${pupil}@mail.example`);
  const answer = await school.send('/authorize/sign-up', { email: `pupil-${mails}@mail.example`, password });
  expect([answer.status, Number(answer.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
  const home = await browserAt('198.51.100.79');
  await home.signUp(`pupil-${mails}@mail.example`);
}
