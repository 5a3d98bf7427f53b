import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { byOperator } from '../../packages/server/src/storage/store-suite/records.fixture.ts';
import { race } from './rounds.ts';
import { appUri, developerUri, openWorld, returned, type TokenSet, tokensOf, type World } from './world.ts';

let world: World;
let closed: World;
beforeAll(async () => {
  [world, closed] = await Promise.all([openWorld(), openWorld({ settings: { SVC_DEVELOPER_SIGNUP: 'closed' } })]);
});
afterAll(() => Promise.all([world.stop(), closed.stop()]));

const client = { client_id: 'svc-developer', redirect_uri: developerUri };

async function signIn(claims: Readonly<Record<string, unknown>>, changes = {}): Promise<TokenSet> {
  const idToken = await world.idToken({ firebase: { sign_in_provider: 'google.com' }, ...claims });
  const code = await world.newCode({ ...client, scope: undefined, idp_id_token: idToken, ...changes });
  return tokensOf(await world.redeem(code, client));
}

const accountOf = ({ access_token }: TokenSet) => decodeJwt(access_token).svc_account_id as string;

describe('a developer', () => {
  it('gets an account at the first sign-in, and the same one afterwards', async () => {
    const first = await signIn({ sub: 'grace', name: 'Grace' });
    expect(first.scope).toBe('developer');
    expect(decodeJwt(first.access_token)).toMatchObject({
      svc_role: 'developer',
      sub: 'grace',
      client_id: 'svc-developer',
    });
    const accountId = accountOf(first);
    const headers = { Authorization: `Bearer ${first.access_token}` };
    const account = await world.server.call('GET', `/v1/${accountId}`, { headers });
    expect(account.json).toMatchObject({ accountId, name: 'Grace' });
    expect(accountOf(await signIn({ sub: 'grace', name: 'Grace H.' }))).toBe(accountId);
  });

  it('cannot require a second factor with an outside issuer', async () => {
    const tokens = await signIn({ sub: 'hedy' });
    const headers = { Authorization: `Bearer ${tokens.access_token}` };
    for (const requireSecondFactor of [true, false]) {
      const body = { name: 'Unchanged', requireSecondFactor };
      const answer = await world.server.call('PATCH', `/v1/${accountOf(tokens)}`, { headers, body });
      expect([answer.status, answer.json]).toEqual([409, expect.objectContaining({ error: 'outside_issuer' })]);
    }
    const { json } = await world.server.call('GET', `/v1/${accountOf(tokens)}`, { headers });
    expect(json).toMatchObject({ requireSecondFactor: false, name: expect.not.stringContaining('Unchanged') });
    // An account that already had the requirement is not locked out.
    await world.server.running.store.updateAccount(byOperator, accountOf(tokens), { requireSecondFactor: true });
    expect(accountOf(await signIn({ sub: 'hedy' }))).toBe(accountOf(tokens));
  });

  it('is identified by subject, never by email', async () => {
    const email = { email: 'same@example.com', email_verified: true };
    const [one, other] = [await signIn({ sub: 'one', ...email }), await signIn({ sub: 'other', ...email })];
    expect(accountOf(one)).not.toBe(accountOf(other));
  });

  it('gets one account from many simultaneous first sign-ins', async () => {
    const all = await race(30, () => signIn({ sub: 'many' }));
    expect(new Set(all.map(accountOf)).size).toBe(1);
  });

  it.each(['env:production', 'anything', ''])('may send any scope, which is ignored: "%s"', async (scope) => {
    expect((await signIn({ sub: 'scoped' }, { scope })).scope).toBe('developer');
  });

  it('keeps the same account after a refresh', async () => {
    const first = await signIn({ sub: 'refreshing' });
    const second = tokensOf(await world.refresh(first.refresh_token, { client_id: 'svc-developer' }));
    expect(accountOf(second)).toBe(accountOf(first));
    expect(second.scope).toBe('developer');
  });

  it('has a last-seen time from sign-in and from a refresh an hour later, but not a minute later', async () => {
    const seenAt = async () => {
      const { items } = await world.server.running.store.listAccounts({ after: null, itemsMax: 500 });
      return items.find((item) => item.accountId === accountOf(tokens))?.lastSeenAt ?? 0;
    };
    const hour = 60 * 60 * 1000;
    let tokens = await signIn({ sub: 'seen' });
    const refresh = async () => {
      tokens = tokensOf(await world.refresh(tokens.refresh_token, { client_id: 'svc-developer' }));
    };
    await vi.waitFor(async () => expect(await seenAt()).toBeGreaterThan(world.now() - hour / 60), { timeout: 60_000 });
    const signedInAt = await seenAt();
    world.pass(hour / 60);
    await refresh();
    world.pass(hour);
    await refresh();
    await vi.waitFor(async () => expect(await seenAt()).toBeGreaterThan(signedInAt), { timeout: 60_000 });
    expect(await seenAt()).toBeGreaterThanOrEqual(signedInAt + hour + hour / 60);
  });

  it('is refused immediately after deleting the account, and can start again', async () => {
    const first = await signIn({ sub: 'leaving' });
    const headers = { Authorization: `Bearer ${first.access_token}` };
    const accountId = accountOf(first);
    expect((await world.server.call('DELETE', `/v1/${accountId}`, { headers })).status).toBe(204);
    expect((await world.server.call('GET', `/v1/${accountId}`, { headers })).status).toBe(401);
    expect((await world.refresh(first.refresh_token, { client_id: 'svc-developer' })).status).toBe(400);
    expect(accountOf(await signIn({ sub: 'leaving' }))).not.toBe(accountId);
  });

  it('cannot be a player: an ID token with a tenant is access_denied', async () => {
    const form = await world.callbackForm({ ...client, idp_id_token: await world.idToken({ sub: 'grace' }) });
    expect(returned(await world.complete(form))).toMatchObject({ error: 'access_denied' });
  });

  it('cannot use a project’s redirect URI', async () => {
    const idToken = await world.idToken({ sub: 'grace', firebase: {} });
    const form = await world.callbackForm({ ...client, redirect_uri: appUri, idp_id_token: idToken });
    expect((await world.complete(form)).status).toBe(400);
  });

  it('is access_denied if unknown while sign-up is closed', async () => {
    const idToken = await closed.idToken({ sub: 'new', firebase: {} });
    const form = await closed.callbackForm({ ...client, idp_id_token: idToken });
    expect(returned(await closed.complete(form))).toMatchObject({ error: 'access_denied' });
  });
});
