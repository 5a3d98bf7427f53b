import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAccount, openStoreFixture, type StoreFixture } from '../../access/store.fixture.ts';
import { altered } from '../../secrets/altered.fixture.ts';
import { createSealer } from '../../secrets/sealer.ts';
import { federatedUser, identity, passwordUser } from '../../storage/store-suite/identity/directory-users.ts';
import { byOperator } from '../../storage/store-suite/records.fixture.ts';
import type { Browser } from '../tickets.ts';
import { type Credential, type Deviation, newAuthenticator } from './authenticator.fixture.ts';
import type { Directory, Person } from './directory.ts';
import { createPasskeys, type Passkeys } from './passkeys.ts';

const origin = 'https://play.example';
const browser: Browser = ['browser-1'];
const authenticator = newAuthenticator(origin);
const developers: Directory = { kind: 'developers' };
const directoryOf = (accountId: string): Directory => ({ kind: 'account', accountId, tenantId: `t-${accountId}` });
const [one, other] = [directoryOf('acc_1'), directoryOf('acc_2')];
const rejected = { kind: 'rejected' };

let fixture: StoreFixture;
let passkeys: Passkeys;
let nowMs: number;
let ada: Person;
let users = 0;

beforeAll(async () => {
  fixture = await openStoreFixture();
  for (const accountId of ['acc_1', 'acc_2']) await addAccount(fixture.store, accountId);
  const { seal, open } = createSealer(randomBytes(32), 'ticket');
  passkeys = createPasskeys({ store: fixture.store, seal, open, authFrontUrl: () => `${origin}/in`, now: () => nowMs });
});
afterAll(() => fixture.dispose());
beforeEach(async () => {
  nowMs = 1_000_000;
  ada = await newUser(['acc_1', 'acc_2', null]);
});

/** A user with the same id and address in each of these directories. */
async function newUser(accountIds: readonly (string | null)[]): Promise<Person> {
  const userId = `usr_${++users}`;
  for (const accountId of accountIds) await passwordUser(fixture.store, accountId, userId);
  return { userId, email: userId, emailVerified: true, name: null };
}

/** Proof given before a passkey is created. */
const provenBefore = { amr: ['pwd'], provenAt: 1_000 };

async function register(directory = one, person = ada, how?: Deviation): Promise<Credential | undefined> {
  const { options, ticket } = await passkeys.registrationOptions(directory, browser, person, provenBefore);
  const { credential, answer } = authenticator.create(options, how);
  const outcome = await passkeys.register(directory, browser, { ticket, credential: answer });
  return outcome.kind === 'registered' ? credential : undefined;
}

async function registered(directory = one, person = ada): Promise<Credential> {
  const credential = await register(directory, person);
  if (credential === undefined) throw new Error('the passkey was rejected');
  return credential;
}

async function signIn(credential: Credential, how?: Deviation, directory = one) {
  const { options, ticket } = await passkeys.signInOptions(directory, browser);
  return passkeys.signIn(directory, browser, { ticket, credential: authenticator.get(options, credential, how) });
}

describe('a passkey', () => {
  it('signs in with the ticket of any page open in the browser', async () => {
    const credential = await registered();
    const { options, ticket } = await passkeys.signInOptions(one, ['second']);
    const answer = { ticket, credential: authenticator.get(options, credential) };
    expect(await passkeys.signIn(one, ['first', 'third'], answer)).toEqual(rejected);
    expect(await passkeys.signIn(one, ['first', 'second'], answer)).toMatchObject({ kind: 'signed_in' });
  });

  it('signs its user in without a name, repeatedly', async () => {
    const credential = await registered();
    for (let i = 0; i < 3; i++) expect(await signIn(credential)).toEqual({ kind: 'signed_in', person: ada });
    expect((await fixture.store.listPasskeys('acc_1', ada.userId))[0]).toMatchObject({
      credentialId: credential.id,
      counter: 3,
      transports: ['internal', 'hybrid'],
      lastUsedAt: nowMs,
    });
  });

  it('works for developers too', async () => {
    const credential = await registered(developers);
    expect(await signIn(credential, {}, developers)).toEqual({ kind: 'signed_in', person: ada });
  });

  it('may be one of several', async () => {
    expect(await passkeys.has(one, ada.userId)).toBe(false);
    const [first, second] = [await registered(), await registered()];
    expect(await passkeys.has(one, ada.userId)).toBe(true);
    for (const credential of [first, second]) expect(await signIn(credential)).toMatchObject({ kind: 'signed_in' });
    const { options } = await passkeys.registrationOptions(one, browser, ada, provenBefore);
    expect(options.excludeCredentials?.map(({ id }) => id)).toEqual([first.id, second.id]);
  });

  it('is requested with user verification, and as discoverable', async () => {
    const { options } = await passkeys.registrationOptions(one, browser, ada, provenBefore);
    expect(options).toMatchObject({
      rp: { id: 'play.example' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      user: { id: Buffer.from(ada.userId).toString('base64url'), name: ada.email },
    });
    const asked = (await passkeys.signInOptions(one, browser)).options;
    expect(asked).toEqual({
      challenge: asked.challenge,
      rpId: 'play.example',
      timeout: 600_000,
      userVerification: 'required',
    });
    expect(Buffer.from(asked.challenge, 'base64url')).toHaveLength(32);
  });

  it('without a counter is valid too', async () => {
    const credential = await registered();
    const still = newAuthenticator(origin, false);
    for (let i = 0; i < 2; i++) {
      const { options, ticket } = await passkeys.signInOptions(one, browser);
      const answer = { ticket, credential: still.get(options, credential) };
      expect(await passkeys.signIn(one, browser, answer)).toMatchObject({ kind: 'signed_in' });
    }
  });

  it('does not work for a user from a provider', async () => {
    await federatedUser(fixture.store, identity('s'), 'usr_f');
    const person = { userId: 'usr_f', email: null, emailVerified: false, name: null };
    expect(await register(one, person)).toBeUndefined();
  });

  it('is deleted with its user', async () => {
    const credential = await registered();
    await fixture.store.deleteUser(byOperator, 'acc_1', ada.userId);
    expect(await signIn(credential)).toEqual(rejected);
  });

  it.each([
    ['https://play.example', true],
    ['http://localhost:8787', true],
    ['http://127.0.0.1:8787', false],
    ['http://[::1]:8787', false],
  ])('at %s is usable: %s', (authFrontUrl, isUsable) => {
    const { seal, open } = createSealer(randomBytes(32), 'ticket');
    const here = createPasskeys({ store: fixture.store, seal, open, authFrontUrl: () => authFrontUrl, now: () => nowMs });
    expect(here.isUsable()).toBe(isUsable);
  });
});

describe('a sign-in is rejected', () => {
  it.each<[string, Deviation]>([
    ['without user verification', { isUserVerified: false }],
    ['for another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['from another origin', { origin: 'https://play.example.evil' }],
    ['from a page without TLS', { origin: 'http://play.example' }],
    ['for another relying party', { rpId: 'evil.example' }],
    ['with a response of the wrong type', { type: 'webauthn.create' }],
    ['with the handle of another user', { userHandle: Buffer.from('usr_other').toString('base64url') }],
    ['without a user handle', { userHandle: undefined }],
  ])('%s', async (_, how) => {
    const credential = await registered();
    expect(await signIn(credential, how)).toEqual(rejected);
    expect(await signIn(credential)).toMatchObject({ kind: 'signed_in' });
  });

  it('with the passkey of another directory, even if user and handle match', async () => {
    const credential = await registered(other);
    for (const directory of [one, developers]) expect(await signIn(credential, {}, directory)).toEqual(rejected);
    expect(await signIn(credential, {}, other)).toMatchObject({ kind: 'signed_in' });
  });

  it('with the signature of another key', async () => {
    const [credential, stranger] = [await registered(), await registered(one, await newUser(['acc_1']))];
    expect(await signIn({ ...credential, privateKey: stranger.privateKey })).toEqual(rejected);
  });

  it('if the counter stands still or goes back', async () => {
    const credential = await registered();
    const copy = { ...credential };
    await signIn(credential);
    await signIn(credential);
    expect(await signIn(copy)).toEqual(rejected);
    expect(await signIn(copy)).toEqual(rejected);
    expect(await signIn(copy)).toMatchObject({ kind: 'signed_in' });
    expect(await signIn(credential)).toEqual(rejected);
  });

  it('with a used ticket, even at the same time', async () => {
    const credential = await registered();
    const { options, ticket } = await passkeys.signInOptions(one, browser);
    const answers = Array.from({ length: 5 }, () => ({ ticket, credential: authenticator.get(options, credential) }));
    const outcomes = await Promise.all(answers.map((answer) => passkeys.signIn(one, browser, answer)));
    expect(outcomes.filter(({ kind }) => kind === 'signed_in')).toHaveLength(1);
    const again = { ticket, credential: authenticator.get(options, credential) };
    expect(await passkeys.signIn(one, browser, again)).toEqual(rejected);
    // The same bytes in another encoding.
    expect(await passkeys.signIn(one, browser, { ...again, ticket: `${ticket}=` })).toEqual(rejected);
  });

  it('with a ticket of another directory, even if the passkey is of the right one', async () => {
    const credential = await registered(other);
    const { options, ticket } = await passkeys.signInOptions(one, browser);
    const answer = { ticket, credential: authenticator.get(options, credential) };
    expect(await passkeys.signIn(other, browser, answer)).toEqual(rejected);
  });

  it('with a ticket of another browser, directory or purpose, or an expired one', async () => {
    const credential = await registered();
    const { options, ticket } = await passkeys.signInOptions(one, browser);
    const attempt = (directory = one, who = browser, given = ticket) =>
      passkeys.signIn(directory, who, { ticket: given, credential: authenticator.get(options, credential) });
    expect(await attempt(one, ['browser-2'])).toEqual(rejected);
    expect(await attempt(other)).toEqual(rejected);
    expect(
      await attempt(one, browser, (await passkeys.registrationOptions(one, browser, ada, provenBefore)).ticket),
    ).toEqual(rejected);
    for (const given of ['', 'x', ticket.slice(1), altered(ticket), 'A'.repeat(5_000)]) {
      expect(await attempt(one, browser, given)).toEqual(rejected);
    }
    nowMs += 600_000;
    expect(await attempt()).toEqual({ kind: 'expired' });
    expect(await attempt(one, ['browser-2'])).toEqual(rejected);
    nowMs -= 1;
    expect(await attempt()).toMatchObject({ kind: 'signed_in' });
  });

  it.each([
    null,
    'text',
    7,
    [],
    {},
    { id: 'a' },
    { id: 'a', response: null },
    { id: 7, response: {} },
    { id: '', response: {} },
  ])('for %j, which is not a credential', async (credential) => {
    const { ticket } = await passkeys.signInOptions(one, browser);
    expect(await passkeys.signIn(one, browser, { ticket, credential })).toEqual(rejected);
    const registration = await passkeys.registrationOptions(one, browser, ada, provenBefore);
    expect(await passkeys.register(one, browser, { ticket: registration.ticket, credential })).toEqual(rejected);
  });

  it("for a user's credential with any member malformed", async () => {
    const { id, userHandle } = await registered();
    for (const response of [{ userHandle }, { userHandle, clientDataJSON: 'e30', authenticatorData: '', signature: 7 }]) {
      const { ticket } = await passkeys.signInOptions(one, browser);
      const credential = { id, rawId: id, type: 'public-key', response };
      expect(await passkeys.signIn(one, browser, { ticket, credential })).toEqual(rejected);
    }
  });
});

describe('a registration is rejected', () => {
  it.each<[string, Deviation]>([
    ['without user verification', { isUserVerified: false }],
    ['for another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['from another origin', { origin: 'https://evil.example' }],
    ['for another relying party', { rpId: 'evil.example' }],
    ['with unrequested certificates', { attestation: ['packed', new Map([['x5c', [new Uint8Array(8)]]])] }],
    ['with an unrequested kind of attestation', { attestation: ['android-safetynet', new Map()] }],
  ])('%s', async (_, how) => {
    expect(await register(one, ada, how)).toBeUndefined();
    expect(await passkeys.has(one, ada.userId)).toBe(false);
  });

  it('if the password was reset meanwhile: whoever knew the old one gets no lasting way in', async () => {
    const { options, ticket } = await passkeys.registrationOptions(one, browser, ada, provenBefore);
    const tokenHash = randomBytes(32);
    const reset = { accountId: 'acc_1', userId: ada.userId, returnQuery: '', expiresAt: nowMs + 1_000 };
    expect(await fixture.store.addPasswordReset(tokenHash, reset)).toBe('added');
    expect(await fixture.store.redeemPasswordReset(tokenHash, '$', nowMs)).toBeDefined();
    const { answer } = authenticator.create(options);
    expect(await passkeys.register(one, browser, { ticket, credential: answer })).toEqual(rejected);
    nowMs += 1;
    expect(await register()).toBeDefined();
  });

  it('with a used or expired ticket, or one of another browser, directory or purpose', async () => {
    const { options, ticket } = await passkeys.registrationOptions(one, browser, ada, provenBefore);
    const attempt = (directory = one, who = browser, given = ticket) =>
      passkeys.register(directory, who, { ticket: given, credential: authenticator.create(options).answer });
    expect(await attempt(one, ['browser-2'])).toEqual(rejected);
    expect(await attempt(other)).toEqual(rejected);
    expect(await attempt(one, browser, (await passkeys.signInOptions(one, browser)).ticket)).toEqual(rejected);
    nowMs += 600_000;
    expect(await attempt()).toEqual(rejected);
    nowMs -= 1;
    expect(await attempt()).toEqual({ kind: 'registered', person: ada, provenBefore });
    expect(await attempt()).toEqual(rejected);
  });

  it('for a credential that belongs to somebody in the directory', async () => {
    const { options, ticket } = await passkeys.registrationOptions(one, browser, ada, provenBefore);
    const { answer } = authenticator.create(options);
    expect(await passkeys.register(one, browser, { ticket, credential: answer })).toMatchObject({ kind: 'registered' });
    const bob = await newUser(['acc_1']);
    const his = await passkeys.registrationOptions(one, browser, bob, provenBefore);
    const { clientDataJSON } = authenticator.create(his.options).answer.response;
    const stolen = { ...answer, response: { ...answer.response, clientDataJSON } };
    expect(await passkeys.register(one, browser, { ticket: his.ticket, credential: stolen })).toEqual(rejected);
    expect(await passkeys.has(one, bob.userId)).toBe(false);
  });
});
