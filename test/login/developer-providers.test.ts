/** Developer identity providers configured by the operator: sign-in, adding and removing, with the second factor still required. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { createFormClient, type FormClient, type PageAnswer, unescaped } from '../../tooling/forms.ts';
import { type AccountWorld, claimsOf, noticeOf, openAccountWorld, titleOf } from './account-world.ts';
import { startUpstream, type Upstream } from './upstream.ts';

let at: AccountWorld;
let closed: AccountWorld;
let upstream: Upstream;
let subject = 'ada';
beforeAll(async () => {
  const [port, closedPort] = [await freePort(), await freePort()];
  const callbackAt = (of: number) => `http://localhost:${of}/authorize/federated/callback/acc_developers/oidc.company`;
  upstream = await startUpstream({ redirectUris: [callbackAt(port), callbackAt(closedPort)], subject: () => subject });
  const { issuer, clientId, clientSecret } = upstream;
  const company = { name: 'Company', issuer, clientId, clientSecret };
  const settings = { SVC_DEVELOPER_PROVIDERS: JSON.stringify({ 'oidc.company': company }) };
  at = await openAccountWorld({ ...settings, SVC_PORT: String(port) });
  closed = await openAccountWorld({ ...settings, SVC_PORT: String(closedPort), SVC_DEVELOPER_SIGNUP: 'closed' });
});
afterAll(async () => {
  await at.world.stop();
  await closed.world.stop();
  await upstream.stop();
});

async function agree(location: string): Promise<string> {
  const there = createFormClient(upstream.issuer);
  const { location: interaction } = await there.get(location);
  const { location: resume } = await there.post(`${upstream.issuer}${interaction}`, { choice: 'agree' });
  return (await there.get(resume ?? '')).location ?? '';
}

const linkOf = ({ text }: PageAnswer) =>
  unescaped(/<a class="button[^"]*" href="([^"]*)">(?:(?!<\/a>).)*Continue with Company/s.exec(text)?.[1] ?? '');

async function enterWithCompany(form: FormClient, url: string): Promise<PageAnswer> {
  const begun = await form.get(linkOf(await form.get(url)));
  return form.get(await agree(begun.location ?? ''));
}

const heldIn = ({ text }: PageAnswer, name: string) =>
  unescaped(new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '');

it('a developer adds a provider, which still requires the second factor, and removes it again', async () => {
  subject = 'of-a-developer';
  const person = await at.newPerson();
  const { secret } = await at.setUpApp(person);
  at.pass(30_000);
  const page = await at.openAccount(person);
  const asked = await at.act(person, page, 'add-provider', { provider: 'oidc.company' });
  const added = await person.form.get(await agree(linkOf(asked)));
  expect([added.status, noticeOf(added)]).toEqual([200, 'You can now also sign in with Company.']);

  const form = createFormClient(at.world.baseUrl);
  const waiting = await enterWithCompany(form, at.authorizeUrl());
  expect(titleOf(waiting)).toBe('One more step – Holdfast');
  at.pass(30_000);
  const signedIn = await form.send(waiting, '/authorize/second-step', { code: at.codeOf(secret) });
  const tokens = await at.redeem(await at.comeBack(form, signedIn));
  expect(claimsOf(tokens.access_token)).toMatchObject({ svc_account_id: person.accountId, email: person.address });

  // After a new sign-in through the provider, the page still requires the code.
  const fresh = createFormClient(at.world.baseUrl);
  const first = await fresh.get(at.accountUrl());
  const again = await enterWithCompany(fresh, first.location ?? '');
  expect(titleOf(again)).toBe('One more step – Holdfast');
  expect((await fresh.get(at.accountUrl())).status).toBe(303);

  const fields = { provider: 'oidc.company', issuer: upstream.issuer, subject: heldIn(added, 'subject') };
  expect(noticeOf(await at.act(person, added, 'remove-provider', fields))).toBe('You can no longer sign in this way.');
  // A sign-in through the provider is now a different user, with a separate account.
  const other = createFormClient(at.world.baseUrl);
  const theirs = await at.redeem(await at.comeBack(other, await enterWithCompany(other, at.authorizeUrl())));
  expect(claimsOf(theirs.access_token).svc_account_id).not.toBe(person.accountId);
});

it('a developer from a provider adds a password, and removes it again', async () => {
  subject = 'first-by-company';
  const form = createFormClient(at.world.baseUrl);
  const tokens = await at.redeem(await at.comeBack(form, await enterWithCompany(form, at.authorizeUrl())));
  const first = await form.get(at.accountUrl());
  const entered = await enterWithCompany(form, first.location ?? '');
  const page = await form.get(entered.location ?? '');
  const address = 'first-by-company@mail.example';
  const asked = await at.act({ form }, page, 'add-password', { email: address, password: 'correct horse battery' });
  const { code = '' } = await at.world.mailTo(address);
  const along = { sign_up: heldIn(asked, 'sign_up'), email: address, code };
  const added = await at.act({ form }, asked, 'confirm-password', along);
  expect(noticeOf(added)).toContain('can now also sign in');
  const other = createFormClient(at.world.baseUrl);
  const same = await at.redeem(await at.comeBack(other, await at.enter(other, address)));
  expect(claimsOf(same.access_token).sub).toBe(claimsOf(tokens.access_token).sub);
  at.pass(1_000);
  expect(noticeOf(await at.act({ form }, added, 'remove-password'))).toContain('The password is removed');
  expect((await at.enter(createFormClient(at.world.baseUrl), address)).status).toBe(422);
});

it('an unknown identity creates no account while sign-up is closed, or on the page *Your sign-in*', async () => {
  subject = 'nobody-here';
  const form = createFormClient(closed.world.baseUrl);
  const refused = await enterWithCompany(form, closed.authorizeUrl());
  expect([refused.status, noticeOf(refused)]).toEqual([403, expect.stringContaining('need an invitation')]);
  const own = createFormClient(at.world.baseUrl);
  const { location } = await own.get(at.accountUrl());
  const unknown = await enterWithCompany(own, location ?? '');
  expect([unknown.status, noticeOf(unknown)]).toEqual([
    403,
    expect.stringContaining('No account uses this way to sign in'),
  ]);
});
