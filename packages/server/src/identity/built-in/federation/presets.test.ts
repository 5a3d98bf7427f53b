/** Google, Microsoft, Apple and GitHub with their peculiarities, at their real addresses but answered by a local server. */
import { exportJWK, exportPKCS8, generateKeyPair, importJWK, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answered, Asked } from '../../scripted-upstream.fixture.ts';
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

let world: FederationWorld;
let begun: Begun;
let claims: Readonly<Record<string, unknown>> = {};

beforeAll(async () => {
  world = await openFederationWorld();
});
afterAll(() => world.stop());

async function signIn(providerId: string, parameters: Readonly<Record<string, string>> = {}) {
  begun = await world.begin(providerId);
  return world.finish(begun, parameters);
}

describe('Google', () => {
  it('signs in at its issuer', async () => {
    world.issue('https://accounts.google.com', () => ({ nonce: begun.request.nonce, ...claims }));
    await world.configure('google.com', {}, 'secret');
    claims = { sub: '110169484474386276334', email: 'ada@gmail.com', email_verified: true, name: 'Ada' };
    expect(await signIn('google.com')).toMatchObject({
      kind: 'signed_in',
      providerId: 'google.com',
      person: { email: 'ada@gmail.com', emailVerified: true, name: 'Ada' },
    });
    expect(begun.location.href).toMatch(/^https:\/\/accounts\.google\.com\/authorize\?/);
  });
});

describe('Microsoft', () => {
  const host = 'https://login.microsoftonline.com';
  const tid = '9122040d-6c67-4c5b-b112-36a304b66dad';
  const otherTid = '72f988bf-86f1-41af-91ab-2d7cd011db47';
  const issuerOf = (tenant: string) => `${host}/${tenant}/v2.0`;

  async function configure(tenant: string, metadataIssuer: string): Promise<void> {
    world.issue(issuerOf(tenant), () => ({ nonce: begun.request.nonce, ...claims }));
    scriptIssuer(world.upstream, issuerOf(tenant), {
      issuer: metadataIssuer,
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    });
    await world.configure('microsoft.com', { tenant, clientId: 'our-client', name: tenant }, 'secret');
  }

  it('admits everybody by default, each in the directory named in the token', async () => {
    await configure('common', issuerOf('{tenantid}'));
    claims = { iss: issuerOf(tid), tid, sub: 'pairwise-1', oid: 'oid-1', email: 'ada@example.com', name: 'Ada' };
    const first = await signIn('microsoft.com');
    expect(first).toMatchObject({
      kind: 'signed_in',
      person: { email: 'ada@example.com', emailVerified: false, name: 'Ada' },
    });
    claims = { ...claims, iss: issuerOf(otherTid), tid: otherTid };
    const second = await signIn('microsoft.com');
    if (first.kind !== 'signed_in' || second.kind !== 'signed_in') throw new Error('nobody signed in');
    expect(second.person.userId).not.toBe(first.person.userId);
    expect(world.upstream.asked.at(-1)?.url).toBe(`${issuerOf('common')}/token`);
    expect(Object.fromEntries(world.upstream.asked.at(-1)?.form ?? [])).toMatchObject({ client_secret: 'secret' });
  });

  it('refuses a token whose issuer belongs to a different directory than its claim', async () => {
    await configure('common', issuerOf('{tenantid}'));
    for (const wrong of [
      { iss: issuerOf(tid), tid: otherTid },
      { iss: issuerOf('{tenantid}'), tid },
      { iss: 'https://evil.example', tid },
    ]) {
      claims = { sub: 's', ...wrong };
      expect(await signIn('microsoft.com')).toMatchObject({ kind: 'refused', reason: 'invalid' });
    }
  });

  it('limited to one directory admits nobody from another', async () => {
    await configure(tid, issuerOf(tid));
    claims = { iss: issuerOf(tid), tid, sub: 's' };
    expect(await signIn('microsoft.com')).toMatchObject({ kind: 'signed_in' });
    claims = { iss: issuerOf(otherTid), tid: otherTid, sub: 's' };
    expect(await signIn('microsoft.com')).toMatchObject({ kind: 'refused', reason: 'invalid' });
  });

  it.each([
    [{ email_verified: true }, false],
    [{ xms_edov: true }, true],
    [{ xms_edov: '1' }, true],
    [{ xms_edov: 1 }, true],
    [{ xms_edov: false }, false],
    [{ xms_edov: '0' }, false],
  ])('trusts an address with %j: %s', async (said, emailVerified) => {
    await configure('common', issuerOf('{tenantid}'));
    claims = { iss: issuerOf(tid), tid, sub: JSON.stringify(said), email: 'boss@victim.example', ...said };
    expect(await signIn('microsoft.com')).toMatchObject({ person: { emailVerified } });
  });
});

describe('Apple', () => {
  const settings = { clientId: 'com.example.game', teamId: 'TEAM123456', keyId: 'KEY1234567' };

  async function configure() {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    world.issue('https://appleid.apple.com', () => ({ aud: settings.clientId, nonce: begun.request.nonce, ...claims }));
    scriptIssuer(world.upstream, 'https://appleid.apple.com', {
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    });
    await world.configure('apple.com', settings, await exportPKCS8(privateKey));
    return importJWK(await exportJWK(publicKey), 'ES256');
  }

  it('gets a secret signed with the key, and answers by a form with the name beside the code', async () => {
    const publicKey = await configure();
    claims = { sub: '001234.abcd', email: 'x@privaterelay.appleid.com', email_verified: 'true', is_private_email: 'true' };
    const user = JSON.stringify({ name: { firstName: 'Ada', lastName: 'Lovelace' }, email: 'evil@example.com' });
    expect(await signIn('apple.com', { user })).toMatchObject({
      kind: 'signed_in',
      person: { email: 'x@privaterelay.appleid.com', emailVerified: true, name: 'Ada Lovelace' },
    });
    expect(begun.request).toMatchObject({ response_mode: 'form_post', scope: 'openid email name' });

    const secret = world.upstream.asked.findLast(({ form }) => form.has('client_secret'))?.form.get('client_secret') ?? '';
    const audience = 'https://appleid.apple.com';
    const { payload, protectedHeader } = await jwtVerify(secret, publicKey, { audience, issuer: settings.teamId });
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: settings.keyId });
    expect(payload.sub).toBe(settings.clientId);
    expect((payload.exp as number) - (payload.iat as number)).toBe(3_600);

    expect(await signIn('apple.com')).toMatchObject({ person: { name: 'Ada Lovelace' } });
  });

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"name":null}',
    '{"name":{"firstName":7}}',
    `{"name":{"firstName":"${'x'.repeat(5_000)}"}}`,
  ])('with an unreadable name (%#) still works', async (user) => {
    await configure();
    claims = { sub: `sub-${user.length}` };
    expect(await signIn('apple.com', { user })).toMatchObject({ kind: 'signed_in', person: { name: null } });
  });

  it('with an invalid key is unavailable', async () => {
    await world.configure('apple.com', settings, 'no key');
    const start = { providerId: 'apple.com', browser, returnQuery };
    expect(await world.federation.begin(directoryOf('acc_1'), start)).toEqual({ kind: 'unavailable' });
  });
});

describe('GitHub', () => {
  const api = 'https://api.github.com';
  let user: unknown;
  let emails: unknown;

  beforeAll(async () => {
    const { answers } = world.upstream;
    answers.set('https://github.com/login/oauth/access_token', ({ form, headers }) => {
      if (headers.accept !== 'application/json') return { status: 200, body: 'access_token=t&token_type=bearer' };
      const isRight = form.get('code') === 'code-1' && form.get('client_secret') === 'secret' && form.has('code_verifier');
      // GitHub reports errors with status 200.
      return {
        body: isRight
          ? { access_token: 'gho_1', token_type: 'bearer', scope: 'user:email' }
          : { error: 'bad_verification_code' },
      };
    });
    const behindToken =
      (body: () => unknown) =>
      ({ headers }: Asked): Answered =>
        headers.authorization?.toLowerCase() === 'bearer gho_1' && headers['user-agent']
          ? { body: body() }
          : { status: 401, body: { message: 'Bad credentials' } };
    answers.set(
      `${api}/user`,
      behindToken(() => user),
    );
    answers.set(
      `${api}/user/emails`,
      behindToken(() => emails),
    );
    await world.configure('github.com', {}, 'secret');
  });

  it('with an API answer that is not JSON is no way in, and is not quoted in the log', async () => {
    [user, emails] = ['very-secret', []];
    world.faults.length = 0;
    expect(await signIn('github.com')).toMatchObject({ kind: 'refused' });
    expect(world.faults).toEqual(['github.com: the body is not JSON']);
  });

  it('identifies users by number, with the primary verified address', async () => {
    user = { id: 583231, login: 'octocat', name: 'The Octocat', email: 'public@example.com' };
    emails = [
      { email: 'old@example.com', primary: false, verified: true },
      { email: 'octocat@example.com', primary: true, verified: true },
    ];
    const first = await signIn('github.com');
    expect(first).toMatchObject({
      kind: 'signed_in',
      person: { email: 'octocat@example.com', emailVerified: true, name: 'The Octocat' },
    });
    expect(begun.location.href).toMatch(/^https:\/\/github\.com\/login\/oauth\/authorize\?/);
    expect(begun.request).toMatchObject({
      scope: 'user:email',
      code_challenge_method: 'S256',
      redirect_uri: redirectUriOf('github.com'),
    });
    user = { id: 583231, login: 'renamed', name: null };
    expect(await signIn('github.com')).toMatchObject({
      person: { userId: first.kind === 'signed_in' && first.person.userId, name: 'renamed' },
    });
    user = { id: 1, login: 'octocat', name: null };
    const other = await signIn('github.com');
    expect(other.kind === 'signed_in' && first.kind === 'signed_in' && other.person.userId !== first.person.userId).toBe(
      true,
    );
  });

  it.each([
    ['unverified', [{ email: 'a@example.com', primary: true, verified: false }]],
    ['not primary', [{ email: 'a@example.com', primary: false, verified: true }]],
    ['missing', []],
    ['not in a list', { message: 'no' }],
    ['null', [null]],
  ])('users whose address is %s have none', async (_, list) => {
    [user, emails] = [{ id: 7_000 + JSON.stringify(list).length, login: 'x' }, list];
    expect(await signIn('github.com')).toMatchObject({ kind: 'signed_in', person: { email: null, emailVerified: false } });
  });

  it.each([[{ login: 'x' }], [{ id: '583231' }], [{ id: 1.5 }], [null], ['x']])('has no user %j', async (answer) => {
    [user, emails] = [answer, []];
    expect(await signIn('github.com')).toMatchObject({ kind: 'refused' });
  });

  it('refuses a rejected code and the state of another flow', async () => {
    expect(await signIn('github.com', { code: 'stale' })).toMatchObject({ kind: 'refused', reason: 'invalid' });
    expect(await signIn('github.com', { state: 'another' })).toMatchObject({ kind: 'refused', reason: 'invalid' });
  });
});
