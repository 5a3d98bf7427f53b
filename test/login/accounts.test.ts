/** A developer's accounts on the login page: choosing one, having none, and switching without a password. */
import type { MemberRole } from '@holdfast/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consoleRedirectUri } from '../../packages/server/src/common/net/console-addresses.ts';
import { hashSecret } from '../../packages/server/src/common/secrets/secret-text.ts';
import { invite, ofOperator } from '../../packages/server/src/management/invitations.ts';
import { builtInIssuerName } from '../../packages/server/src/storage/contract/identity.ts';
import { byOperator } from '../../packages/server/src/storage/store-suite/records.fixture.ts';
import { createFormClient, type FormClient, type PageAnswer, signUpByForms } from '../../tooling/forms.ts';
import { type LoginWorld, openLoginWorld } from './world.ts';

let world: LoginWorld;
beforeAll(async () => {
  world = await openLoginWorld();
});
afterAll(() => world.stop());

const password = 'four random words of mine';
const callback = '/v1/auth/authorize/callback';
let people = 0;

interface Developer {
  readonly email: string;
  readonly subject: string;
  readonly accountId: string;
  readonly form: FormClient;
}

/** Finishes a sign-in from the page that continues automatically; returns the claims of the token. */
async function arrive(form: FormClient, page: PageAnswer): Promise<Readonly<Record<string, unknown>>> {
  expect(page.text, page.location ?? undefined).toContain('id="continue-form"');
  return world.redeem((await form.send(page, callback, {})).location as string);
}

async function newDeveloper(): Promise<Developer> {
  const email = `developer-${++people}@example.com`;
  const form = createFormClient(world.baseUrl);
  const { sub, svc_account_id: accountId } = await arrive(form, await signUpByForms(world, form, email, password));
  return { email, subject: String(sub), accountId: String(accountId), form };
}

/** Makes a developer a member of another account; returns its id. */
async function join({ subject }: Developer, name: string, role: MemberRole): Promise<string> {
  const { store } = world.server.running;
  const { accountId } = await world.server.newDeveloper(name);
  const { token } = await invite(store, { ...byOperator, at: Date.now() }, { ...ofOperator, accountId, role });
  const claims = { email: null, name: null };
  await store.acceptInvitation(byOperator, hashSecret(token), builtInIssuerName, subject, claims, Date.now(), 100);
  return accountId;
}

async function signIn(
  form: FormClient,
  email: string,
  changes: Readonly<Record<string, string>> = {},
): Promise<PageAnswer> {
  const page = await form.get(world.authorizeUrl(undefined, changes));
  return form.send(page, '/authorize/sign-in', { email, password });
}

describe('a developer of several accounts', () => {
  it('chooses one, which is offered first next time', async () => {
    const ada = await newDeveloper();
    const other = await join(ada, 'Sea & <Sons>', 'viewer');
    const form = createFormClient(world.baseUrl);
    const page = await signIn(form, ada.email);
    expect(page.text).toContain('Which account?');
    expect(page.text).toContain('Sea &amp; &lt;Sons&gt;');
    expect(page.text.indexOf(ada.accountId)).toBeLessThan(page.text.indexOf(other));
    const chosen = await form.send(page, '/authorize/account', { account_id: other });
    const days = 24 * 60 * 60;
    const [, maxAge] = /chosen=[^;]+;.* Max-Age=(\d+)/.exec(chosen.headers.getSetCookie().join('\n')) ?? [];
    expect(Number(maxAge) / days).toBe(400);
    expect(await arrive(form, chosen)).toMatchObject({ svc_account_id: other, sub: ada.subject });
    const again = await signIn(form, ada.email);
    expect(again.text.indexOf(other)).toBeLessThan(again.text.indexOf(ada.accountId));
    expect(again.text).toContain('last used');
    expect((await signIn(form, ada.email, { ui_locales: 'de' })).text).toContain('Welches Konto?');
  });

  it('skips the choice if the client names one of their accounts, but not another developer’s', async () => {
    const ada = await newDeveloper();
    const other = await join(ada, 'Other', 'editor');
    const strange = (await world.server.newDeveloper('Strange')).accountId;
    const form = createFormClient(world.baseUrl);
    expect(await arrive(form, await signIn(form, ada.email, { account_id: other }))).toMatchObject({
      svc_account_id: other,
    });
    const page = await signIn(form, ada.email, { account_id: strange });
    expect(page.text).toContain('Which account?');
    const forced = await form.send(page, '/authorize/account', { account_id: strange });
    expect([forced.status, forced.location]).toEqual([303, expect.stringMatching(/^\/authorize\?/)]);
    const late = await form.send(page, '/authorize/account', { account_id: other, idp_id_token: 'x' });
    expect(late.status).toBe(303);
    expect((await form.post(world.authorizeUrl(undefined, {}, '/authorize/account'), { account_id: other })).status).toBe(
      403,
    );
  });

  it('gets the first joined account from a callback without one, and never another developer’s', async () => {
    const ada = await newDeveloper();
    await join(ada, 'Other', 'editor');
    const form = createFormClient(world.baseUrl);
    const page = await signIn(form, ada.email);
    const [, idToken = ''] = /name="idp_id_token" value="([^"]+)"/.exec(page.text) ?? [];
    const fields = Object.fromEntries(new URL(world.authorizeUrl()).searchParams);
    const complete = (more: Readonly<Record<string, string>>) =>
      form.post(callback, { ...fields, idp_id_token: idToken, ...more });
    expect(await world.redeem((await complete({})).location as string)).toMatchObject({ svc_account_id: ada.accountId });
    const strange = (await world.server.newDeveloper('Strange')).accountId;
    const refused = new URL((await complete({ account_id: strange })).location as string).searchParams;
    expect(refused.get('error')).toBe('access_denied');
    expect(refused.get('error_description')).toMatch(/not a member of this account/);
  });
});

it('a developer who left every account is asked before a new one is created', async () => {
  const ada = await newDeveloper();
  const { store } = world.server.running;
  const { accountId } = await world.server.newDeveloper('Left');
  const owner = { role: 'owner', environments: null } as const;
  const { token } = await invite(
    store,
    { ...byOperator, at: Date.now() },
    { ...ofOperator, accountId: ada.accountId, role: 'owner' },
  );
  await store.acceptInvitation(
    byOperator,
    hashSecret(token),
    builtInIssuerName,
    'heir',
    { email: null, name: null },
    Date.now(),
    9,
  );
  const member = await store.findMember(ada.accountId, builtInIssuerName, ada.subject);
  expect(await store.removeMember(byOperator, ada.accountId, member?.memberId ?? '', owner)).toMatchObject({
    kind: 'removed',
  });
  const form = createFormClient(world.baseUrl);
  const page = await signIn(form, ada.email);
  expect(page.text).toContain('You have no account');
  const created = await world.redeem((await form.send(page, callback, {})).location as string);
  expect([ada.accountId, accountId]).not.toContain(created.svc_account_id);
});

describe('an invitation', () => {
  const carry = async (form: FormClient, state: string, token: string) => {
    const url = world.authorizeUrl(undefined, { state }, '/authorize/invitation');
    expect((await form.post(url, { invitation: token })).status).toBe(204);
  };
  const carried = (form: FormClient) => [...form.cookies.keys()].filter((name) => name.includes('invitation'));

  it('is removed from the browser once it is accepted, and others stay', async () => {
    const ada = await newDeveloper();
    const { accountId } = await world.server.newDeveloper('Lanternfish Games');
    const by = { ...byOperator, at: Date.now() };
    const { token } = await invite(world.server.running.store, by, { ...ofOperator, accountId, role: 'viewer' });
    const form = createFormClient(world.baseUrl);
    const state = 'state of the app';
    await carry(form, 'another', 'x'.repeat(43));
    await carry(form, state, token);
    expect(carried(form)).toHaveLength(2);
    expect(await arrive(form, await signIn(form, ada.email))).toMatchObject({ svc_account_id: accountId });
    expect(carried(form)).toHaveLength(1);
    const again = await form.get(world.authorizeUrl());
    expect([again.status, again.text.includes('no longer valid')]).toEqual([200, false]);
    expect((await form.get(world.authorizeUrl(undefined, { state: 'another' }))).status).toBe(410);
  });

  it('stays in the browser after a refusal, so that no ordinary sign-in follows', async () => {
    const ada = await newDeveloper();
    const by = { ...byOperator, at: Date.now() };
    const grant = { ...ofOperator, accountId: ada.accountId, role: 'viewer' } as const;
    const { token } = await invite(world.server.running.store, by, grant);
    const form = createFormClient(world.baseUrl);
    await carry(form, 'state of the app', token);
    const { location } = await form.send(await signIn(form, ada.email), callback, {});
    expect(new URL(location as string).searchParams.get('error')).toBe('access_denied');
    expect(carried(form)).toHaveLength(1);
    expect((await form.get(world.authorizeUrl())).text).toContain('Sign in, or create an account, to join');
  });
});

describe('the console', () => {
  const toConsole = (changes: Readonly<Record<string, string>> = {}) =>
    world.authorizeUrl(undefined, { redirect_uri: consoleRedirectUri(world.server.baseUrl), ...changes });
  const isForm = (page: PageAnswer) => page.text.includes('action="/authorize/sign-in');

  it('opens another account of the same developer without a password, until they sign out', async () => {
    const ada = await newDeveloper();
    const other = await join(ada, 'Other', 'editor');
    const page = await ada.form.get(toConsole({ account_id: other }));
    expect(page.text).toContain(`name="account_id" value="${other}"`);
    const answer = await ada.form.send(page, callback, {});
    expect(new URL(answer.location as string).searchParams.get('code')).toBeTruthy();
    for (const asks of [
      toConsole(),
      toConsole({ account_id: other, prompt: 'login' }),
      world.authorizeUrl(undefined, { account_id: other }),
    ]) {
      expect(isForm(await ada.form.get(asks)), asks).toBe(true);
    }
    const stolen = createFormClient(world.baseUrl);
    stolen.cookies.set('holdfast_signed_in', ada.form.cookies.get('holdfast_signed_in') ?? '');
    expect(isForm(await stolen.get(toConsole({ account_id: other })))).toBe(true);
    const signOut = (site: string) => ada.form.post('/authorize/sign-out', {}, { 'Sec-Fetch-Site': site });
    expect((await signOut('cross-site')).status).toBe(403);
    expect(isForm(await ada.form.get(toConsole({ account_id: other })))).toBe(false);
    expect((await signOut('same-origin')).status).toBe(204);
    expect(isForm(await ada.form.get(toConsole({ account_id: other })))).toBe(true);
  });

  it('asks for the password again after half a day', async () => {
    const ada = await newDeveloper();
    const other = await join(ada, 'Other', 'editor');
    world.pass(11 * 60 * 60 * 1000);
    expect(isForm(await ada.form.get(toConsole({ account_id: other })))).toBe(false);
  });

  it('asks for the password again after it was changed', async () => {
    const ada = await newDeveloper();
    const other = await join(ada, 'Other', 'editor');
    const forgot = await ada.form.get(world.authorizeUrl(undefined, {}, '/authorize/forgot'));
    const mails = world.mailCount(ada.email);
    await ada.form.send(forgot, '/authorize/forgot', { email: ada.email });
    const { link = '' } = await world.mailTo(ada.email, mails);
    const reset = await createFormClient(world.baseUrl).get(link);
    const elsewhere = createFormClient(world.baseUrl);
    const page = await elsewhere.get(link);
    expect(reset.status).toBe(200);
    world.pass(1_000);
    await elsewhere.send(page, '/authorize/reset', { password: 'another four random words' });
    expect(isForm(await ada.form.get(toConsole({ account_id: other })))).toBe(true);
  });
});
