/** Every spelling of an email address on the login page, for users from this release and from older ones. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invite, ofOperator } from '../../packages/server/src/management/invitations.ts';
import { byOperator } from '../../packages/server/src/storage/store-suite/records.fixture.ts';
import { createFormClient, signUpByForms } from '../../tooling/forms.ts';
import { type LoginWorld, openLoginWorld } from './world.ts';

const password = 'four random words of mine';
let world: LoginWorld;
beforeAll(async () => {
  world = await openLoginWorld();
});
afterAll(() => world.stop());

/** Sends the form of a page in a new browser. */
async function send(path: string, fields: Readonly<Record<string, string>>, language = 'en') {
  const form = createFormClient(world.baseUrl);
  const page = await form.get(world.authorizeUrl(undefined, { ui_locales: language }, path.replace('/sign-in', '')));
  return { form, answer: await form.send(page, path, fields) };
}

const signIn = async (email: string) => (await send('/authorize/sign-in', { email, password })).answer.text;

async function newUser(email: string): Promise<void> {
  const form = createFormClient(world.baseUrl);
  await form.send(await signUpByForms(world, form, email, password), '/v1/auth/authorize/callback', {});
}

/** Requests a link to a new password, and expects it to go to `stored`. */
async function expectReset(typed: string, stored: string): Promise<void> {
  const before = world.mailCount(stored);
  const { answer } = await send('/authorize/forgot', { email: typed });
  expect(answer.status, typed).toBe(200);
  expect((await world.mailTo(stored, before)).link, typed).toContain('/authorize/reset?token=');
}

describe('a domain', () => {
  it.each([
    ['anna@xn--bcher-kva.example', 'anna@B\u00dcCHER\u3002example', 'anna@b\u00fccher.example'],
    ['kurt@mail.example', 'kurt@\uff4dail.example', 'Kurt@MAIL\uff0eexample'],
  ])('of %j is the same in every form mapped by UTS 46', async (email, ...forms) => {
    await newUser(email);
    for (const typed of [email, ...forms]) {
      expect(await signIn(typed), typed).toContain('id="continue-form"');
      await expectReset(typed, email);
    }
    const before = world.mailCount(email);
    const { answer } = await send('/authorize/sign-up', { email: forms[0] ?? '', password });
    expect(answer.status).toBe(303);
    expect((await world.mailTo(email, before)).subject).toContain('You already have an account');
  });
});

describe('an address with a letter that looks like an ASCII one', () => {
  it.each([
    ['en', 'contains a letter that looks like another one'],
    ['de', 'einen Buchstaben, der wie ein anderer aussieht'],
  ])('is refused at sign-up, in the words of %s, but not elsewhere', async (language, said) => {
    const email = 'stra\u00dfe@nobody.example';
    const { answer } = await send('/authorize/sign-up', { email, password }, language);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(said);
    expect((await send('/authorize/forgot', { email }, language)).answer.status).toBe(200);
    expect((await send('/authorize/sign-in', { email, password }, language)).answer.text).not.toContain(said);
    expect(world.mailCount('nobody.example')).toBe(0);
  });

  it('still works for a user from an older release', async () => {
    await newUser('older@old.example');
    const stored = 'Gro\u00df@old.example';
    await world.server.place.runSql(
      `UPDATE users SET email = '"${stored}"', email_key = '"${stored.toLowerCase()}"' WHERE email_key = '"older@old.example"'`,
    );
    const typed = 'gro\u00df@old\uff0eexample';
    expect(await signIn(typed)).toContain('id="continue-form"');
    await expectReset(typed, '@old.example');
    const before = world.mailCount('@old.example');
    expect((await send('/authorize/sign-up', { email: typed, password })).answer.status).toBe(303);
    expect((await world.mailTo('@old.example', before)).subject).toContain('You already have an account');
  });

  it('still accepts its invitation', async () => {
    const stored = 'wei\u00df@old.example';
    await newUser('white@old.example');
    await world.server.place.runSql(
      `UPDATE users SET email = '"${stored}"', email_key = '"${stored}"' WHERE email_key = '"white@old.example"'`,
    );
    const { accountId } = await world.server.newDeveloper('Lanternfish Games');
    const by = { ...byOperator, at: Date.now() };
    const asked = { ...ofOperator, accountId, role: 'viewer', email: stored } as const;
    const { token } = await invite(world.server.running.store, by, asked);
    const form = createFormClient(world.baseUrl);
    await form.post(world.authorizeUrl(undefined, {}, '/authorize/invitation'), { invitation: token });
    const page = await form.send(await form.get(world.authorizeUrl()), '/authorize/sign-in', { email: stored, password });
    const { location } = await form.send(page, '/v1/auth/authorize/callback', {});
    expect(await world.redeem(location ?? '')).toMatchObject({ svc_account_id: accountId });
  });
});
