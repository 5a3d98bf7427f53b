/** Adding and removing sign-in methods on the page *Your sign-in*, by forms and with a running provider. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFormClient, type FormClient, type PageAnswer, signUpByForms, unescaped } from '../../tooling/forms.ts';
import { type AccountWorld, claimsOf, faultOf, noticeOf, openAccountWorld, password, titleOf } from './account-world.ts';
import { startUpstream, type Upstream } from './upstream.ts';
import type { LoginClient } from './world.ts';

let at: AccountWorld;
let client: LoginClient;
let upstream: Upstream;
/** The subject who agrees at the provider. */
let subject = 'ada';
let subjects = 0;
const newSubject = () => {
  subject = `subject-${++subjects}`;
  return subject;
};

beforeAll(async () => {
  at = await openAccountWorld();
  const allowedIdps = ['password', 'oidc.studio', 'oidc.other'];
  client = await at.world.newClient({ allowedIdps });
  const redirectUri = `${at.world.baseUrl}/authorize/federated/callback/${client.developer.accountId}/oidc.studio`;
  upstream = await startUpstream({ redirectUri, subject: () => subject });
  const { issuer, clientId, clientSecret } = upstream;
  await at.world.putProvider(client, 'oidc.studio', { name: 'Studio', issuer, clientId, clientSecret });
  await at.world.putProvider(client, 'oidc.other', { name: 'Other', issuer, clientId, clientSecret });
});
afterAll(async () => {
  await at.world.stop();
  await upstream.stop();
});

/** Agrees at the provider as the current subject. Returns the address that the browser is sent back to. */
async function agree(location: string): Promise<string> {
  const there = createFormClient(upstream.issuer);
  const { location: interaction } = await there.get(location);
  const { location: resume } = await there.post(`${upstream.issuer}${interaction}`, { choice: 'agree' });
  const { location: back } = await there.get(resume ?? '');
  return back ?? '';
}

const linkOf = ({ text }: PageAnswer, label: string) =>
  unescaped(new RegExp(`<a class="button[^"]*" href="([^"]*)">(?:(?!</a>).)*${label}`, 's').exec(text)?.[1] ?? '');

/** Signs in through the provider. */
async function enterWithStudio(form: FormClient, url = at.authorizeUrl(client)): Promise<PageAnswer> {
  const begun = await form.get(linkOf(await form.get(url), 'Continue with Studio'));
  return form.get(await agree(begun.location ?? ''));
}

async function userIdWithStudio(form = createFormClient(at.world.baseUrl)): Promise<unknown> {
  const tokens = await at.redeem(await at.comeBack(form, await enterWithStudio(form)), client);
  return claimsOf(tokens.access_token).user_id;
}

async function userIdWithPassword(address: string, secret = password): Promise<unknown> {
  const form = createFormClient(at.world.baseUrl);
  const page = await at.enter(form, address, at.authorizeUrl(client), secret);
  return claimsOf((await at.redeem(await at.comeBack(form, page), client)).access_token).user_id;
}

/** A new player from the provider, on the page *Your sign-in*. */
async function newStudioPlayer() {
  newSubject();
  const form = createFormClient(at.world.baseUrl);
  const userId = await userIdWithStudio(form);
  const first = await form.get(at.accountUrl(client));
  const entered = await enterWithStudio(form, first.location ?? '');
  return { form, userId, page: await form.get(entered.location ?? '') };
}

/** Requests the provider on the page *Your sign-in*. Returns the address that the browser goes to. */
async function leave(person: { readonly form: FormClient }, page: PageAnswer): Promise<string> {
  const answer = await at.act(person, page, 'add-provider', { provider: 'oidc.studio' }, client);
  expect([answer.status, titleOf(answer)]).toEqual([200, 'Add Studio – Sea of Glass']);
  const location = linkOf(answer, 'Continue with Studio');
  expect(answer.headers.get('refresh')).toBe(`0; url=${location}`);
  return location;
}

const heldIn = ({ text }: PageAnswer, name: string) =>
  unescaped(new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '');
const removeStudio = (person: { readonly form: FormClient }, page: PageAnswer) => {
  const fields = {
    provider: heldIn(page, 'provider'),
    issuer: heldIn(page, 'issuer'),
    subject: heldIn(page, 'subject'),
  };
  return at.act(person, page, 'remove-provider', fields, client);
};

describe('a provider', () => {
  it('is added to a sign-in, signs in the same person, and is removed again', async () => {
    newSubject();
    const person = await at.newPerson(client);
    const userId = await userIdWithPassword(person.address);
    const page = await at.openAccount(person, client);
    expect(page.text).toContain('Add Studio');
    const added = await person.form.get(await agree(await leave(person, page)));
    expect([added.status, noticeOf(added)]).toEqual([200, 'You can now also sign in with Studio.']);
    expect(added.text).not.toContain('Add Studio');
    expect(await userIdWithStudio()).toBe(userId);
    // The address verified here remains the user's address, whatever the provider says.
    expect((await person.form.get(at.accountUrl(client))).text).toContain(`Signed in as ${person.address}.`);
    const removed = await removeStudio(person, added);
    expect(noticeOf(removed)).toBe('You can no longer sign in this way.');
    expect(noticeOf(await removeStudio(person, added))).toContain('no longer exists');
    expect(await userIdWithStudio()).not.toBe(userId);
  });

  it('is never added just for an equal address', async () => {
    newSubject();
    const form = createFormClient(at.world.baseUrl);
    await signUpByForms(at.world, form, 'ada@upstream.example', password, client);
    const userId = await userIdWithPassword('ada@upstream.example');
    expect(await userIdWithStudio()).not.toBe(userId);
    expect(await userIdWithPassword('ada@upstream.example')).toBe(userId);
  });

  it('is refused if it belongs to another sign-in, and unchanged if it is already added', async () => {
    newSubject();
    const theirs = await userIdWithStudio();
    const person = await at.newPerson(client);
    const page = await at.openAccount(person, client);
    const taken = await person.form.get(await agree(await leave(person, page)));
    expect([taken.status, noticeOf(taken)]).toEqual([
      422,
      expect.stringContaining('already belongs to another sign-in here'),
    ]);
    expect(taken.text).toContain('Add Studio');
    expect(await userIdWithStudio()).toBe(theirs);

    newSubject();
    await person.form.get(await agree(await leave(person, page)));
    const known = await person.form.get(await agree(await leave(person, page)));
    expect([known.status, noticeOf(known)]).toEqual([200, expect.stringContaining('You can already sign in')]);
  });

  it('is added once, by the same person in the same browser, while the page is open', async () => {
    newSubject();
    const person = await at.newPerson(client);
    const { form } = person;
    const page = await at.openAccount(person, client);
    const add = async () => agree(await leave(person, page));
    const isLinked = async () => (await at.openAccount(person, client)).text.includes('>Connected<');

    // Another browser, even after a fresh sign-in there.
    const other = createFormClient(at.world.baseUrl);
    const stranger = { ...(await at.newPerson(client)), form: other };
    await at.openAccount(stranger, client);
    expect((await other.get(await add())).status).toBe(410);
    // Another user's code, with a different state or none.
    for (const state of ['another', '']) {
      const theirs = new URL(await add());
      theirs.searchParams.set('state', state);
      const refused = await form.get(theirs.href);
      expect([refused.status, titleOf(refused)]).toEqual([410, expect.stringContaining('That took too long')]);
    }
    // Another user has signed in here in the meantime.
    const back = await add();
    const [cookie, value] = [...form.cookies].find(([name]) => name.startsWith('holdfast_account-')) ?? ['', ''];
    await at.act(person, page, 'leave', {}, client);
    const waiting = await form.get(at.accountUrl(client));
    const next = await at.enter(form, stranger.address, waiting.location ?? '');
    expect((await form.get(next.location ?? '')).text).toContain(stranger.address);
    expect((await form.get(back)).location).toContain('/authorize?');
    form.cookies.set(cookie, value);
    // It could be used only once.
    expect((await form.get(back)).status).toBe(410);
    expect(await isLinked()).toBe(false);
    // Too late.
    const late = await add();
    at.pass(10 * 60_000 + 1_000);
    expect((await form.get(late)).status).toBe(410);
    const again = await at.openAccount(person, client);
    // All sessions were ended in the meantime.
    const ended = await agree(await leave(person, again));
    at.pass(1_000);
    const elsewhere = { ...person, form: createFormClient(at.world.baseUrl) };
    await at.act(elsewhere, await at.openAccount(elsewhere, client), 'end-sessions', {}, client);
    expect((await form.get(ended)).location).toContain('/authorize?');
    at.pass(1_000);
    expect(await isLinked()).toBe(false);
  });

  it('is added only by a form of this page, and only if it is offered', async () => {
    const person = await at.newPerson(client);
    const page = await at.openAccount(person, client);
    expect(
      (await person.form.post(at.accountUrl(client), { action: 'add-provider', provider: 'oidc.studio' })).status,
    ).toBe(403);
    for (const provider of ['google.com', '', 'oidc.nobody']) {
      const refused = await at.act(person, page, 'add-provider', { provider }, client);
      expect([refused.status, noticeOf(refused)]).toEqual([422, expect.stringContaining('not available here')]);
    }
    const there = createFormClient(upstream.issuer);
    const { location } = await there.get(await leave(person, page));
    const { location: resume } = await there.post(`${upstream.issuer}${location}`, { choice: 'cancel' });
    const cancelled = await person.form.get((await there.get(resume ?? '')).location ?? '');
    expect([cancelled.status, noticeOf(cancelled)]).toEqual([403, expect.stringContaining('cancelled or refused there')]);
    expect(titleOf(cancelled)).toContain('Your sign-in');
  });

  it('stays if it is the only method', async () => {
    const person = await newStudioPlayer();
    expect(person.page.text).toContain('This is your only way to sign in');
    const link = { provider: 'oidc.studio', issuer: upstream.issuer, subject };
    const refused = await at.act(person, person.page, 'remove-provider', link, client);
    expect([refused.status, noticeOf(refused)]).toEqual([422, expect.stringContaining('only way')]);
    expect(await userIdWithStudio()).toBe(person.userId);
  });
});

describe('a password', () => {
  it('is added by a code to the address, and then signs in the same person', async () => {
    const person = await newStudioPlayer();
    const address = `${subject}@mail.example`;
    for (const [email, secret, fault] of [
      ['nowhere', password, /not an email address/],
      [address, 'short', /too short/],
    ] as const) {
      const refused = await at.act(person, person.page, 'add-password', { email, password: secret }, client);
      expect([refused.status, faultOf(refused)]).toEqual([422, expect.stringMatching(fault)]);
    }
    const asked = await at.act(person, person.page, 'add-password', { email: address, password }, client);
    expect(titleOf(asked)).toBe('Check your mail – Sea of Glass');
    const { code = '' } = await at.world.mailTo(address);
    const along = { sign_up: heldIn(asked, 'sign_up'), email: address };
    const confirm = (given: string) => at.act(person, asked, 'confirm-password', { ...along, code: given }, client);
    expect(faultOf(await confirm('12'))).toContain('six or nine digits');
    expect(faultOf(await confirm(code === '000000' ? '000001' : '000000'))).toContain('Attempts left: 4');
    // The password does not work for anyone before the code is confirmed.
    expect((await at.enter(createFormClient(at.world.baseUrl), address, at.authorizeUrl())).status).toBe(422);
    const done = await confirm(code);
    expect([done.status, noticeOf(done)]).toEqual([200, expect.stringContaining('can now also sign in')]);
    expect(done.text).toContain(`Signed in as ${address}.`);
    expect(noticeOf(await confirm(code))).toContain('start again');
    expect(await userIdWithPassword(address)).toBe(person.userId);
    // The provider does not change the verified address.
    expect(await userIdWithStudio()).toBe(person.userId);
    expect(await userIdWithPassword(address)).toBe(person.userId);
    expect((await at.act(person, done, 'add-password', { email: 'x@mail.example', password }, client)).status).toBe(422);
  });

  it('with another user’s address is refused without a word about its owner', async () => {
    const holder = await at.newPerson(client);
    const person = await newStudioPlayer();
    const before = at.world.mailCount(holder.address);
    const asked = await at.act(person, person.page, 'add-password', { email: holder.address, password }, client);
    expect(titleOf(asked)).toBe('Check your mail – Sea of Glass');
    const mail = await at.world.mailTo(holder.address, before);
    expect(mail.code).toBeUndefined();
    const along = { sign_up: heldIn(asked, 'sign_up'), email: holder.address };
    for (let i = 0; i < 3; i++) {
      const tried = await at.act(person, asked, 'confirm-password', { ...along, code: `00000${i}` }, client);
      expect(faultOf(tried)).toContain('The code is wrong');
    }
    expect(await userIdWithPassword(holder.address)).not.toBe(person.userId);
  });

  it('is removed if another method remains, stops working then, and can be set again', async () => {
    newSubject();
    const person = await at.newPerson(client);
    const userId = await userIdWithPassword(person.address);
    const page = await at.openAccount(person, client);
    const last = await at.act(person, page, 'remove-password', {}, client);
    expect([last.status, noticeOf(last)]).toEqual([422, expect.stringContaining('only way')]);
    const linked = await person.form.get(await agree(await leave(person, page)));
    const form = createFormClient(at.world.baseUrl);
    const tokens = await at.redeem(
      await at.comeBack(form, await at.enter(form, person.address, at.authorizeUrl(client))),
      client,
    );
    at.pass(1_000);
    const removed = await at.act(person, linked, 'remove-password', {}, client);
    expect(noticeOf(removed)).toContain('The password is removed');
    expect(removed.text).toContain('Add a password');
    const refreshed = await at.refresh(tokens, {}, client);
    expect(refreshed.status).toBe(400);
    expect((await at.enter(createFormClient(at.world.baseUrl), person.address, at.authorizeUrl(client))).status).toBe(422);
    expect(noticeOf(await at.act(person, removed, 'remove-password', {}, client))).toContain('no longer exists');
    expect((await removeStudio(person, removed)).status).toBe(422);
    expect(await userIdWithStudio()).toBe(userId);
    const set = await at.act(person, removed, 'change-password', { password: 'quite another secret' }, client);
    expect(noticeOf(set)).toContain('Your password is set');
    at.pass(1_000);
    expect(await userIdWithPassword(person.address, 'quite another secret')).toBe(userId);
  });

  it('is restored after its removal by a link to the verified address', async () => {
    newSubject();
    const person = await at.newPerson(client);
    const userId = await userIdWithPassword(person.address);
    const linked = await person.form.get(await agree(await leave(person, await at.openAccount(person, client))));
    await at.act(person, linked, 'remove-password', {}, client);
    at.pass(1_000);
    const form = createFormClient(at.world.baseUrl);
    const before = at.world.mailCount(person.address);
    const forgot = await form.get(at.world.authorizeUrl(client, {}, '/authorize/forgot'));
    await form.send(forgot, '/authorize/forgot', { email: person.address });
    const { link = '' } = await at.world.mailTo(person.address, before);
    await form.send(await form.get(link), '/authorize/reset', { password: 'a way back by mail' });
    at.pass(1_000);
    expect(await userIdWithPassword(person.address, 'a way back by mail')).toBe(userId);
  });
});
