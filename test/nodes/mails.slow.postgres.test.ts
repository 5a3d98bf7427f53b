/** Mails of several nodes on one database: another node retries a failed mail, and does not count one that was never sent. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import {
  startSmtpServer,
  type TestSmtpServer,
} from '../../packages/server/src/identity/built-in/mails/smtp-server.fixture.ts';
import { createFormClient } from '../../tooling/forms.ts';
import { type LoginWorld, openLoginWorld } from '../login/world.ts';
import { startServer, type TestServer } from '../support/server.ts';

const password = 'correct horse battery';
let smtp: TestSmtpServer;
let world: LoginWorld;
const others: TestServer[] = [];
beforeAll(async () => {
  smtp = await startSmtpServer();
  world = await openLoginWorld({ SVC_SMTP_URL: smtp.url });
});
afterAll(async () => {
  for (const other of others) await other.stop();
  await world.stop();
  await smtp.stop();
});

/** Starts another node with its clock ahead, and returns its address. */
async function startNode(ahead = 0): Promise<string> {
  const port = await freePort();
  const settings = {
    SVC_PORT: String(port),
    SVC_BASE_URL: world.baseUrl,
    SVC_DEVELOPER_REDIRECT_URIS: world.appUri,
    SVC_AUTH_RATE_LIMIT_PER_MINUTE: '0',
    SVC_SMTP_URL: smtp.url,
  };
  others.push(await startServer({ place: world.server.place, settings, now: () => Date.now() + ahead }));
  return `http://127.0.0.1:${port}`;
}

async function signUpAt(node: string, email: string) {
  const form = createFormClient(world.baseUrl, node);
  const page = await form.get(world.authorizeUrl(undefined, {}, '/authorize/sign-up'));
  return { form, posted: await form.send(page, '/authorize/sign-up', { email, password }) };
}

test('a mail that one node could not send is sent once by one of the later nodes', async () => {
  smtp.answer = 'later';
  const email = 'ada@mail.example';
  const { form, posted } = await signUpAt(world.baseUrl, email);
  await expect.poll(() => smtp.tries).toBe(1);
  const page = await form.get(posted.location ?? '');
  expect(page.text).toContain('The message has not been sent yet');
  smtp.answer = 'take';
  await Promise.all([startNode(31_000), startNode(31_000)]);
  await expect.poll(() => smtp.taken.length).toBe(1);
  // The mail server has it before the node has recorded that.
  await expect.poll(async () => (await form.get(posted.location ?? '')).text).toContain(`We sent a message to ${email}`);
  expect(smtp.taken).toHaveLength(1);
});

test('a mail that one node counted but never sent does not count on another', async () => {
  const second = await startNode();
  smtp.answer = 'never';
  const email = 'grace@mail.example';
  for (let i = 0; i < 3; i++) {
    const { form, posted } = await signUpAt(world.baseUrl, email);
    expect((await form.get(posted.location ?? '')).text).toContain('could not be delivered');
  }
  smtp.answer = 'take';
  const statuses: number[] = [];
  for (let i = 0; i < 4; i++) statuses.push((await signUpAt(second, email)).posted.status);
  expect(statuses).toEqual([303, 303, 303, 429]);
});
