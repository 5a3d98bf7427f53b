import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newIssuerKey, signIdToken, unsignedToken } from '../../../../../../tooling/loopback-issuer.ts';
import { altered } from '../../../secrets/altered.fixture.ts';
import { passwordUser } from '../../../storage/store-suite/identity/directory-users.ts';
import { byOperator } from '../../../storage/store-suite/records.fixture.ts';
import {
  type Begun,
  browser,
  directoryOf,
  type FederationWorld,
  openFederationWorld,
  redirectUriOf,
  returnQuery,
  scriptIssuer,
} from './federation.fixture.ts';

const issuer = 'https://issuer.example';
const id = 'oidc.company';
let world: FederationWorld;
let begun: Begun;
let claims: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  world = await openFederationWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  world.faults.length = 0;
  claims = {};
  world.issue(issuer, () => ({ nonce: begun.request.nonce, ...claims }));
  await world.configure(id, { issuer, name: 'Company' }, 'the secret');
  begun = await world.begin(id);
});

const refused = (reason: string) => ({ kind: 'refused', returnQuery, reason });
/** The returned parameters belong to another flow. The flow that received them stays open. */
const misplaced = { ...refused('invalid'), isOpen: true };
/** Too late, or a second time. The start of the flow is still known. */
const over = { kind: 'expired', returnQuery };

/** Makes the token endpoint send this response. */
function answerToken(status: number, body: unknown): void {
  world.upstream.answers.set(`${issuer}/token`, () => ({ status, body }));
}
const tokenWith = (idToken: unknown) => ({ access_token: 'a', token_type: 'Bearer', id_token: idToken });

describe('a sign-in through a provider', () => {
  it('asks for a code with new PKCE, state and nonce', async () => {
    const { code_challenge, state, nonce, ...rest } = begun.request;
    expect(begun.location.origin + begun.location.pathname).toBe(`${issuer}/authorize`);
    expect(rest).toEqual({
      response_type: 'code',
      client_id: 'our-client',
      redirect_uri: redirectUriOf(id),
      scope: 'openid email profile',
      code_challenge_method: 'S256',
    });
    const { request } = await world.begin(id);
    for (const [name, value] of Object.entries({ code_challenge, state, nonce })) {
      expect(value).toMatch(/^[\w-]{43}$/);
      expect(request[name]).not.toBe(value);
    }
  });

  it('exchanges the code with verifier and secret, and creates a user in the directory', async () => {
    claims = { email: 'ada@example.com', email_verified: true, name: 'Ada', sub: 'ada' };
    const outcome = await world.finish(begun);
    expect(outcome).toEqual({
      kind: 'signed_in',
      directory: directoryOf('acc_1'),
      person: {
        userId: expect.stringMatching(/^usr_[0-9A-Za-z]{22}$/),
        email: 'ada@example.com',
        emailVerified: true,
        name: 'Ada',
      },
      providerId: id,
      returnQuery,
    });
    const exchange = world.upstream.asked.findLast(({ url }) => url === `${issuer}/token`);
    const basic = Buffer.from('our%2Dclient:the+secret').toString('base64');
    expect(exchange?.headers.authorization).toBe(`Basic ${basic}`);
    const form = Object.fromEntries(exchange?.form ?? []);
    expect(form).toMatchObject({ grant_type: 'authorization_code', code: 'code-1', redirect_uri: redirectUriOf(id) });
    const challenge = createHash('sha256')
      .update(form.code_verifier ?? '')
      .digest('base64url');
    expect(challenge).toBe(begun.request.code_challenge);

    begun = await world.begin(id);
    expect(await world.finish(begun)).toMatchObject({ person: (outcome as { person: object }).person });
  });

  it('finds the same user by issuer and subject, never by the address', async () => {
    await passwordUser(world.store, 'acc_1', 'owner@example.com');
    await world.configure('oidc.other', { issuer }, 'the secret');
    const users: string[] = [];
    const signIn = async (providerId: string, subject: string, accountId?: string) => {
      claims = { sub: subject, email: 'owner@example.com', email_verified: true };
      begun = await world.begin(providerId, accountId);
      const outcome = await world.finish(begun);
      if (outcome.kind !== 'signed_in') throw new Error(outcome.kind);
      users.push(outcome.person.userId);
    };
    await world.configure(id, { issuer }, 'the secret', 'acc_2');
    for (const [providerId, subject] of [
      [id, 'bob'],
      [id, 'Bob'],
      ['oidc.other', 'bob'],
      [id, 'bob'],
    ] as const) {
      await signIn(providerId, subject);
    }
    await signIn(id, 'bob', 'acc_2');
    expect(users[3]).toBe(users[0]);
    expect(new Set(users).size).toBe(4);
    expect(users).not.toContain('owner@example.com');
  });

  it.each([
    [{ email: 'a@example.com' }, { email: 'a@example.com', emailVerified: false }],
    [
      { email: 'a@example.com', email_verified: false },
      { email: 'a@example.com', emailVerified: false },
    ],
    [
      { email: 'a@example.com', email_verified: 'true' },
      { email: 'a@example.com', emailVerified: true },
    ],
    [{ email_verified: true }, { email: null, emailVerified: false }],
    [
      { email: 7, email_verified: true, name: {} },
      { email: null, emailVerified: false, name: null },
    ],
    [
      { email: 'x'.repeat(321), email_verified: true, name: 'y'.repeat(201) },
      { email: null, emailVerified: false, name: null },
    ],
  ])('with the claims %j passes on %j', async (said, person) => {
    claims = { ...said, sub: JSON.stringify(said).slice(0, 60) };
    expect(await world.finish(begun)).toMatchObject({ kind: 'signed_in', person });
  });

  it('offers configured providers in order, and none to developers', async () => {
    await world.configure('google.com', {}, 's', 'acc_2');
    await world.configure('oidc.a', { issuer, name: null }, 's', 'acc_2');
    await world.configure('oidc.b', { issuer, name: 'The B' }, 's', 'acc_2');
    await world.store.deleteIdentityProvider(byOperator, { accountId: 'acc_2', providerId: id });
    expect(await world.federation.providersOf(directoryOf('acc_2'))).toEqual([
      { id: 'google.com', name: 'Google' },
      { id: 'oidc.a', name: 'a' },
      { id: 'oidc.b', name: 'The B' },
    ]);
    expect(await world.federation.providersOf({ kind: 'developers' })).toEqual([]);
    const start = { providerId: id, browser, returnQuery };
    expect(await world.federation.begin({ kind: 'developers' }, start)).toEqual({ kind: 'unavailable' });
    expect(await world.federation.begin(directoryOf('acc_2'), start)).toEqual({ kind: 'unavailable' });
  });

  it('carries a long return address, and is unavailable if it is too long for a cookie', async () => {
    const start = (length: number) =>
      world.federation.begin(directoryOf('acc_1'), { providerId: id, browser, returnQuery: 'x'.repeat(length) });
    const fitting = await start(2_200);
    expect(fitting.kind === 'redirect' && fitting.flow.length).toBeLessThan(3_801);
    expect(await start(3_000)).toEqual({ kind: 'unavailable' });
  });
});

describe('an ID token is refused', () => {
  const inPast = Math.floor(Date.now() / 1000) - 600;
  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['of another audience', { aud: 'another-client' }],
    ['of several audiences without azp', { aud: ['our-client', 'another-client'] }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['of another sign-in', { nonce: 'a nonce of somebody else' }],
    ['without a nonce', { nonce: undefined }],
    ['that has expired', { iat: inPast - 300, exp: inPast }],
    ['without a subject', { sub: undefined }],
    ['with an empty subject', { sub: '' }],
    ['with a subject that is too long', { sub: 'x'.repeat(513) }],
  ])('%s', async (_, wrong) => {
    claims = wrong;
    expect(await world.finish(begun)).toEqual(refused('invalid'));
    expect(world.faults).toHaveLength(1);
  });

  it('signed by another key under the right key id', async () => {
    const forger = await newIssuerKey('RS256', 'upstream-key');
    const iat = Math.floor(Date.now() / 1000);
    const right = { iss: issuer, aud: 'our-client', sub: 's', iat, exp: iat + 300, nonce: begun.request.nonce as string };
    answerToken(200, tokenWith(await signIdToken(forger, right)));
    expect(await world.finish(begun)).toEqual(refused('invalid'));
  });

  it.each(['none', 'HS256', 'ES256'])('with alg %s', async (alg) => {
    const iat = Math.floor(Date.now() / 1000);
    const right = { iss: issuer, aud: 'our-client', sub: 's', iat, exp: iat + 300, nonce: begun.request.nonce };
    answerToken(200, tokenWith(unsignedToken({ alg, kid: 'upstream-key' }, right, alg === 'none' ? '' : 'AAAA')));
    expect(await world.finish(begun)).toEqual(refused('invalid'));
  });

  it.each([[undefined], [null], [7], ['x'], ['a.b.c']])('with the value %j', async (idToken) => {
    answerToken(200, tokenWith(idToken));
    expect(await world.finish(begun)).toEqual(refused('invalid'));
  });
});

describe('the return from a provider', () => {
  it('works once, whether repeated or simultaneous', async () => {
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => world.finish(begun)));
    expect(outcomes.filter(({ kind }) => kind === 'signed_in')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'expired')).toHaveLength(4);
    expect(await world.finish(begun, { code: 'another' })).toEqual(over);
  });

  it('with the state of another browser signs nobody in, and leaves the other flow open', async () => {
    const attacker = await world.begin(id);
    expect(await world.finish(begun, { state: attacker.request.state as string })).toEqual(misplaced);
    expect(await world.finish(begun)).toMatchObject({ kind: 'signed_in' });
  });

  it('at the redirect URI of another provider signs nobody in, and its code is sent nowhere', async () => {
    const [account, provider] = [begun.at.accountId, begun.at.providerId];
    const redemptions = () => world.upstream.asked.filter(({ url }) => url === `${issuer}/token`).length;
    const before = redemptions();
    for (const at of [
      { accountId: 'acc_2', providerId: provider },
      { accountId: account, providerId: 'oidc.other' },
      { accountId: '', providerId: '' },
    ]) {
      expect(await world.finish({ ...begun, at })).toEqual(misplaced);
    }
    expect(redemptions()).toBe(before);
    expect(await world.finish(begun)).toMatchObject({ kind: 'signed_in' });
  });

  it('with the flow of another browser, or without one, has expired', async () => {
    expect(await world.finish(begun, {}, ['browser-2'])).toEqual({ kind: 'expired' });
    const parameters = new URLSearchParams({ code: 'c', state: begun.request.state as string });
    const { finish } = world.federation;
    expect(await finish(begun.at, { parameters, flow: undefined, browser })).toEqual({ kind: 'expired' });
    expect(await finish(begun.at, { parameters, flow: begun.flow, browser: undefined })).toEqual({ kind: 'expired' });
    expect(await finish(begun.at, { parameters, flow: altered(begun.flow), browser })).toEqual({
      kind: 'expired',
    });
    expect(await world.finish(begun)).toMatchObject({ kind: 'signed_in' });
  });

  it('with a missing or repeated state is refused', async () => {
    const { flow, request } = begun;
    for (const query of ['code=c', `code=c&state=${request.state}&state=${request.state}`]) {
      const outcome = await world.federation.finish(begun.at, { parameters: new URLSearchParams(query), flow, browser });
      expect(outcome).toEqual(misplaced);
    }
  });

  it('from an issuer other than the requested one is refused, before the code is sent anywhere', async () => {
    const before = world.upstream.asked.length;
    expect(await world.finish(begun, { iss: 'https://evil.example' })).toEqual(refused('invalid'));
    expect(world.upstream.asked).toHaveLength(before);
    begun = await world.begin(id);
    expect(await world.finish(begun, { iss: issuer })).toMatchObject({ kind: 'signed_in' });
  });

  it('without the issuer that the provider promises to name is refused', async () => {
    scriptIssuer(world.upstream, issuer, { authorization_response_iss_parameter_supported: true });
    world.ahead += 600_000;
    begun = await world.begin(id);
    expect(await world.finish(begun)).toEqual(refused('invalid'));
    begun = await world.begin(id);
    expect(await world.finish(begun, { iss: issuer })).toMatchObject({ kind: 'signed_in' });
    world.ahead += 600_000;
  });

  it('after ten minutes is too late', async () => {
    world.ahead += 600_000;
    expect(await world.finish(begun)).toEqual(over);
  });

  it('to a provider that was changed or removed meanwhile is refused', async () => {
    await world.configure(id, { issuer, clientId: 'another-client' }, 'the secret');
    expect(await world.finish(begun)).toEqual(refused('invalid'));
    begun = await world.begin(id);
    await world.store.deleteIdentityProvider(byOperator, { accountId: 'acc_1', providerId: id });
    expect(await world.finish(begun)).toEqual(refused('unavailable'));
  });

  it('to an issuer other than the first one is refused, before the code is sent there', async () => {
    const second = 'https://second.example';
    world.issue(second, () => ({ nonce: begun.request.nonce }));
    await world.configure(id, { issuer: second }, 'the secret');
    expect(await world.finish(begun)).toEqual(refused('invalid'));
    expect(world.upstream.asked.some(({ url }) => url === `${second}/token`)).toBe(false);
  });

  it('never sends a code with a secret given for another issuer', async () => {
    const evil = 'https://evil.example';
    world.issue(evil, () => ({ nonce: begun.request.nonce }));
    const present = await world.store.findIdentityProvider({ accountId: 'acc_1', providerId: id });
    const settings = { ...(present as { settings: object }).settings, issuer: evil } as never;
    const moved = { accountId: 'acc_1', providerId: id, settings, sealedSecret: 'keep' as const, writtenAt: 1 };
    await world.store.writeIdentityProvider(byOperator, moved, 32);
    const start = { providerId: id, browser, returnQuery };
    expect(await world.federation.begin(directoryOf('acc_1'), start)).toEqual({ kind: 'unavailable' });
    expect(world.upstream.asked.filter(({ url }) => url.startsWith(evil))).toEqual([]);
  });

  it.each([
    ['access_denied', 'denied'],
    ['user_cancelled_authorize', 'denied'],
    ['user_cancelled_login', 'denied'],
    ['login_required', 'denied'],
    ['temporarily_unavailable', 'unavailable'],
    ['server_error', 'unavailable'],
    ['invalid_scope', 'invalid'],
    ['<script>', 'denied'],
  ])('with the error %s is %s', async (error, reason) => {
    const parameters = new URLSearchParams({ error, state: begun.request.state as string, error_description: 'a\nb' });
    const outcome = await world.federation.finish(begun.at, { parameters, flow: begun.flow, browser });
    expect(outcome).toEqual(refused(reason));
    expect(world.faults.join()).not.toMatch(/<script>|\n/);
  });
});
