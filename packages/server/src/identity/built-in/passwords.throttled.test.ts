import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPasswordWorld, otherPlayers, type PasswordWorld, password, visit } from './passwords.fixture.ts';

const minute = 60_000;
const email = 'ada@example.com';
let world: PasswordWorld;
let passwords: PasswordWorld['passwords'];

beforeEach(async () => {
  world = await openPasswordWorld();
  passwords = world.passwords;
});
afterEach(() => world.dispose());

/** Guesses 100 times a second for so long; returns how many guesses were compared with the password. */
async function guess(seconds: number, addressOf: (guess: number) => string): Promise<number> {
  let compared = 0;
  for (let i = 0; i < seconds * 100; i++) {
    const outcome = await passwords.signIn(visit({ address: addressOf(i) }), {
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
    expect(await passwords.signIn(visit(), { email, password, returnQuery: '' })).toMatchObject({ kind: 'signed_in' });
    world.pass(14 * minute);
    expect(await guess(5, () => '203.0.113.1')).toBe(10);
  });

  it('from many addresses gets 100 guesses an hour; the owner signs in from a device that he has used', async () => {
    const { deviceToken } = await world.newUser(email);
    expect(await guess(60, (i) => `203.0.113.${i % 200}`)).toBe(100);
    const known = visit({ address: '203.0.113.7', deviceToken });
    for (let i = 0; i < 20; i++) {
      expect(await passwords.signIn(known, { email, password, returnQuery: '' })).toMatchObject({ kind: 'signed_in' });
    }
    const unknown = await passwords.signIn(visit({ address: '198.51.100.1' }), { email, password, returnQuery: '' });
    expect(unknown).toMatchObject({ kind: 'throttled' });
    world.pass(60 * minute);
    expect(await passwords.signIn(visit({ address: '198.51.100.1' }), { email, password, returnQuery: '' })).toMatchObject({
      kind: 'signed_in',
    });
  });

  it('leaves the owner the way back by mail, from where he never was before', async () => {
    await world.newUser(email);
    await guess(2, (i) => `203.0.113.${i}`);
    const at = visit({ address: '198.51.100.1' });
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

  it('all at once gets no more', async () => {
    await world.newUser(email);
    const guesses = Array.from({ length: 100 }, () =>
      passwords.signIn(visit(), { email, password: 'wrong', returnQuery: '' }),
    );
    const kinds = (await Promise.all(guesses)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind !== 'throttled').length).toBeLessThanOrEqual(10);
  });

  it('of everybody from one address gets 100 guesses in 15 minutes', async () => {
    let compared = 0;
    for (let i = 0; i < 200; i++) {
      const outcome = await passwords.signIn(visit(), { email: `${i}@example.com`, password, returnQuery: '' });
      if (outcome.kind === 'rejected') compared += 1;
    }
    expect(compared).toBe(100);
  });

  it('from a device that the user has used gets 10 in 15 minutes, and no more by another address', async () => {
    const { deviceToken } = await world.newUser(email);
    for (let i = 0; i < 10; i++) {
      const at = visit({ address: `203.0.113.${i}`, deviceToken });
      expect(await passwords.signIn(at, { email, password: 'wrong', returnQuery: '' })).toEqual({ kind: 'rejected' });
    }
    const at = visit({ address: '203.0.113.99', deviceToken });
    expect(await passwords.signIn(at, { email, password, returnQuery: '' })).toEqual({
      kind: 'throttled',
      retryAfterSeconds: 900,
    });
    expect(await passwords.signIn(visit(), { email, password, returnQuery: '' })).toMatchObject({ kind: 'signed_in' });
  });

  it('from a device that signed in before a reset, or more than a year ago, is one from any other', async () => {
    const { deviceToken } = await world.newUser(email);
    const stranger = visit({ address: '198.51.100.1' });
    await passwords.requestReset(stranger, { email, returnQuery: '' });
    const token = (await world.mails()).at(-1)?.secret ?? '';
    world.pass(1);
    const changed = await passwords.resetPassword(stranger, { token, password: 'another horse' });
    if (changed.kind !== 'changed') throw new Error(changed.kind);
    expect(await guess(60, (i) => `203.0.113.${i % 200}`)).toBe(100);
    const from = (known: string | undefined) =>
      passwords.signIn(visit({ deviceToken: known }), { email, password: 'another horse', returnQuery: '' });
    expect(await from(deviceToken)).toMatchObject({ kind: 'throttled' });
    expect(await from(changed.deviceToken)).toMatchObject({ kind: 'signed_in' });
    world.pass(366 * 24 * 60 * minute);
    expect(await guess(60, (i) => `203.0.113.${i % 200}`)).toBe(100);
    expect(await from(changed.deviceToken)).toMatchObject({ kind: 'throttled' });
  });

  it('of codes from one address ends after 100', async () => {
    const outcomes: string[] = [];
    for (let signUps = 0; signUps < 25; signUps++) {
      const begun = await passwords.signUp(visit(), {
        email: `${signUps}@example.com`,
        password,
        name: null,
        returnQuery: '',
      });
      if (begun.kind !== 'code_sent') throw new Error(begun.kind);
      for (let i = 0; i < 5; i++) {
        outcomes.push((await passwords.confirm(visit(), { signUp: begun.signUp, code: 'x' })).kind);
      }
    }
    expect(outcomes.filter((kind) => kind === 'wrong_code')).toHaveLength(100);
    expect(outcomes.at(-1)).toBe('throttled');
    await passwords.settled();
  });
});

describe('guessing codes for one address', () => {
  /** Guesses at as many sign-ups as mails allow, each from an address of its own; returns what was answered. */
  async function guessCodes(email: string, hours: number): Promise<string[]> {
    const kinds: string[] = [];
    for (let i = 0; i < hours * 5; i++) {
      const at = visit({ address: `203.0.113.${i}` });
      const begun = await passwords.signUp(at, { email, password, name: null, returnQuery: '' });
      if (begun.kind !== 'code_sent') throw new Error(begun.kind);
      for (let guess = 0; guess < 5; guess++) {
        kinds.push((await passwords.confirm(at, { signUp: begun.signUp, code: 'x' })).kind);
      }
      if (i % 5 === 4) world.pass(60 * minute);
    }
    await passwords.settled();
    return kinds;
  }

  it('gets 20 wrong ones a day, however many sign-ups and client addresses they are spread over, known or not', async () => {
    await world.newUser(email);
    world.pass(60 * minute);
    for (const address of [email, 'unknown@example.com']) {
      const kinds = await guessCodes(address, 2);
      expect(kinds, address).toEqual([...Array(20).fill('wrong_code'), ...Array(30).fill('throttled')]);
    }
  });

  it('beyond them not even the right one is heard, in this directory, until the day is over', async () => {
    const unknown = 'unknown@example.com';
    await guessCodes(unknown, 1);
    await world.mails();
    const at = visit({ address: '198.51.100.1' });
    const begin = async (where = at) => {
      const begun = await passwords.signUp(where, { email: unknown, password, name: null, returnQuery: '' });
      if (begun.kind !== 'code_sent') throw new Error(begun.kind);
      return { signUp: begun.signUp, code: (await world.mails())[0]?.secret ?? '' };
    };
    const waits = await passwords.confirm(at, await begin());
    expect(waits).toEqual({ kind: 'throttled', retryAfterSeconds: 23 * 60 * 60 });
    const elsewhere = { ...at, directory: otherPlayers };
    expect(await passwords.confirm(elsewhere, await begin(elsewhere))).toMatchObject({ kind: 'signed_in' });
    world.pass(23 * 60 * minute - 1);
    const form = await begin();
    expect(await passwords.confirm(at, form)).toEqual({ kind: 'throttled', retryAfterSeconds: 1 });
    world.pass(1);
    expect(await passwords.confirm(at, form)).toMatchObject({ kind: 'signed_in' });
  });
});

describe('mails', () => {
  it('to one address are five an hour with a code and five in half an hour with a link, known or not', async () => {
    await world.newUser(email);
    world.pass(60 * minute);
    for (const address of [email, 'unknown@example.com']) {
      const signUps: string[] = [];
      const resets: string[] = [];
      for (let i = 0; i < 6; i++) {
        const at = visit({ address: `203.0.113.${i}` });
        signUps.push((await passwords.signUp(at, { email: address, password, name: null, returnQuery: '' })).kind);
        resets.push((await passwords.requestReset(at, { email: address, returnQuery: '' })).kind);
      }
      expect(signUps).toEqual([...Array(5).fill('code_sent'), 'throttled']);
      expect(resets).toEqual([...Array(5).fill('sent'), 'throttled']);
    }
    expect((await passwords.requestReset(visit({ directory: otherPlayers }), { email, returnQuery: '' })).kind).toBe(
      'sent',
    );
    expect(await world.mails()).toHaveLength(15);
  });

  it('to one address are three from one client address, which leaves the others to its owner', async () => {
    await world.newUser(email);
    world.pass(60 * minute);
    const attacker = visit({ address: '203.0.113.1' });
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
      const owner = visit({ address: '198.51.100.1' });
      expect((await passwords.signUp(owner, form)).kind).toBe('code_sent');
      expect((await passwords.requestReset(owner, form)).kind).toBe('sent');
    }
    world.pass(60 * minute);
    expect((await passwords.requestReset(attacker, { email, returnQuery: '' })).kind).toBe('sent');
    await passwords.settled();
  });

  it('of one sign-up are three, however its code is asked for again', async () => {
    const begun = await passwords.signUp(visit(), { email, password, name: null, returnQuery: '' });
    if (begun.kind !== 'code_sent') throw new Error(begun.kind);
    expect((await passwords.resendCode(visit(), begun.signUp, '')).kind).toBe('code_sent');
    expect((await passwords.signIn(visit(), { email, password, returnQuery: '' })).kind).toBe('unconfirmed');
    expect((await passwords.resendCode(visit(), begun.signUp, '')).kind).toBe('throttled');
    expect(await world.mails()).toHaveLength(3);
  });

  it('keep nobody out: whoever can have no more links has been sent one that still works', async () => {
    await world.newUser(email);
    await world.mails();
    const ask = () => passwords.requestReset(visit(), { email, returnQuery: '' });
    expect(await ask()).toEqual({ kind: 'sent' });
    const [oldest] = await world.mails();
    for (let i = 0; i < 2; i++) expect(await ask()).toEqual({ kind: 'sent' });
    world.pass(30 * minute - 1);
    expect(await ask()).toEqual({ kind: 'throttled', retryAfterSeconds: 1 });
    expect(await passwords.readReset(oldest?.secret ?? '')).toMatchObject({ kind: 'open' });
    world.pass(1);
    expect(await ask()).toEqual({ kind: 'sent' });
  });

  it('from one address are 50 an hour', async () => {
    const kinds: string[] = [];
    for (let i = 0; i < 60; i++) {
      kinds.push((await passwords.requestReset(visit(), { email: `${i}@example.com`, returnQuery: '' })).kind);
    }
    expect(kinds.filter((kind) => kind === 'sent')).toHaveLength(50);
    expect(kinds.at(-1)).toBe('throttled');
  });
});

it('no password, code, token or secret lies in the database', async () => {
  const { deviceToken } = await world.newUser(email);
  const begun = await passwords.signUp(visit(), {
    email: 'bob@example.com',
    password: 'bob has a horse',
    name: 'Bob',
    returnQuery: '',
  });
  if (begun.kind !== 'code_sent') throw new Error(begun.kind);
  await passwords.requestReset(visit(), { email, returnQuery: '' });
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
