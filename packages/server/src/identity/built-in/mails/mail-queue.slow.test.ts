import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPasswordWorld, type PasswordWorld, password, requester } from '../passwords/passwords.fixture.ts';
import { createMailer } from './mail.ts';
import { startSmtpServer, type TestSmtpServer } from './smtp-server.fixture.ts';

const second = 1_000;
const minute = 60 * second;
const email = 'ada@example.com';
let smtp: TestSmtpServer;
let world: PasswordWorld;

beforeEach(async () => {
  smtp = await startSmtpServer();
  const mailer = createMailer({
    smtpUrl: smtp.url,
    from: 'Test <test@example.com>',
    outboxFolder: '/dev/null/outbox',
    onWritten: () => undefined,
    now: () => 0,
  });
  world = await openPasswordWorld({ mailer });
});
afterEach(async () => {
  await world.mailQueue.close();
  await world.dispose();
  await smtp.stop();
});

const form = { email, password, name: null, returnQuery: '' };

/** Signs up, and returns the secret after the mail was tried. */
async function signUp(at = requester(), address = email): Promise<string> {
  const begun = await world.passwords.signUp(at, { ...form, email: address });
  if (begun.kind !== 'code_sent') throw new Error(begun.kind);
  await world.passwords.settled();
  return begun.signUp;
}

const statusOf = (signUp: string) => world.passwords.mailStatus(signUp, false);

/** Moves the clock, and tries the mails that are due. */
async function lookAfter(milliseconds: number): Promise<void> {
  world.pass(milliseconds);
  await world.mailQueue.sendDue();
}

describe('a temporarily refused mail', () => {
  it.each(['later', 'later after the text'] as const)(
    'is retried within a minute (%s), and its code is valid',
    async (answer) => {
      smtp.answer = answer;
      const begun = await signUp();
      expect(await statusOf(begun)).toEqual({ kind: 'waiting', until: Date.UTC(2026, 0, 1) + 15 * minute });
      smtp.answer = 'take';
      await lookAfter(29 * second);
      expect(smtp.taken).toEqual([]);
      await lookAfter(second);
      expect(await statusOf(begun)).toEqual({ kind: 'sent' });
      const code = smtp.taken[0]?.secret ?? '';
      expect(smtp.taken).toHaveLength(1);
      expect(await world.passwords.confirm(requester(), { signUp: begun, code })).toMatchObject({ kind: 'signed_in' });
    },
  );

  it('is retried at growing intervals while its code is valid; then it has failed, and counts nowhere', async () => {
    smtp.answer = 'later';
    const begun = await signUp();
    const tried: number[] = [];
    for (let at = 0; at < 15 * 60; at += 10) {
      const before = smtp.tries;
      await lookAfter(10 * second);
      if (smtp.tries > before) tried.push(at + 10);
    }
    expect(tried).toEqual([30, 90, 210, 450, 840]);
    for (let i = 0; i < 3; i++) await signUp(); // one client address may send three an hour
    expect(await statusOf(begun)).toEqual({ kind: 'sent' }); // its code has expired: the page shows no failure
  });

  it('counts as failed as soon as no retry is left', async () => {
    smtp.answer = 'later';
    const begun = await signUp();
    for (const pause of [30, 60, 120, 240]) await lookAfter(pause * second);
    expect((await statusOf(begun)).kind).toBe('waiting');
    await lookAfter(390 * second);
    expect((await statusOf(begun)).kind).toBe('failed'); // a minute before its code expires
  });

  it('is removed when nobody needs it any more', async () => {
    smtp.answer = 'later';
    const begun = await signUp();
    smtp.answer = 'take';
    const other = await signUp(requester({ address: '198.51.100.1' }));
    const code = smtp.taken.at(-1)?.secret ?? '';
    expect(await world.passwords.confirm(requester(), { signUp: other, code })).toMatchObject({ kind: 'signed_in' });
    const before = smtp.taken.length;
    await lookAfter(minute);
    expect(smtp.taken).toHaveLength(before);
    expect(await statusOf(begun)).toEqual({ kind: 'sent' });
  });

  it('gives way to the next mail from the same client to the same address, not from others', async () => {
    smtp.answer = 'later';
    const begun: string[] = [];
    for (let i = 0; i < 6; i++) {
      begun.push(await signUp());
      world.pass(1);
    }
    const kinds = await Promise.all(begun.map(async (each) => (await statusOf(each)).kind));
    expect(kinds).toEqual([...Array(3).fill('failed'), ...Array(3).fill('waiting')]);
    const stranger = requester({ address: '203.0.113.9' });
    for (let i = 0; i < 4; i++) await signUp(stranger);
    expect((await statusOf(begun[3] as string)).kind).toBe('waiting');
    smtp.answer = 'take';
    await lookAfter(minute);
    expect(smtp.taken).toHaveLength(6);
    expect((await world.passwords.signUp(requester(), form)).kind).toBe('throttled'); // three mails of this client were sent
  });

  it('is replaced by the next one of its sign-up, and an unsent one is not counted', async () => {
    smtp.answer = 'later';
    const begun = await signUp();
    for (let i = 0; i < 5; i++) {
      expect((await world.passwords.resendCode(requester(), begun, '')).kind).toBe('code_sent');
      await world.passwords.settled();
    }
    smtp.answer = 'take';
    await lookAfter(minute);
    expect(smtp.taken).toHaveLength(1);
    const code = smtp.taken[0]?.secret ?? '';
    expect((await world.passwords.resendCode(requester(), begun, '')).kind).toBe('code_sent');
    expect((await world.passwords.resendCode(requester(), begun, '')).kind).toBe('code_sent');
    expect((await world.passwords.resendCode(requester(), begun, '')).kind).toBe('throttled'); // three mails were sent
    expect((await world.passwords.confirm(requester(), { signUp: begun, code })).kind).toBe('wrong_code');
  });

  it('brings a link as old as the mail, once for each requested reset', async () => {
    smtp.answer = 'take';
    const begun = await signUp();
    await world.passwords.confirm(requester(), { signUp: begun, code: smtp.taken[0]?.secret ?? '' });
    smtp.answer = 'later';
    await world.passwords.requestReset(requester(), { email, returnQuery: 'a=b' });
    await world.passwords.settled();
    for (const pause of [30, 60, 120]) await lookAfter(pause * second);
    smtp.answer = 'take';
    await lookAfter(5 * minute);
    expect(smtp.taken).toHaveLength(2);
    const token = smtp.taken[1]?.secret ?? '';
    world.pass(29 * minute);
    expect(await world.passwords.readReset(token)).toMatchObject({ kind: 'open', returnQuery: 'a=b' });
  });

  it('reveals no code to a reader of the database', async () => {
    smtp.answer = 'later';
    const begun = await signUp();
    const files = readdirSync(world.dataDir).filter((name) => name.startsWith('holdfast'));
    const stored = files.map((name) => readFileSync(join(world.dataDir, name)).toString('latin1')).join('\n');
    expect(stored).toContain(email);
    expect(stored).not.toContain('your code');
    expect(stored).not.toContain(begun);
    smtp.answer = 'take';
    await lookAfter(minute);
    expect(smtp.taken[0]?.secret).toMatch(/^\d{6}$/);
    expect(stored).not.toContain(`"${smtp.taken[0]?.secret}"`); // as JSON would write it
  });
});

describe('a permanently refused mail', () => {
  it('is tried once, reported as failed, and counts nowhere', async () => {
    smtp.answer = 'never';
    for (let i = 0; i < 5; i++) {
      const begun = await signUp();
      expect(await statusOf(begun)).toEqual({ kind: 'failed' });
    }
    expect(smtp.tries).toBe(5);
    await lookAfter(10 * minute);
    expect(smtp.tries).toBe(5);
    smtp.answer = 'take';
    for (let i = 0; i < 3; i++) await signUp();
    expect((await world.passwords.signUp(requester(), form)).kind).toBe('throttled');
  });
});

describe('an unreachable server', () => {
  it('is asked again, and gets all mails once it is back', async () => {
    const { url } = smtp;
    await smtp.stop();
    const begun = [];
    for (let i = 0; i < 6; i++) begun.push(await signUp(requester(), `${i}@example.com`));
    expect((await statusOf(begun[0] as string)).kind).toBe('waiting');
    await lookAfter(30 * second);
    smtp = await startSmtpServer(Number(new URL(url).port));
    await lookAfter(minute);
    await lookAfter(minute);
    expect(smtp.taken.map(({ to }) => to).sort()).toEqual(begun.map((_, i) => `${i}@example.com`));
  });

  it('that breaks off during a mail is asked again', async () => {
    smtp.answer = 'hang up';
    const begun = await signUp();
    expect((await statusOf(begun)).kind).toBe('waiting');
    smtp.answer = 'take';
    await lookAfter(minute);
    expect(await statusOf(begun)).toEqual({ kind: 'sent' });
  });
});

it('a deleted account gets no mail sent', async () => {
  smtp.answer = 'later';
  await signUp();
  await world.store.deleteAccount('acc_1');
  smtp.answer = 'take';
  await lookAfter(minute);
  expect(smtp.taken).toEqual([]);
});
