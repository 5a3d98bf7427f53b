import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  developers,
  openPasswordWorld,
  otherPlayers,
  type PasswordWorld,
  password,
  players,
  requester,
} from './passwords.fixture.ts';

const minute = 60_000;
const email = 'ada@example.com';
let world: PasswordWorld;
let passwords: PasswordWorld['passwords'];

beforeEach(async () => {
  world = await openPasswordWorld();
  passwords = world.passwords;
});
afterEach(async () => {
  expect(world.faults).toEqual([]);
  await world.dispose();
});

/** Begins a sign-up; returns its secret and the content of its mail. */
async function begin(at = requester(), address = email) {
  const outcome = await passwords.signUp(at, { email: address, password, name: ' Ada ', returnQuery: '' });
  if (outcome.kind !== 'code_sent') throw new Error(outcome.kind);
  const [mail] = await world.mails();
  return { signUp: outcome.signUp, mail, code: mail?.secret ?? '' };
}
/** A wrong code. */
const wrong = (code: string) => (code === '000000' ? '000001' : '000000');

describe('a sign-up', () => {
  it('mails a code, and creates the user when it is entered', async () => {
    const { signUp, mail, code } = await begin();
    expect(mail).toMatchObject({ to: email, subject: `${code} is your code for Hello`, secret: code });
    expect(await world.store.findUserByEmail('acc_1', email)).toBeUndefined();
    const person = { userId: expect.stringMatching(/^usr_[0-9A-Za-z]{22}$/), email, emailVerified: true, name: 'Ada' };
    expect(await passwords.confirm(requester(), { signUp, code: ` ${code.slice(0, 3)} ${code.slice(3)} ` })).toEqual({
      kind: 'signed_in',
      person,
      deviceToken: expect.any(String),
    });
    expect(await passwords.signIn(requester(), { email: ' ADA@example.com', password, returnQuery: '' })).toMatchObject({
      kind: 'signed_in',
      person,
    });
  });

  it('recognises a person by an address in every form that browsers give its domain', async () => {
    const { person } = await world.newUser('Ida@b\u00fccher.example');
    const ascii = 'ida@xn--bcher-kva.example';
    expect(await passwords.signIn(requester(), { email: ascii, password, returnQuery: '' })).toMatchObject({ person });
    await passwords.requestReset(requester(), { email: ascii, returnQuery: '' });
    const [reset] = await world.mails();
    expect(reset?.subject).not.toMatch(/code/);
    const again = await begin(requester({ address: '192.0.2.9' }), ascii);
    expect(again.mail?.text).toContain('/authorize/reset?token=');
  });

  it('recognises a person by every form that UTS 46 maps to one domain, and mails to the mapped form', async () => {
    const { person } = await world.newUser('Kurt@\uff4dail.example');
    expect(person.email).toBe('Kurt@mail.example');
    for (const typed of ['kurt@mail.example', 'kurt@MAIL\u3002example', 'kurt@\uff2dail.example']) {
      expect(await passwords.signIn(requester(), { email: typed, password, returnQuery: '' })).toMatchObject({ person });
    }
    await passwords.requestReset(requester(), { email: 'kurt@\uff4dail.example', returnQuery: '' });
    expect(await world.mails()).toMatchObject([{ to: 'Kurt@mail.example' }]);
  });

  it('refuses a new address that looks like another one, mails nothing, and counts no mail', async () => {
    const strange = 'gro\u00df@mail.example';
    const ask = () => passwords.signUp(requester(), { email: strange, password, name: null, returnQuery: '' });
    for (let i = 0; i < 100; i++) expect(await ask()).toEqual({ kind: 'invalid', faults: ['email_deceptive'] });
    expect(await ask()).toMatchObject({ kind: 'throttled' });
    expect(await world.mails()).toEqual([]);
    expect(world.computed.count).toBe(0);
  });

  it('recognises users of an older release with a lookalike address', async () => {
    const { person } = await world.newUser('old@mail.example');
    const stored = 'Gro\u00df@mail.example';
    const database = new DatabaseSync(join(world.dataDir, 'holdfast.sqlite'), { timeout: 30_000 });
    database
      .prepare('UPDATE users SET email = ?, email_key = ? WHERE user_id = ?')
      .run(JSON.stringify(stored), JSON.stringify(stored.toLowerCase()), person.userId);
    database.close();
    const typed = 'GRO\u00df@\uff4dail.example';
    const known = { userId: person.userId, email: stored };
    expect(await passwords.signIn(requester(), { email: typed, password, returnQuery: '' })).toMatchObject({
      person: known,
    });
    expect(await passwords.requestReset(requester(), { email: typed, returnQuery: '' })).toEqual({ kind: 'sent' });
    expect(await world.mails()).toMatchObject([{ to: stored, subject: 'Choose a new password for Hello' }]);
    const again = await begin(requester({ address: '192.0.2.9' }), typed);
    expect(again.mail).toMatchObject({ to: stored, subject: 'You already have an account with Hello' });
    expect(await passwords.resendCode(requester({ address: '192.0.2.9' }), again.signUp, '')).toMatchObject({
      kind: 'code_sent',
    });
    expect(await world.mails()).toMatchObject([{ to: stored, subject: 'You already have an account with Hello' }]);
    const other = { email: 'gross@mail.example', password, returnQuery: '' };
    expect(await passwords.signIn(requester(), other)).toEqual({ kind: 'rejected' });
  });

  it('finds two users of an older database with one address by the exact text only, and creates no third', async () => {
    for (const [userId, emailKey] of [
      ['usr_a', 'eda@xn--cck.jp'],
      ['usr_u', 'eda@\u30a2.jp'],
    ] as const) {
      const database = new DatabaseSync(join(world.dataDir, 'holdfast.sqlite'), { timeout: 30_000 });
      database
        .prepare(
          `INSERT INTO users (directory_id, user_id, created_at, email, email_key, name, password_hash)
           VALUES ('acc_1', ?, 1, ?, ?, NULL, NULL)`,
        )
        .run(userId, JSON.stringify(emailKey), JSON.stringify(emailKey));
      database.close();
      expect(await world.store.findUserByEmail('acc_1', emailKey)).toMatchObject({ userId });
    }
    expect(await world.store.findUserByEmail('acc_1', 'eda@\uff71.jp')).toBeUndefined();
    const third = await begin(requester({ address: '192.0.2.10' }), 'eda@\uff71.jp');
    expect(third.mail?.text).toContain('/authorize/reset?token=');
  });

  it('writes in German to readers of German', async () => {
    const { mail } = await begin(requester({ language: 'de', brandName: null }));
    expect(mail?.subject).toMatch(/^\d{6} ist Ihr Code$/);
  });

  it('reports every fault together, computes nothing and mails nothing', async () => {
    const outcome = await passwords.signUp(requester(), {
      email: 'ada',
      password: 'short',
      name: 'x'.repeat(201),
      returnQuery: '',
    });
    expect(outcome).toEqual({ kind: 'invalid', faults: ['email_malformed', 'password_short', 'name_long'] });
    const common = await passwords.signUp(requester(), { email, password: 'Password1', name: '', returnQuery: '' });
    expect(common).toEqual({ kind: 'invalid', faults: ['password_common'] });
    expect(world.computed.count).toBe(0);
    expect(await world.mails()).toEqual([]);
  });

  it('allows five wrong codes, then none, and a new code allows them again', async () => {
    const { signUp, code } = await begin();
    for (let attemptsLeft = 4; attemptsLeft >= 0; attemptsLeft--) {
      const outcome = await passwords.confirm(requester(), { signUp, code: wrong(code) });
      expect(outcome).toEqual({ kind: 'wrong_code', attemptsLeft });
    }
    expect(await passwords.confirm(requester(), { signUp, code })).toEqual({ kind: 'expired' });
    expect(await passwords.resendCode(requester(), signUp, 'c=d')).toEqual({ kind: 'code_sent', signUp });
    const [mail] = await world.mails();
    expect(await passwords.confirm(requester(), { signUp, code: mail?.secret ?? '' })).toMatchObject({ kind: 'signed_in' });
  });

  it('expires after 15 minutes, even for a new code', async () => {
    const { signUp, code } = await begin();
    world.pass(15 * minute);
    expect(await passwords.confirm(requester(), { signUp, code })).toEqual({ kind: 'expired' });
    expect(await passwords.resendCode(requester(), signUp, 'c=d')).toEqual({ kind: 'expired' });
  });

  it('is valid only in its own directory', async () => {
    const { signUp, code } = await begin();
    for (const directory of [otherPlayers, developers]) {
      expect(await passwords.confirm(requester({ directory }), { signUp, code })).toEqual({ kind: 'expired' });
      expect(await passwords.resendCode(requester({ directory }), signUp, 'c=d')).toEqual({ kind: 'expired' });
    }
    expect(await passwords.confirm(requester(), { signUp, code })).toMatchObject({ kind: 'signed_in' });
  });

  it('is not found by another secret', async () => {
    for (const signUp of ['', 'x', '../../..', 'a'.repeat(43), 'a'.repeat(9_999)]) {
      expect(await passwords.confirm(requester(), { signUp, code: '123456' })).toEqual({ kind: 'expired' });
      expect(await passwords.resendCode(requester(), signUp, 'c=d')).toEqual({ kind: 'expired' });
    }
  });
});

describe('an address with an account', () => {
  it('is reported only by mail: page, attempts and codes are those of any other', async () => {
    await world.newUser(email);
    const { signUp, mail } = await begin();
    expect(mail).toMatchObject({ to: email, subject: 'You already have an account with Hello' });
    expect(await passwords.resendCode(requester(), signUp, 'c=d')).toEqual({ kind: 'code_sent', signUp });
    const again = await world.mails();
    expect(again).toMatchObject([{ subject: 'You already have an account with Hello' }]);
    expect(await passwords.readReset(again[0]?.secret ?? '')).toMatchObject({ kind: 'open', returnQuery: 'c=d' });
    for (let attemptsLeft = 4; attemptsLeft >= 0; attemptsLeft--) {
      const outcome = await passwords.confirm(requester(), { signUp, code: '123456' });
      expect(outcome).toEqual({ kind: 'wrong_code', attemptsLeft });
    }
    expect(await passwords.confirm(requester(), { signUp, code: '123456' })).toEqual({ kind: 'expired' });
  });

  it('gets a link that resets the password', async () => {
    await world.newUser(email);
    const outcome = await passwords.signUp(requester(), { email, password, name: null, returnQuery: 'a=b' });
    expect(outcome.kind).toBe('code_sent');
    const token = (await world.mails())[0]?.secret ?? '';
    expect(await passwords.readReset(token)).toEqual({
      kind: 'open',
      directory: expect.anything(),
      email,
      returnQuery: 'a=b',
    });
  });

  it('is free in every other directory', async () => {
    const people = [
      await world.newUser(email),
      await world.newUser(email, otherPlayers),
      await world.newUser(email, developers),
    ];
    expect(new Set(people.map(({ person }) => person.userId)).size).toBe(3);
  });
});

describe('a sign-in', () => {
  it('refuses a wrong password, an unknown address, another directory and a malformed address alike', async () => {
    await world.newUser(email);
    const attempts = [
      passwords.signIn(requester(), { email, password: `${password} `, returnQuery: '' }),
      passwords.signIn(requester(), { email: 'bob@example.com', password, returnQuery: '' }),
      passwords.signIn(requester({ directory: otherPlayers }), { email, password, returnQuery: '' }),
      passwords.signIn(requester({ directory: developers }), { email, password, returnQuery: '' }),
      passwords.signIn(requester(), { email: 'ada', password, returnQuery: '' }),
      passwords.signIn(requester(), { email, password: 'x'.repeat(60_000), returnQuery: '' }),
    ];
    for (const outcome of await Promise.all(attempts)) expect(outcome).toEqual({ kind: 'rejected' });
  });

  it('computes one hash whatever the outcome, and none if throttled', async () => {
    await world.newUser(email);
    await begin(requester(), 'pending@example.com');
    const attempts: readonly (readonly [string, string])[] = [
      [email, password],
      [email, 'wrong'],
      ['unknown@example.com', password],
      ['malformed', password],
      ['pending@example.com', password],
      ['pending@example.com', 'wrong'],
    ];
    for (const [address, attempt] of attempts) {
      world.computed.count = 0;
      await passwords.signIn(requester(), { email: address, password: attempt, returnQuery: '' });
      expect(world.computed.count, `${address} ${attempt}`).toBe(1);
    }
    for (const address of [email, 'new@example.com']) {
      world.computed.count = 0;
      await passwords.signUp(requester({ address: '192.0.2.9' }), {
        email: address,
        password,
        name: null,
        returnQuery: '',
      });
      expect(world.computed.count, address).toBe(1);
    }
    while ((await passwords.signIn(requester(), { email, password: 'wrong', returnQuery: '' })).kind !== 'throttled');
    world.computed.count = 0;
    expect(await passwords.signIn(requester(), { email, password, returnQuery: '' })).toMatchObject({ kind: 'throttled' });
    expect(world.computed.count).toBe(0);
  });

  it('with the right password of a sign-up mails another code; with another password it is refused', async () => {
    const first = await begin();
    expect(await passwords.signIn(requester(), { email, password: 'wrong', returnQuery: '' })).toEqual({
      kind: 'rejected',
    });
    const outcome = await passwords.signIn(requester(), { email, password, returnQuery: '' });
    if (outcome.kind !== 'unconfirmed') throw new Error(outcome.kind);
    const [mail] = await world.mails();
    expect(mail?.to).toBe(email);
    expect(outcome.signUp).not.toBe(first.signUp);
    const confirmed = await passwords.confirm(requester(), { signUp: outcome.signUp, code: mail?.secret ?? '' });
    expect(confirmed).toMatchObject({ kind: 'signed_in', person: { email, name: 'Ada' } });
    expect(await passwords.confirm(requester(), first)).toEqual({ kind: 'expired' });
  });

  it('answers busy if too much is being computed, which is not counted as a failure', async () => {
    await world.newUser(email);
    const { promise, resolve } = Promise.withResolvers<void>();
    world.computed.delay = promise;
    const many = Array.from({ length: 34 }, (_, i) =>
      passwords.signIn(requester({ address: `192.0.2.${i}` }), { email: `${i}@example.com`, password, returnQuery: '' }),
    );
    await new Promise(setImmediate);
    const late = requester({ address: '192.0.2.99' });
    for (let i = 0; i < 20; i++)
      expect(await passwords.signIn(late, { email, password, returnQuery: '' })).toEqual({ kind: 'busy' });
    for (let i = 0; i < 7; i++) {
      expect(await passwords.signUp(late, { email: 'new@example.com', password, name: null, returnQuery: '' })).toEqual({
        kind: 'busy',
      });
    }
    resolve();
    await Promise.all(many);
    expect(await passwords.signIn(late, { email, password, returnQuery: '' })).toMatchObject({ kind: 'signed_in' });
  });

  it('hashes the password again if its hash has an older cost', async () => {
    const { person } = await world.newUser(email);
    const user = await world.store.findUser('acc_1', person.userId);
    const current = user?.passwordHash ?? '';
    await world.store.replacePasswordHash(
      { accountId: 'acc_1', userId: person.userId },
      current,
      current.replace('t=2', 't=1'),
    );
    expect(await passwords.signIn(requester(), { email, password, returnQuery: '' })).toMatchObject({ kind: 'signed_in' });
    await passwords.settled();
    expect((await world.store.findUser('acc_1', person.userId))?.passwordHash).toMatch(/,t=2,/);
    expect(await passwords.signIn(requester(), { email, password, returnQuery: '' })).toMatchObject({ kind: 'signed_in' });
  });
});

describe('a reset', () => {
  const ask = (returnQuery = 'client_id=acc_1.p&state=a%26b', at = requester()) =>
    passwords.requestReset(at, { email, returnQuery });

  it('ends a sign-in whose old password is being compared', async () => {
    await world.newUser(email);
    await ask();
    const [mail] = await world.mails();
    const held = Promise.withResolvers<void>();
    const before = world.computed.count;
    world.computed.delay = held.promise;
    const signingIn = passwords.signIn(requester(), { email, password, returnQuery: '' });
    await expect.poll(() => world.computed.count).toBe(before + 1);
    world.computed.delay = undefined;
    const token = mail?.secret ?? '';
    expect(await passwords.resetPassword(requester(), { token, password: 'another horse' })).toMatchObject({
      kind: 'changed',
    });
    held.resolve();
    expect(await signingIn).toEqual({ kind: 'rejected' });
  });

  it('mails a link, which sets the password once', async () => {
    const { person } = await world.newUser(email);
    expect(await ask()).toEqual({ kind: 'sent' });
    const [mail] = await world.mails();
    expect(await ask('other')).toEqual({ kind: 'sent' });
    const [second] = await world.mails();
    expect(mail).toMatchObject({ to: email, subject: 'Choose a new password for Hello' });
    expect(mail?.text).toContain(`\nhttps://login.example/authorize/reset?token=${mail?.secret}\n`);
    const token = mail?.secret ?? '';
    const directory = players;
    const open = { kind: 'open', directory, email, returnQuery: 'client_id=acc_1.p&state=a%26b' };
    expect(await passwords.readReset(token)).toEqual(open);
    expect(await passwords.resetPassword(requester(), { token, password: 'short' })).toEqual({
      kind: 'invalid',
      faults: ['password_short'],
    });
    expect(await passwords.resetPassword(requester(), { token, password: email })).toEqual({
      kind: 'invalid',
      faults: ['password_common'],
    });
    const changed = await passwords.resetPassword(requester(), { token, password: 'another horse' });
    expect(changed).toEqual({
      kind: 'changed',
      returnQuery: open.returnQuery,
      deviceToken: expect.any(String),
      isProtected: false,
    });
    for (const used of [token, second?.secret ?? '']) {
      expect(await passwords.readReset(used)).toEqual({ kind: 'expired' });
      expect(await passwords.resetPassword(requester(), { token: used, password: 'a third horse' })).toEqual({
        kind: 'expired',
      });
    }
    expect(await passwords.signIn(requester(), { email, password, returnQuery: '' })).toEqual({ kind: 'rejected' });
    expect(await passwords.signIn(requester(), { email, password: 'another horse', returnQuery: '' })).toMatchObject({
      kind: 'signed_in',
      person,
    });
  });

  it('expires after 30 minutes', async () => {
    await world.newUser(email);
    await ask();
    const token = (await world.mails())[0]?.secret ?? '';
    world.pass(30 * minute - 1);
    expect(await passwords.readReset(token)).toMatchObject({ kind: 'open' });
    world.pass(1);
    expect(await passwords.readReset(token)).toEqual({ kind: 'expired' });
    expect(await passwords.resetPassword(requester(), { token, password: 'another horse' })).toEqual({ kind: 'expired' });
  });

  it('of an unknown address, a malformed one, or one of another directory answers the same, and mails nothing', async () => {
    await world.newUser(email, otherPlayers);
    expect(await ask()).toEqual({ kind: 'sent' });
    expect(await passwords.requestReset(requester(), { email: 'ada', returnQuery: '' })).toEqual({ kind: 'sent' });
    expect(await world.mails()).toEqual([]);
    expect(world.computed.count).toBe(1);
  });

  it('of a developer works only for developers', async () => {
    await world.newUser(email, developers);
    await ask('x', requester({ directory: developers, brandName: null }));
    const [mail] = await world.mails();
    expect(mail?.subject).toBe('Choose a new password');
    expect(await passwords.readReset(mail?.secret ?? '')).toMatchObject({ directory: { kind: 'developers' } });
  });

  it('is not found by another token', async () => {
    for (const token of ['', 'x', 'a'.repeat(43)]) {
      expect(await passwords.readReset(token)).toEqual({ kind: 'expired' });
      expect(await passwords.resetPassword(requester(), { token, password: 'another horse' })).toEqual({ kind: 'expired' });
    }
  });
});
