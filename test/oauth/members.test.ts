/** Effects of a membership on sign-in: the account, the tokens, and when they end. */
import type { MemberRole } from '@holdfast/contract';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invite, ofOperator } from '../../packages/server/src/management/invitations.ts';
import type { Member } from '../../packages/server/src/storage/contract/members.ts';
import { byOperator } from '../../packages/server/src/storage/store-suite/records.fixture.ts';
import { developerUri, openWorld, returned, type TokenSet, tokensOf, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const client = { client_id: 'svc-developer', redirect_uri: developerUri };
type Changes = Readonly<Record<string, unknown>>;

/** Posts the form of the login page; `claims` belong to the ID token. */
async function open(sub: string, changes: Readonly<Record<string, string | undefined>> = {}, claims: Changes = {}) {
  const idToken = await world.idToken({ sub, firebase: {}, ...claims });
  return returned(await world.complete(await world.callbackForm({ ...client, idp_id_token: idToken, ...changes })));
}

async function signIn(
  sub: string,
  changes: Readonly<Record<string, string | undefined>> = {},
  claims: Changes = {},
): Promise<TokenSet> {
  const { code = '' } = await open(sub, changes, claims);
  return tokensOf(await world.redeem(code, client));
}

const accountOf = ({ access_token }: TokenSet): string => String(decodeJwt(access_token).svc_account_id);
const bearerOf = ({ access_token }: TokenSet) => ({ Authorization: `Bearer ${access_token}` });
const inviteTo = (accountId: string, role: MemberRole = 'viewer', more: { email?: string } = {}) =>
  invite(world.server.running.store, { ...byOperator, at: world.now() }, { ...ofOperator, accountId, role, ...more });
const memberOf = async (accountId: string, subject: string): Promise<Member> =>
  (await world.server.running.store.findMember(accountId, world.provider.issuer, subject)) as Member;
const owner = { role: 'owner', environments: null } as const;

describe('a developer of several accounts', () => {
  it('gets the first joined account, or the requested one, but never another developer’s', async () => {
    const own = accountOf(await signIn('ada'));
    const { accountId } = await world.server.newDeveloper('Older');
    expect(accountOf(await signIn('ada', { invitation: (await inviteTo(accountId)).token }))).toBe(accountId);
    expect(accountOf(await signIn('ada'))).toBe(own);
    expect(accountOf(await signIn('ada', { account_id: accountId }))).toBe(accountId);
    const strange = (await world.server.newDeveloper('Strange')).accountId;
    for (const account_id of [strange, 'acc_none', 'x'.repeat(10_000)]) {
      expect(await open('ada', { account_id })).toMatchObject({
        error: 'access_denied',
        error_description: expect.stringMatching(/not a member of this account/),
      });
    }
    const { items } = (await world.server.call('GET', '/v1/developer/accounts', { headers: bearerOf(await signIn('ada')) }))
      .json as { items: unknown[] };
    expect(items).toMatchObject([
      { accountId: own, role: 'owner' },
      { accountId, name: 'Older', role: 'viewer' },
    ]);
  });

  it('has separate tokens for each account', async () => {
    const first = await signIn('bob');
    const { accountId } = await world.server.newDeveloper();
    const second = await signIn('bob', { invitation: (await inviteTo(accountId)).token });
    for (const [tokens, other] of [
      [first, accountId],
      [second, accountOf(first)],
    ] as const) {
      expect((await world.server.call('GET', `/v1/${other}`, { headers: bearerOf(tokens) })).status).toBe(403);
      expect(accountOf(tokensOf(await world.refresh(tokens.refresh_token, { client_id: 'svc-developer' })))).not.toBe(
        other,
      );
    }
  });
});

describe('an invited developer', () => {
  it('gets no new account, and the name and address from the provider', async () => {
    const { accountId } = await world.server.newDeveloper();
    const { token } = await inviteTo(accountId, 'editor');
    await signIn('eve', { invitation: token }, { email: 'eve@example.com', email_verified: true, name: 'Eve' });
    expect(accountOf(await signIn('eve'))).toBe(accountId);
    expect(await memberOf(accountId, 'eve')).toMatchObject({ role: 'editor', email: 'eve@example.com', name: 'Eve' });
  });

  it.each<[string, Changes]>([
    ['another address', { email: 'other@example.com', email_verified: true }],
    ['an unverified address', { email: 'guest@example.com', email_verified: false }],
    ['no address', {}],
  ])('of an invited address, with %s: is refused, and the invitation stays valid', async (_, claims) => {
    const { accountId } = await world.server.newDeveloper();
    const { token } = await inviteTo(accountId, 'viewer', { email: 'Guest@example.com' });
    expect(await open('fay', { invitation: token }, claims)).toMatchObject({
      error: 'access_denied',
      error_description: expect.stringMatching(/another email address/),
    });
    const right = { email: 'guest@EXAMPLE.com', email_verified: true };
    expect(accountOf(await signIn(`fay at ${accountId}`, { invitation: token }, right))).toBe(accountId);
  });

  it('is refused if the inviter was removed meanwhile', async () => {
    const { store } = world.server.running;
    const { accountId } = await world.server.newDeveloper();
    await signIn('gus', { invitation: (await inviteTo(accountId, 'admin')).token });
    const { memberId } = await memberOf(accountId, 'gus');
    const about = { ...ofOperator, accountId, role: 'viewer', makerId: memberId } as const;
    const { token } = await invite(store, { ...byOperator, at: world.now() }, about);
    await store.removeMember(byOperator, accountId, memberId ?? '', owner);
    expect(await open('hal', { invitation: token })).toMatchObject({
      error: 'access_denied',
      error_description: expect.stringMatching(/withdrawn/),
    });
  });

  it('keeps their role when opening an invitation for another role', async () => {
    const { accountId } = await world.server.newDeveloper();
    await signIn('ida', { invitation: (await inviteTo(accountId, 'viewer')).token });
    expect(await open('ida', { invitation: (await inviteTo(accountId, 'owner')).token })).toMatchObject({
      error: 'access_denied',
      error_description: expect.stringMatching(/already/),
    });
    expect(await memberOf(accountId, 'ida')).toMatchObject({ role: 'viewer' });
  });
});

describe('a removed member', () => {
  it('gets no tokens, whatever they hold, and a new account at the next sign-in', async () => {
    const { store } = world.server.running;
    const { accountId } = await world.server.newDeveloper();
    const tokens = await signIn('joe', { invitation: (await inviteTo(accountId)).token });
    const { code = '' } = await open('joe');
    const { memberId } = await memberOf(accountId, 'joe');
    await store.removeMember(byOperator, accountId, memberId ?? '', owner);
    expect((await world.server.call('GET', `/v1/${accountId}`, { headers: bearerOf(tokens) })).status).toBe(401);
    expect(await world.refresh(tokens.refresh_token, { client_id: 'svc-developer' })).toMatchObject({
      status: 400,
      json: { error: 'invalid_grant' },
    });
    expect((await world.redeem(code, client)).status).toBe(400);
    expect(accountOf(await signIn('joe'))).not.toBe(accountId);
  });

  it('gets none from a family created during the removal either', async () => {
    const { store } = world.server.running;
    const { accountId } = await world.server.newDeveloper();
    await signIn('kay', { invitation: (await inviteTo(accountId)).token });
    const { memberId } = await memberOf(accountId, 'kay');
    // The callback lets the member in, who is then removed before the code is issued.
    const { addAuthorizationCode } = store;
    const form = await world.callbackForm({ ...client, idp_id_token: await world.idToken({ sub: 'kay', firebase: {} }) });
    Object.assign(store, {
      addAuthorizationCode: async (...given: Parameters<typeof addAuthorizationCode>) => {
        await store.removeMember(byOperator, accountId, memberId ?? '', owner);
        return addAuthorizationCode.call(store, ...given);
      },
    });
    const { code = '' } = returned(await world.complete(form));
    Object.assign(store, { addAuthorizationCode });
    const tokens = tokensOf(await world.redeem(code, client));
    expect((await world.server.call('GET', `/v1/${accountId}`, { headers: bearerOf(tokens) })).status).toBe(401);
    const refresh = () => world.refresh(tokens.refresh_token, { client_id: 'svc-developer' });
    expect((await refresh()).status).toBe(400);
    expect((await refresh()).status).toBe(400);
  });
});
