import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Requester } from '../directory.ts';
import { openPasswordWorld, otherPlayers, type PasswordWorld, password, requester } from './passwords.fixture.ts';

const minute = 60_000;
const email = 'ada@example.com';
let world: PasswordWorld;
let passwords: PasswordWorld['passwords'];

beforeEach(async () => {
  world = await openPasswordWorld();
  passwords = world.passwords;
});
afterEach(() => world.dispose());

/** Guesses 100 times a second for this time; returns how many guesses were compared with the password. */
async function guess(seconds: number, addressOf: (guess: number) => string): Promise<number> {
  let compared = 0;
  for (let i = 0; i < seconds * 100; i++) {
    const outcome = await passwords.signIn(requester({ address: addressOf(i) }), {
      email,
      password: `guess ${i}`,
      returnQuery: '',
    });
    if (outcome.kind === 'rejected') compared += 1;
    else expect(outcome).toEqual({ kind: 'throttled', retryAfterSeconds: expect.any(Number) });
    world.pass(10);
  }
  return compared;
}

describe('guessing 100 times a second', () => {
  it('from one address gets 10 guesses in 15 minutes; the owner signs in from any other', async () => {
    await world.newUser(email);
    world.computed.count = 0;
    expect(await guess(60, () => '203.0.113.1')).toBe(10);
    expect(world.computed.count).toBe(10);
    expect(await passwords.signIn(requester(), { email, password, returnQuery: '' })).toMatchObject({ kind: 'signed_in' });
    world.pass(14 * minute);
    expect(await guess(5, () => '203.0.113.1')).toBe(10);
  });

  it('from many addresses gets 100 guesses an hour; the owner signs in from a known device', async () => {
    const { deviceToken } = await world.newUser(email);
    expect(await guess(60, (i) => `203.0.113.${i % 200}`)).toBe(100);
    const known = requester({ address: '203.0.113.7', deviceToken });
    for (let i = 0; i < 20; i++) {
      expect(await passwords.signIn(known, { email, password, returnQuery: '' })).toMatchObject({ kind: 'signed_in' });
    }
    const unknown = await passwords.signIn(requester({ address: '198.51.100.1' }), { email, password, returnQuery: '' });
    expect(unknown).toMatchObject({ kind: 'throttled' });
    world.pass(60 * minute);
    expect(
      await passwords.signIn(requester({ address: '198.51.100.1' }), { email, password, returnQuery: '' }),
    ).toMatchObject({
      kind: 'signed_in',
    });
  });

  it('leaves the owner a reset by mail, even from a new place', async () => {
    await world.newUser(email);
    await guess(2, (i) => `203.0.113.${i}`);
    const at = requester({ address: '198.51.100.1' });
    expect(await passwords.signIn(at, { email, password, returnQuery: '' })).toMatchObject({ kind: 'throttled' });
    expect(await passwords.requestReset(at, { email, returnQuery: '' })).toEqual({ kind: 'sent' });
    const token = (await world.mails())[0]?.secret ?? '';
    const changed = await passwords.resetPassword(at, { token, password: 'another horse' });
    if (changed.kind !== 'changed') throw new Error(changed.kind);
    const known = { ...at, deviceToken: changed.deviceToken };
    expect(await passwords.signIn(known, { email, password: 'another horse', returnQuery: '' })).toMatchObject({
      kind: 'signed_in',
    });
  });

  it('in parallel gets no more', async () => {
    await world.newUser(email);
    const guesses = Array.from({ length: 100 }, () =>
      passwords.signIn(requester(), { email, password: 'wrong', returnQuery: '' }),
    );
    const kinds = (await Promise.all(guesses)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind !== 'throttled').length).toBeLessThanOrEqual(10);
  });

  it('for many users from one address gets 100 guesses in 15 minutes', async () => {
    let compared = 0;
    for (let i = 0; i < 200; i++) {
      const outcome = await passwords.signIn(requester(), { email: `${i}@example.com`, password, returnQuery: '' });
      if (outcome.kind === 'rejected') compared += 1;
    }
    expect(compared).toBe(100);
  });

  it('from a device of the user gets 10 in 15 minutes, and no more from another address', async () => {
    const { deviceToken } = await world.newUser(email);
    for (let i = 0; i < 10; i++) {
      const at = requester({ address: `203.0.113.${i}`, deviceToken });
      expect(await passwords.signIn(at, { email, password: 'wrong', returnQuery: '' })).toEqual({ kind: 'rejected' });
    }
    const at = requester({ address: '203.0.113.99', deviceToken });
    expect(await passwords.signIn(at, { email, password, returnQuery: '' })).toEqual({
      kind: 'throttled',
      retryAfterSeconds: 900,
    });
    expect(await passwords.signIn(requester(), { email, password, returnQuery: '' })).toMatchObject({ kind: 'signed_in' });
  });

  it('from a device used before a reset, or more than a year ago, counts as from any other', async () => {
    const { deviceToken } = await world.newUser(email);
    const stranger = requester({ address: '198.51.100.1' });
    await passwords.requestReset(stranger, { email, returnQuery: '' });
    const token = (await world.mails()).at(-1)?.secret ?? '';
    world.pass(1);
    const changed = await passwords.resetPassword(stranger, { token, password: 'another horse' });
    if (changed.kind !== 'changed') throw new Error(changed.kind);
    expect(await guess(60, (i) => `203.0.113.${i % 200}`)).toBe(100);
    const from = (known: string | undefined) =>
      passwords.signIn(requester({ deviceToken: known }), { email, password: 'another horse', returnQuery: '' });
    expect(await from(deviceToken)).toMatchObject({ kind: 'throttled' });
    expect(await from(changed.deviceToken)).toMatchObject({ kind: 'signed_in' });
    world.pass(366 * 24 * 60 * minute);
    expect(await guess(60, (i) => `203.0.113.${i % 200}`)).toBe(100);
    expect(await from(changed.deviceToken)).toMatchObject({ kind: 'throttled' });
  });
});

describe('guessing codes', () => {
  const start = async (at: Requester, email: string) => {
    const begun = await passwords.signUp(at, { email, password, name: null, returnQuery: '' });
    if (begun.kind !== 'code_sent') throw new Error(begun.kind);
    return begun.signUp;
  };
  const startWithCode = async (at: Requester, email: string) => {
    await world.mails();
    const signUp = await start(at, email);
    return { signUp, code: (await world.mails())[0]?.secret ?? '' };
  };
  const guessAt = async (at: Requester, signUp: string, count: number) => {
    const kinds: string[] = [];
    for (let i = 0; i < count; i++) kinds.push((await passwords.confirm(at, { signUp, code: '000000' })).kind);
    return kinds;
  };
  const stranger = (i: number) => requester({ address: `203.0.113.${i}` });
  const owner = requester({ address: '198.51.100.1' });

  it('leaves the owner a valid code, whatever strangers elsewhere have tried for the address', async () => {
    const before = await startWithCode(owner, email);
    for (let i = 0; i < 10; i++) {
      const kinds = await guessAt(stranger(i), await start(stranger(i), email), 6);
      expect(kinds).toEqual([...Array(5).fill('wrong_code'), 'expired']);
    }
    expect(await passwords.confirm(owner, before)).toMatchObject({ kind: 'signed_in' });
    for (let i = 0; i < 10; i++) await guessAt(stranger(i), await start(stranger(i), 'bob@example.com'), 5);
    expect(await passwords.confirm(owner, await startWithCode(owner, 'bob@example.com'))).toMatchObject({
      kind: 'signed_in',
    });
  });

  it('leaves a code valid even at the client address of those who guess', async () => {
    for (let i = 0; i < 21; i++) await guessAt(owner, await start(owner, `${i}@example.com`), 5);
    const signIn = await passwords.signIn(owner, { email, password, returnQuery: '' });
    expect(signIn.kind).toBe('throttled'); // wrong codes count for the client that tries them
    expect(await passwords.confirm(owner, await startWithCode(owner, email))).toMatchObject({ kind: 'signed_in' });
  });

  it('invalidates a code after five wrong ones; the next mail brings a new one', async () => {
    const signUp = await start(owner, email);
    expect(await guessAt(owner, signUp, 6)).toEqual([...Array(5).fill('wrong_code'), 'expired']);
    await world.mails();
    expect(await passwords.resendCode(owner, signUp, '')).toMatchObject({ kind: 'code_sent' });
    const code = (await world.mails())[0]?.secret ?? '';
    expect(await passwords.confirm(owner, { signUp, code })).toMatchObject({ kind: 'signed_in' });
  });

  it('faces 20 six-digit codes for an address in a week, over all clients; further ones have nine', async () => {
    const lengths: number[] = [];
    for (let i = 0; i < 23; i++) {
      if (i === 20) world.pass(60 * minute);
      const { code } = await startWithCode(stranger(i), email);
      lengths.push(code.replaceAll(' ', '').length);
    }
    expect(lengths).toEqual([...Array(20).fill(6), 9, 9, 9]);
    const elsewhere = await startWithCode({ ...owner, directory: otherPlayers }, email);
    expect(elsewhere.code).toMatch(/^\d{6}$/);
    const long = await startWithCode(owner, email);
    expect(long.code).toMatch(/^\d{3} \d{3} \d{3}$/);
    expect((await passwords.confirm(owner, { ...long, code: long.code.slice(0, 7) })).kind).toBe('wrong_code');
    expect(await passwords.confirm(owner, { ...long, code: long.code.replaceAll(' ', '') })).toMatchObject({
      kind: 'signed_in',
    });
    world.pass(7 * 24 * 60 * minute);
    expect((await startWithCode(owner, 'bob@example.com')).code).toMatch(/^\d{6}$/);
  });
});

describe('mails', () => {
  it('to one address are limited to 20 an hour with a code and ten in half an hour with a link, known or not', async () => {
    await world.newUser(email);
    world.pass(60 * minute);
    for (const address of [email, 'unknown@example.com']) {
      const signUps: string[] = [];
      const resets: string[] = [];
      for (let i = 0; i < 21; i++) {
        const at = requester({ address: `203.0.113.${i}` });
        signUps.push((await passwords.signUp(at, { email: address, password, name: null, returnQuery: '' })).kind);
        resets.push((await passwords.requestReset(at, { email: address, returnQuery: '' })).kind);
      }
      expect(signUps).toEqual([...Array(20).fill('code_sent'), 'throttled']);
      expect(resets).toEqual([...Array(10).fill('sent'), ...Array(11).fill('throttled')]);
    }
    expect((await passwords.requestReset(requester({ directory: otherPlayers }), { email, returnQuery: '' })).kind).toBe(
      'sent',
    );
    expect(await world.mails()).toHaveLength(50);
  });

  it('to one address are limited to three from one client address, which leaves the others to its owner', async () => {
    await world.newUser(email);
    world.pass(60 * minute);
    const attacker = requester({ address: '203.0.113.1' });
    for (const address of [email, 'unknown@example.com']) {
      const form = { email: address, password, name: null, returnQuery: '' };
      const codes: string[] = [];
      const links: string[] = [];
      for (let i = 0; i < 5; i++) {
        codes.push((await passwords.signUp(attacker, form)).kind);
        links.push((await passwords.requestReset(attacker, form)).kind);
      }
      expect(codes).toEqual([...Array(3).fill('code_sent'), 'throttled', 'throttled']);
      expect(links).toEqual([...Array(3).fill('sent'), 'throttled', 'throttled']);
      const owner = requester({ address: '198.51.100.1' });
      expect((await passwords.signUp(owner, form)).kind).toBe('code_sent');
      expect((await passwords.requestReset(owner, form)).kind).toBe('sent');
    }
    world.pass(60 * minute);
    expect((await passwords.requestReset(attacker, { email, returnQuery: '' })).kind).toBe('sent');
    await passwords.settled();
  });

  it('of one sign-up are limited to three, however its code is requested again', async () => {
    const begun = await passwords.signUp(requester(), { email, password, name: null, returnQuery: '' });
    if (begun.kind !== 'code_sent') throw new Error(begun.kind);
    expect((await passwords.resendCode(requester(), begun.signUp, '')).kind).toBe('code_sent');
    expect((await passwords.signIn(requester(), { email, password, returnQuery: '' })).kind).toBe('unconfirmed');
    expect((await passwords.resendCode(requester(), begun.signUp, '')).kind).toBe('throttled');
    expect(await world.mails()).toHaveLength(3);
  });

  it('keep nobody out: at the limit of links, one that still works was sent', async () => {
    await world.newUser(email);
    await world.mails();
    const ask = () => passwords.requestReset(requester(), { email, returnQuery: '' });
    expect(await ask()).toEqual({ kind: 'sent' });
    const [oldest] = await world.mails();
    for (let i = 0; i < 2; i++) expect(await ask()).toEqual({ kind: 'sent' });
    world.pass(30 * minute - 1);
    expect(await ask()).toEqual({ kind: 'throttled', retryAfterSeconds: 1 });
    expect(await passwords.readReset(oldest?.secret ?? '')).toMatchObject({ kind: 'open' });
    world.pass(1);
    expect(await ask()).toEqual({ kind: 'sent' });
  });

  it('from one address are limited to 50 an hour', async () => {
    const kinds: string[] = [];
    for (let i = 0; i < 60; i++) {
      kinds.push((await passwords.requestReset(requester(), { email: `${i}@example.com`, returnQuery: '' })).kind);
    }
    expect(kinds.filter((kind) => kind === 'sent')).toHaveLength(50);
    expect(kinds.at(-1)).toBe('throttled');
  });

  it.each([
    [70, 70],
    [0, 80],
  ])("from one address follow the operator's limit: %i lets %i through", async (mailsPerHour, sent) => {
    const other = await openPasswordWorld({ mailsPerHour });
    const kinds: string[] = [];
    for (let i = 0; i < 80; i++) {
      kinds.push((await other.passwords.requestReset(requester(), { email: `${i}@example.com`, returnQuery: '' })).kind);
    }
    await other.dispose();
    expect(kinds.filter((kind) => kind === 'sent')).toHaveLength(sent);
  });
});

it('the database contains no password, code, token or secret', async () => {
  const { deviceToken } = await world.newUser(email);
  const begun = await passwords.signUp(requester(), {
    email: 'bob@example.com',
    password: 'bob has a horse',
    name: 'Bob',
    returnQuery: '',
  });
  if (begun.kind !== 'code_sent') throw new Error(begun.kind);
  await passwords.requestReset(requester(), { email, returnQuery: '' });
  const secrets = (await world.mails()).map(({ secret }) => secret);
  expect(secrets).toHaveLength(2);
  const files = readdirSync(world.dataDir).filter((name) => name.startsWith('holdfast') || name.includes('db'));
  expect(files.length).toBeGreaterThan(0);
  const stored = files.map((name) => readFileSync(join(world.dataDir, name)).toString('latin1')).join('\n');
  expect(stored).toContain('bob@example.com');
  for (const secret of [password, 'bob has a horse', begun.signUp, deviceToken, ...secrets]) {
    expect(stored.includes(secret), secret).toBe(false);
  }
});
