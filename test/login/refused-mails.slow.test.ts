/** Mails refused by a mail server: the messages on the pages, and the later delivery, on each engine. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type SmtpAnswer,
  startSmtpServer,
  type TestSmtpServer,
} from '../../packages/server/src/identity/built-in/mails/smtp-server.fixture.ts';
import { createFormClient, type FormClient, type PageAnswer } from '../../tooling/forms.ts';
import { openPlace, type Place } from '../support/place.ts';
import { type LoginWorld, openLoginWorld } from './world.ts';

const password = 'correct horse battery';
let smtp: TestSmtpServer;
let place: Place;
let world: LoginWorld;

beforeAll(async () => {
  smtp = await startSmtpServer();
  place = await openPlace();
  await start();
});
afterAll(async () => {
  await world.stop();
  await smtp.stop();
  await place.remove();
});
afterEach(() => {
  smtp.answer = 'take';
});

async function start(): Promise<void> {
  world = await openLoginWorld({ SVC_SMTP_URL: smtp.url, SVC_METRICS_PORT: '0', SVC_TRUST_PROXY: '127.0.0.1' }, place);
}

const wordsOf = ({ text }: PageAnswer) => text.slice(text.indexOf('<h1')).replace(/<[^>]*>/g, ' ');
const leadOf = ({ text }: PageAnswer) =>
  (/<p class="lead">(.*?)<\/p>/s.exec(text)?.[1] ?? '').replace(/<[^>]*>/g, '').replaceAll('&#39;', "'");
const mailsTo = (address: string) => smtp.taken.filter(({ to }) => to === address);

/** Signs up while the mail server gives this answer, and returns the page for the code. */
async function signUp(form: FormClient, email: string, answer: SmtpAnswer): Promise<PageAnswer> {
  smtp.answer = answer;
  const page = await form.get(world.authorizeUrl(undefined, {}, '/authorize/sign-up'));
  const posted = await form.send(page, '/authorize/sign-up', { email, password });
  expect(posted.status).toBe(303);
  return form.get(posted.location ?? '');
}

/** The number of unsent mails in the store. */
async function waitingMails(): Promise<number> {
  return (await world.server.running.store.listDueMails(0, 1)).waiting;
}

it('an invitation with a refused mail does not count as mailed', async () => {
  smtp.answer = 'never';
  const { accountId, bearer } = await world.server.newDeveloper();
  const statuses: number[] = [];
  const { tries } = smtp;
  const waiting = await waitingMails();
  for (let i = 0; i < 22; i++) {
    const answer = await world.server.call('POST', `/v1/${accountId}/invitations`, {
      headers: bearer,
      body: { role: 'viewer', email: `${i}@mail.example` },
    });
    statuses.push(answer.status);
    await expect.poll(() => smtp.tries, { interval: 5 }).toBe(tries + i + 1);
    await expect.poll(waitingMails, { interval: 5 }).toBe(waiting);
  }
  expect(statuses).toEqual(Array(22).fill(201));
});

describe('the page for the code', () => {
  it('says that the mail was sent', async () => {
    const page = await signUp(createFormClient(world.baseUrl), 'sent@mail.example', 'take');
    expect(leadOf(page)).toContain('We sent a message to sent@mail.example.');
    expect(mailsTo('sent@mail.example')).toHaveLength(1);
  });

  it('says how long a mail is retried, and later that it was sent, even after a restart', async () => {
    const form = createFormClient(world.baseUrl);
    const email = 'later@mail.example';
    const page = await signUp(form, email, 'later');
    expect(page.status).toBe(200);
    expect(leadOf(page)).toMatch(/^The message has not been sent yet.* We will keep trying until .*UTC\. /);
    expect(leadOf(page)).not.toContain('We sent');
    const wrong = await form.send(page, '/authorize/confirm', { code: '12' });
    expect(leadOf(wrong)).toContain('The message has not been sent yet');
    expect(mailsTo(email)).toEqual([]);

    await world.stop();
    smtp.answer = 'take';
    await start();
    world.pass(31_000); // possibly before its first look; otherwise the next look is half a minute later
    await expect.poll(() => mailsTo(email).length).toBe(1);
    const again = createFormClient(world.baseUrl);
    const signedUp = await signUp(again, email, 'take');
    expect(leadOf(signedUp)).toContain(`We sent a message to ${email}.`);
  });

  it('says that the mail could not be delivered, and allows any number of attempts', async () => {
    const email = 'never@mail.example';
    for (let i = 0; i < 4; i++) {
      const page = await signUp(createFormClient(world.baseUrl), email, 'never');
      expect(leadOf(page)).toContain('could not be delivered');
    }
    const form = createFormClient(world.baseUrl);
    const page = await signUp(form, email, 'take');
    const done = await form.send(page, '/authorize/confirm', { code: mailsTo(email)[0]?.secret ?? '' });
    expect(done.status).toBe(200);
  });

  it('never reveals by a refusal if the address has an account', async () => {
    const leads: string[] = [];
    for (const email of ['sent@mail.example', 'nobody@mail.example']) {
      for (const answer of ['later', 'never'] as const) {
        const page = await signUp(createFormClient(world.baseUrl), email, answer);
        leads.push(leadOf(page).replace(/until .*UTC/, 'until then'));
      }
    }
    expect(leads.slice(0, 2)).toEqual(leads.slice(2));
  });
});

it('the page after a reset is the same whether the mail is sent or not', async () => {
  const leads: string[] = [];
  for (const [email, answer] of [
    ['never@mail.example', 'take'],
    ['never@mail.example', 'never'],
    ['unknown@mail.example', 'take'],
  ] as const) {
    smtp.answer = answer;
    const form = createFormClient(world.baseUrl);
    const page = await form.get(world.authorizeUrl(undefined, {}, '/authorize/forgot'));
    const sent = await form.send(page, '/authorize/forgot', { email });
    leads.push(`${sent.status} ${wordsOf(sent).replaceAll(email, 'X')}`);
  }
  expect(leads[0]).toContain('If there is an account with X');
  expect(new Set(leads).size).toBe(1);
});

it('metrics count attempts and waiting mails', async () => {
  const text = await (await fetch(world.server.running.metricsUrl ?? '')).text();
  expect(text).toMatch(/holdfast_mails_total\{outcome="sent"\} [1-9]/);
  expect(text).toMatch(/holdfast_mails_total\{outcome="failed"\} [1-9]/);
  expect(text).toContain('holdfast_mails_waiting');
});
