/** The page *Your sign-in*, by forms: access, content, changes, and protection from other users. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashIfSecret } from '../../packages/server/src/common/secrets/secret-text.ts';
import { invite, ofOperator } from '../../packages/server/src/management/invitations.ts';
import { byOperator } from '../../packages/server/src/storage/store-suite/records.fixture.ts';
import { createFormClient, type PageAnswer, unescaped } from '../../tooling/forms.ts';
import { type AccountWorld, claimsOf, faultOf, noticeOf, openAccountWorld, password, titleOf } from './account-world.ts';
import type { LoginClient } from './world.ts';

let at: AccountWorld;
beforeAll(async () => {
  at = await openAccountWorld();
});
afterAll(() => at.world.stop());

const title = 'Your sign-in – Holdfast';
const firefox = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
const windows = {
  'User-Agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
};
/** The place and the id of each session on a page, in its order. */
const sessionsOf = ({ text }: PageAnswer) =>
  [...text.matchAll(/<li><div><strong>([^<]*)<\/strong>(?:(?!<li>).)*?name="session" value="([^"]*)"/gs)].map(
    ([, place = '', id = '']) => ({ place: unescaped(place), id }),
  );

describe('the page *Your sign-in*', () => {
  it('opens after a sign-in only, for ten minutes', async () => {
    const person = await at.newPerson();
    const { form } = person;
    const refused = await form.get(at.accountUrl());
    expect([refused.status, refused.location]).toEqual([303, '/authorize?client_id=svc-developer&purpose=account']);
    const page = await at.openAccount(person);
    expect([page.status, titleOf(page)]).toEqual([200, title]);
    expect(page.text).toContain(`Signed in as ${person.address}.`);
    expect(page.text).not.toContain('idp_id_token');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'nonce-");
    // The proof is only valid in this browser.
    const stolen = createFormClient(at.world.baseUrl);
    await stolen.get(at.authorizeUrl());
    for (const [name, value] of form.cookies) if (name.endsWith('account')) stolen.cookies.set(name, value);
    expect((await stolen.get(at.accountUrl())).status).toBe(303);
    at.pass(10 * 60_000 + 1_000);
    expect((await form.get(at.accountUrl())).status).toBe(303);
    expect((await at.act(person, page, 'end-sessions')).status).toBe(303);
  });

  it('closes ten minutes after the sign-in, even during use', async () => {
    const person = await at.newPerson();
    const page = await at.openAccount(person);
    for (let minute = 4; minute < 10; minute += 4) {
      at.pass(4 * 60_000);
      expect(noticeOf(await at.act(person, page, 'end-sessions'))).toContain('signed out everywhere');
    }
    at.pass(2 * 60_000 + 1_000);
    expect((await person.form.get(at.accountUrl())).status).toBe(303);
  });

  it('refuses forms from other sites or browsers, and unknown forms', async () => {
    const person = await at.newPerson();
    const page = await at.openAccount(person);
    const fields = { action: 'end-sessions' };
    expect((await person.form.post(at.accountUrl(), fields)).status).toBe(403);
    const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
    const crossSite = await person.form.post(at.accountUrl(), { ...fields, csrf }, { 'Sec-Fetch-Site': 'cross-site' });
    expect(crossSite.status).toBe(403);
    const stranger = createFormClient(at.world.baseUrl);
    await stranger.get(at.authorizeUrl());
    expect((await stranger.post(at.accountUrl(), { ...fields, csrf })).status).toBe(403);
    for (const action of ['', 'unknown', 'constructor']) {
      expect((await at.act(person, page, action)).status).toBe(422);
    }
    expect((await person.form.get('/account?client_id=unknown')).status).toBe(400);
    expect((await person.form.get('/account')).status).toBe(400);
    expect((await person.form.get(`${at.accountUrl()}&client_id=svc-developer`)).status).toBe(400);
  });

  it('shows sessions, and ends one or all', async () => {
    const person = await at.newPerson();
    const { form, address } = person;
    await at.act(person, await at.openAccount(person), 'end-sessions');
    at.pass(1_000);
    const signIn = async (headers: Readonly<Record<string, string>>) =>
      at.redeem(await at.comeBack(form, await at.enter(form, address)), undefined, headers);
    const one = await signIn(firefox);
    const other = await signIn(windows);
    at.pass(60_000);
    const moved = await at.refresh(one, { 'User-Agent': 'holdfast-client/0.1 node' });
    expect(moved.status).toBe(200);

    const page = await at.openAccount(person);
    const sessions = sessionsOf(page);
    expect(sessions.map(({ place }) => place)).toEqual(['holdfast-client · 127.0.0.0/24', 'Edge · Windows · 127.0.0.0/24']);
    expect(page.text).not.toContain(other.refresh_token.split('.')[0]?.slice(5));
    const ended = await at.act(person, page, 'end-session', { session: sessions[1]?.id ?? '' });
    expect(noticeOf(ended)).toContain('signed out there');
    expect((await at.refresh(other)).status).toBe(400);
    expect(noticeOf(await at.act(person, page, 'end-session', { session: sessions[1]?.id ?? '' }))).toContain(
      'no longer exists',
    );

    // A user cannot end another user's session.
    const stranger = await at.newPerson();
    const theirs = await at.openAccount(stranger);
    expect((await at.act(stranger, theirs, 'end-session', { session: sessions[0]?.id ?? '' })).status).toBe(422);
    const still = await at.refresh(moved.body);
    expect(still.status).toBe(200);

    const waiting = await at.enter(createFormClient(at.world.baseUrl), address);
    at.pass(1_000);
    const all = await at.act(person, page, 'end-sessions');
    expect([noticeOf(all), sessionsOf(all)]).toEqual([expect.stringContaining('signed out everywhere'), []]);
    expect((await at.refresh(still.body)).status).toBe(400);
    // Sign-ins in progress end too; this page stays open.
    const late = await at.comeBack(form, waiting).catch(() => undefined);
    expect(late?.searchParams.get('code') ?? null).toBeNull();
    expect((await form.get(at.accountUrl())).status).toBe(200);
  });

  it('changes the password, and ends all other sessions', async () => {
    const person = await at.newPerson();
    const { form, address } = person;
    const tokens = await at.redeem(await at.comeBack(form, await at.enter(form, address)));
    const page = await at.openAccount(person);
    const other = createFormClient(at.world.baseUrl);
    const there = await at.openAccount({ ...person, form: other });
    for (const [secret, fault] of [
      ['short', /too short/],
      ['password', /common/],
      ['x'.repeat(300), /too long/],
    ] as const) {
      const refused = await at.act(person, page, 'change-password', { password: secret });
      expect([refused.status, faultOf(refused)]).toEqual([422, expect.stringMatching(fault)]);
    }
    at.pass(1_000);
    const changed = await at.act(person, page, 'change-password', { password: 'a much better password' });
    expect(noticeOf(changed)).toContain('has been changed');
    expect((await at.refresh(tokens)).status).toBe(400);
    expect((await other.get(at.accountUrl())).status).toBe(303);
    expect((await at.act({ form: other }, there, 'end-sessions')).status).toBe(303);
    expect((await form.get(at.accountUrl())).status).toBe(200);
    expect((await at.enter(form, address)).status).toBe(422);
    at.pass(1_000);
    expect(titleOf(await at.enter(form, address, at.authorizeUrl(), 'a much better password'))).toContain('Signed in');
  });

  it('can be closed with a button', async () => {
    const person = await at.newPerson();
    const left = await at.act(person, await at.openAccount(person), 'leave');
    expect(left.status).toBe(200);
    expect((await person.form.get(at.accountUrl())).status).toBe(303);
  });

  it('creates no accounts, and speaks the browser’s language', async () => {
    const form = createFormClient(at.world.baseUrl);
    const page = await form.get('/authorize?client_id=svc-developer&purpose=account', { 'Accept-Language': 'de' });
    expect(page.text).toContain('Melden Sie sich noch einmal an');
    expect(page.text).not.toContain('/authorize/sign-up');
    const signUp = await form.get('/authorize/sign-up?client_id=svc-developer&purpose=account');
    expect(signUp.status).toBe(403);
    const german = await form.get('/account?client_id=svc-developer&ui_locales=de');
    expect(german.location).toContain('ui_locales=de');
  });
});

describe('a developer who deletes their sign-in', () => {
  it('is refused as the last owner of an account, and otherwise deleted', async () => {
    const person = await at.newPerson();
    const page = await at.openAccount(person);
    expect((await at.act(person, page, 'delete')).status).toBe(422);
    for (const action of ['export', 'erase']) {
      expect((await at.act(person, page, action, { sure: 'yes' })).status).toBe(422);
    }
    const last = await at.act(person, page, 'delete', { sure: 'yes' });
    expect([last.status, noticeOf(last)]).toEqual([422, expect.stringContaining('last owner of the account')]);
    const { store } = at.world.server.running;
    const about = { ...ofOperator, accountId: person.accountId, role: 'owner' } as const;
    const { token } = await invite(store, { ...byOperator, at: at.now() }, about);
    const hash = hashIfSecret(token) ?? new Uint8Array();
    const claims = { email: null, name: null };
    expect(await store.acceptInvitation(byOperator, hash, 'built-in', 'usr_other', claims, at.now(), 9)).toMatchObject({
      kind: 'joined',
    });
    const tokens = await at.redeem(await at.comeBack(person.form, await at.enter(person.form, person.address)));
    const gone = await at.act(person, page, 'delete', { sure: 'yes' });
    expect([gone.status, titleOf(gone)]).toEqual([200, 'Your sign-in is deleted – Holdfast']);
    expect((await at.refresh(tokens)).status).toBe(400);
    const headers = { Authorization: `Bearer ${tokens.access_token}` };
    expect((await at.world.server.call('GET', `/v1/${person.accountId}`, { headers })).status).toBe(401);
    expect((await at.enter(person.form, person.address)).status).toBe(422);
    expect((await person.form.get(at.accountUrl())).status).toBe(303);
  });
});

describe('a player', () => {
  let client: LoginClient;
  beforeAll(async () => {
    client = await at.world.newClient({}, 'Sea of Glass');
  });

  it('has the same page in the game’s colours, without options for developers', async () => {
    const person = await at.newPerson(client);
    const page = await at.openAccount(person, client);
    expect(titleOf(page)).toBe('Your sign-in – Sea of Glass');
    expect(page.text).toContain('Sea of Glass · production');
    expect(page.text).not.toContain('Second factor');
    expect(page.text).not.toContain('Delete your sign-in');
    for (const action of ['begin-second-factor', 'delete', 'remove-second-factor']) {
      expect((await at.act(person, page, action, { sure: 'yes' }, client)).status).toBe(422);
    }
    const [session] = sessionsOf(page);
    expect(noticeOf(await at.act(person, page, 'end-session', { session: session?.id ?? '' }, client))).toContain(
      'signed out there',
    );
  });

  it('downloads their data as a file, and deletes everything after a confirmation', async () => {
    const person = await at.newPerson(client);
    const tokens = await at.redeem(
      await at.comeBack(person.form, await at.enter(person.form, person.address, at.authorizeUrl(client))),
      client,
    );
    const { user_id: userId } = claimsOf(tokens.access_token);
    const path = `/v1/${person.accountId}/projects/game`;
    const headers = { Authorization: `Bearer ${tokens.access_token}` };
    const { server } = at.world;
    const saved = await server.call('PATCH', `${path}/user-state/production`, {
      headers: { ...headers, 'If-None-Match': '*' },
      body: { ops: [{ op: 'add', path: '/gold', value: 7 }] },
    });
    expect(saved.status, saved.text).toBe(200);
    const page = await at.openAccount(person, client);
    const file = await at.act(person, page, 'export', {}, client);
    expect(file.status).toBe(200);
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="game.json"');
    expect(file.headers.get('cache-control')).toBe('no-store');
    const exported = await server.call('GET', `${path}/me/export`, { headers });
    expect(file.text).toBe(exported.text);
    expect(JSON.parse(file.text)).toMatchObject({
      userId,
      methods: [{ provider: 'password', email: person.address }],
      environments: { production: { version: 1, state: { gold: 7 } } },
    });

    const unsure = await at.act(person, page, 'erase', {}, client);
    expect([unsure.status, noticeOf(unsure)]).toEqual([422, expect.stringContaining('Nothing has changed')]);
    const gone = await at.act(person, page, 'erase', { sure: 'yes' }, client);
    expect([gone.status, titleOf(gone)]).toEqual([200, 'Everything is deleted – Sea of Glass']);
    expect((await person.form.get(at.accountUrl(client))).status).toBe(303);
    expect((await at.refresh(tokens, {}, client)).status).toBe(400);
    expect((await server.call('GET', `${path}/me`, { headers })).status).toBe(401);
    expect((await at.enter(person.form, person.address, at.authorizeUrl(client))).status).toBe(422);
    const players = await server.call('GET', `${path}/players`, { headers: client.developer.bearer });
    expect(JSON.stringify(players.json)).not.toContain(String(userId));
  });

  it('keeps the sign-in if another project has a user state, and is signed out of both', async () => {
    const { developer } = client;
    const { server } = at.world;
    const path = `/v1/${developer.accountId}/projects`;
    await server.call('POST', path, { headers: developer.bearer, body: { slug: 'other' } });
    const settings = { enabled: true, redirectUris: [at.world.appUri], allowedIdps: ['password'] };
    await server.call('PUT', `${path}/other/auth/end-user/config`, { headers: developer.bearer, body: settings });
    const other = { ...client, clientId: `${developer.accountId}.other` };
    const person = await at.newPerson(client);
    const tokens = await at.redeem(
      await at.comeBack(person.form, await at.enter(person.form, person.address, at.authorizeUrl(other))),
      other,
    );
    const headers = { Authorization: `Bearer ${tokens.access_token}`, 'If-None-Match': '*' };
    const body = { ops: [{ op: 'add', path: '/gold', value: 7 }] };
    await server.call('PATCH', `${path}/other/user-state/production`, { headers, body });
    const page = await at.openAccount(person, client);
    at.pass(1_000);
    expect((await at.act(person, page, 'erase', { sure: 'yes' }, client)).status).toBe(200);
    expect((await at.refresh(tokens, {}, other)).status).toBe(400);
    at.pass(1_000);
    expect((await at.enter(person.form, person.address, at.authorizeUrl(other))).status).toBe(200);
  });

  it('sees that a guest’s progress is kept', async () => {
    const upgrade = async (language: string, from: string) =>
      (
        await createFormClient(at.world.baseUrl).get(at.world.authorizeUrl(client, { purpose: 'upgrade' }, from), {
          'Accept-Language': language,
        })
      ).text;
    expect(await upgrade('en', '/authorize')).toContain('<h1>Keep your progress</h1>');
    expect(await upgrade('en', '/authorize/sign-up')).toContain('<h1>Keep your progress</h1>');
    expect(await upgrade('de', '/authorize')).toContain('<h1>Fortschritt behalten</h1>');
    expect(await upgrade('en', '/authorize')).toContain('purpose=upgrade');
    const developers = await createFormClient(at.world.baseUrl).get(
      at.world.authorizeUrl(undefined, { purpose: 'upgrade' }),
    );
    expect(developers.text).not.toContain('Keep your progress');
  });

  it('of one account is unknown in another, and to developers', async () => {
    const person = await at.newPerson(client);
    await at.openAccount(person, client);
    const elsewhere = await at.world.newClient();
    expect((await person.form.get(at.accountUrl(elsewhere))).status).toBe(303);
    expect((await person.form.get(at.accountUrl())).status).toBe(303);
    expect((await at.enter(person.form, person.address, at.authorizeUrl(elsewhere), password)).status).toBe(422);
  });
});
