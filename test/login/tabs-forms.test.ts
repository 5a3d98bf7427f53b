/** Pages opened side by side in a new browser, and forms that are not accepted: typed text is kept. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageAnswer } from '../../tooling/forms.ts';
import { unescaped } from '../../tooling/forms.ts';
import { type AccountWorld, noticeOf, openAccountWorld, password, titleOf } from './account-world.ts';
import { createTabs, orders } from './tabs.ts';
import type { LoginClient } from './world.ts';

let at: AccountWorld;
let client: LoginClient;
let tabs: ReturnType<typeof createTabs>;
beforeAll(async () => {
  at = await openAccountWorld();
  client = await at.world.newClient();
  tabs = createTabs(at, client);
});
afterAll(() => at.world.stop());

const emailIn = ({ text }: PageAnswer) => unescaped(/id="email" name="email"[^>]* value="([^"]*)"/.exec(text)?.[1] ?? '');

describe('tabs opened simultaneously in a browser without cookies', () => {
  it('all have valid forms, in any order', async () => {
    const { address } = await at.newPerson(client);
    for (const order of [orders[2], orders[3]] as number[][]) {
      const form = tabs.newForm();
      const pages = await Promise.all(['one', 'two', 'three'].map((tab) => form.get(tabs.urlOf(tab))));
      for (const i of order) {
        const page = await form.send(pages[i] as PageAnswer, '/authorize/sign-in', { email: address, password });
        expect(await tabs.arrive(form, page)).toBe(['one', 'two', 'three'][i]);
      }
    }
  });

  it('sign up side by side, each with its own code, even after a reload', async () => {
    const form = tabs.newForm();
    const names = ['one', 'two'];
    const addresses = names.map((tab) => `tabs-${tab}@mail.example`);
    const pages = await Promise.all(names.map((tab) => form.get(tabs.urlOf(tab, '/authorize/sign-up'))));
    for (const [i, page] of pages.entries()) {
      const answer = await form.send(page, '/authorize/sign-up', { email: addresses[i] as string, password });
      expect(answer.status).toBe(303);
    }
    for (const i of [0, 1]) {
      const again = await form.get(tabs.urlOf(names[i] as string, '/authorize/confirm'));
      expect(unescaped(again.text)).toContain(addresses[i]);
      const { code = '' } = await at.world.mailTo(addresses[i] as string);
      expect(await tabs.arrive(form, await form.send(again, '/authorize/confirm', { code }))).toBe(names[i]);
    }
  });

  it('find a sign-up from a node of the previous release, which uses one cookie for all', async () => {
    const form = tabs.newForm();
    const page = await form.get(tabs.urlOf('before', '/authorize/sign-up'));
    await form.send(page, '/authorize/sign-up', { email: 'tabs-before@mail.example', password });
    for (const [name, value] of [...form.cookies].filter(([each]) => each.startsWith('holdfast_sign_up-'))) {
      form.cookies.delete(name);
      form.cookies.set('holdfast_sign_up', value);
    }
    expect((await form.get(tabs.urlOf('before', '/authorize/confirm'))).text).toContain('tabs-before@mail.example');
  });

  it('finish a second step, and stay on the page *Your sign-in*', async () => {
    const person = await at.newPerson();
    const { secret } = await at.setUpApp(person);
    const form = tabs.newForm();
    const first = await tabs.newForm().get(at.accountUrl());
    const pages = await Promise.all([form.get(first.location as string), form.get(first.location as string)]);
    for (const page of pages) {
      at.pass(30_000);
      const asked = await form.send(page, '/authorize/sign-in', { email: person.address, password });
      const entered = await form.send(asked, '/authorize/second-step', { code: at.codeOf(secret) });
      expect([entered.status, entered.location]).toEqual([303, expect.stringMatching(/^\/account/)]);
      expect((await form.get(entered.location as string)).status).toBe(200);
    }
  });

  it('use at most eight cookies', async () => {
    const form = tabs.newForm();
    await Promise.all(Array.from({ length: 12 }, (_, i) => form.get(tabs.urlOf(`tab-${i}`))));
    const page = await form.get(tabs.urlOf('one more'));
    const kept = [...form.cookies.keys()].filter((name) => name.startsWith('holdfast_browser-'));
    expect(kept).toHaveLength(8);
    const answer = await form.send(page, '/authorize/sign-in', { email: 'nobody@mail.example', password });
    expect(answer.status).toBe(422);
  });

  it('do not share their forms with another browser', async () => {
    const [form, other] = [tabs.newForm(), tabs.newForm()];
    const [mine] = await Promise.all([form.get(tabs.urlOf('one')), form.get(tabs.urlOf('two'))]);
    await other.get(tabs.urlOf('one'));
    const answer = await other.send(mine as PageAnswer, '/authorize/sign-in', { email: 'a@mail.example', password });
    expect(answer.status).toBe(403);
  });
});

describe('an invalid form', () => {
  const cases = [
    ['sign-in', '/authorize', '/authorize/sign-in', {}],
    ['sign-up', '/authorize/sign-up', '/authorize/sign-up', { name: 'Ada <b>' }],
    ['reset', '/authorize/forgot', '/authorize/forgot', {}],
  ] as const;

  it.each(cases)('of a %s is shown again with the typed values, and is then valid', async (_, shownAt, path, more) => {
    const form = tabs.newForm();
    const page = await form.get(tabs.urlOf('one', shownAt));
    const email = 'typed@mail.example';
    for (const [other, said] of [
      [undefined, 'Cookies are needed'],
      ['x'.repeat(43), 'Please try again'],
    ] as const) {
      form.cookies.clear();
      if (other !== undefined) form.cookies.set('holdfast_browser', other);
      const refused = await form.send(page, path, { email, password, ...more });
      expect([refused.status, noticeOf(refused)]).toEqual([403, expect.stringContaining(said)]);
      expect(emailIn(refused)).toBe(email);
      expect(refused.text).not.toContain(password);
      if ('name' in more) expect(unescaped(refused.text)).toContain(`value="${more.name}"`);
      const answer = await form.send(refused, path, { email, password, ...more });
      expect(answer.status).not.toBe(403);
    }
  });

  it('from another site shows none of its values', async () => {
    const form = tabs.newForm();
    const page = await form.get(tabs.urlOf('one'));
    const fields = { email: 'typed@elsewhere.example', password, csrf: '' };
    const answer = await form.post(tabs.urlOf('one', '/authorize/sign-in'), fields, { 'Sec-Fetch-Site': 'cross-site' });
    expect([page.status, answer.status]).toEqual([200, 403]);
    expect(answer.text).not.toContain('typed@elsewhere.example');
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it('of a mailed link is shown again, and then sets the password', async () => {
    const person = await at.newPerson(client);
    const before = at.world.mailCount(person.address);
    const asked = await person.form.get(tabs.urlOf('one', '/authorize/forgot'));
    await person.form.send(asked, '/authorize/forgot', { email: person.address });
    const { link = '' } = await at.world.mailTo(person.address, before);
    const form = tabs.newForm();
    const page = await form.get(link);
    form.cookies.clear();
    const refused = await form.send(page, '/authorize/reset', { password: 'another horse battery' });
    expect([refused.status, noticeOf(refused)]).toEqual([403, expect.stringContaining('Cookies are needed')]);
    const done = await form.send(refused, '/authorize/reset', { password: 'another horse battery' });
    expect(titleOf(done)).toMatch(/password/i);
    expect(done.status).toBe(200);
  });
});
