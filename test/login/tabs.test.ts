/** Several tabs of one browser: each has its own sign-in, sign-up and page, independent of the others. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFormClient, type FormClient, signUpByForms, unescaped } from '../../tooling/forms.ts';
import { type AccountWorld, claimsOf, noticeOf, openAccountWorld, password, titleOf } from './account-world.ts';
import { createTabs, orders } from './tabs.ts';
import { startUpstream, type Upstream } from './upstream.ts';
import type { LoginClient } from './world.ts';

let at: AccountWorld;
let client: LoginClient;
let upstream: Upstream;
let tabs: ReturnType<typeof createTabs>;
let subject = 'ada';

beforeAll(async () => {
  at = await openAccountWorld();
  client = await at.world.newClient({ allowedIdps: ['password', 'oidc.studio', 'oidc.other'] });
  tabs = createTabs(at, client);
  const callback = `${at.world.baseUrl}/authorize/federated/callback/${client.developer.accountId}`;
  const redirectUris = [`${callback}/oidc.studio`, `${callback}/oidc.other`];
  upstream = await startUpstream({ redirectUris, subject: () => subject });
  const { issuer, clientId, clientSecret } = upstream;
  await at.world.putProvider(client, 'oidc.studio', { name: 'Studio', issuer, clientId, clientSecret });
  await at.world.putProvider(client, 'oidc.other', { name: 'Other', issuer, clientId, clientSecret });
});
afterAll(async () => {
  await at.world.stop();
  await upstream.stop();
});

/** Goes to the provider in one tab. Returns the address that the browser is sent to. */
async function leave(form: FormClient, tab: string, provider = 'oidc.studio'): Promise<string> {
  const { status, location } = await form.get(tabs.urlOf(tab, `/authorize/with/${provider}`));
  expect(status).toBe(303);
  return location as string;
}

/** Answers at the provider. Returns the address that the browser is sent back to. */
async function choose(location: string, choice: 'agree' | 'cancel' = 'agree'): Promise<string> {
  const there = createFormClient(upstream.issuer);
  const { location: interaction } = await there.get(location);
  const { location: resume } = await there.post(`${upstream.issuer}${interaction}`, { choice });
  return (await there.get(resume as string)).location as string;
}

const withState = (back: string, state: string) => {
  const url = new URL(back);
  url.searchParams.set('state', state);
  return url.href;
};
const flowsIn = ({ cookies }: FormClient) => [...cookies].filter(([name]) => name.includes('holdfast_flow'));
describe('tabs at providers', () => {
  it.each(orders)('return in the order %i, %i, %i, and each signs in for its own request', async (...order) => {
    const form = tabs.newForm();
    const names = ['one', 'two', 'three'];
    const left: string[] = [];
    for (const [i, tab] of names.entries()) left.push(await leave(form, tab, i === 1 ? 'oidc.other' : 'oidc.studio'));
    for (const i of order) {
      expect(await tabs.arrive(form, await form.get(await choose(left[i] as string)))).toBe(names[i]);
    }
    expect(flowsIn(form)).toEqual([]);
  });

  it('all return after leaving simultaneously, from a browser without cookies', async () => {
    const form = tabs.newForm();
    const names = ['one', 'two', 'three'];
    const left = await Promise.all(names.map((tab) => leave(form, tab)));
    for (const [i, tab] of names.entries()) {
      expect(await tabs.arrive(form, await form.get(await choose(left[i] as string)))).toBe(tab);
    }
  });

  it.each(['first', 'last'] as const)('are independent when the %s one is refused', async (which) => {
    const form = tabs.newForm();
    const left = [await leave(form, 'one'), await leave(form, 'two'), await leave(form, 'three')];
    const [refused, ...others] = which === 'first' ? [0, 1, 2] : [2, 0, 1];
    const page = await form.get(await choose(left[refused as number] as string, 'cancel'));
    expect([page.status, noticeOf(page)]).toEqual([403, expect.stringContaining('cancelled or refused')]);
    expect(unescaped(page.text)).toContain(`state=${['one', 'two', 'three'][refused as number]}`);
    expect(flowsIn(form)).toHaveLength(2);
    for (const i of others) {
      expect(await tabs.arrive(form, await form.get(await choose(left[i] as string)))).toBe(['one', 'two', 'three'][i]);
    }
  });

  it('keep their sign-in when another state returns', async () => {
    const [form, stranger] = [tabs.newForm(), tabs.newForm()];
    const left = await leave(form, 'mine');
    const back = await choose(left);
    const foreign = await choose(await leave(stranger, 'theirs'));
    const wrongPlace = new URL(back);
    wrongPlace.pathname = wrongPlace.pathname.replace('oidc.studio', 'oidc.other');
    for (const [url, status] of [
      [foreign, 410],
      [withState(back, 'x'.repeat(43)), 410],
      [withState(back, ''), 410],
      [`${back}&state=again`, 410],
      [back.replace(/&?state=[^&]*/, ''), 410],
      [wrongPlace.href, 403],
    ] as const) {
      const before = [...form.cookies];
      const answer = await form.get(url);
      expect([answer.status, url]).toEqual([status, url]);
      expect(answer.headers.getSetCookie(), url).toEqual([]);
      expect([...form.cookies]).toEqual(before);
    }
    expect(await tabs.arrive(form, await form.get(back))).toBe('mine');
    // The stranger's flow works only in the stranger's browser, and only once.
    expect(await tabs.arrive(stranger, await stranger.get(foreign))).toBe('theirs');
    expect((await stranger.get(foreign)).status).toBe(410);
  });

  it('sent by a node of the previous release, with one cookie for all, return here', async () => {
    const form = tabs.newForm();
    const back = await choose(await leave(form, 'before'));
    for (const [name, value] of flowsIn(form)) {
      form.cookies.delete(name);
      form.cookies.set('holdfast_flow', value);
    }
    expect(await tabs.arrive(form, await form.get(await choose(await leave(form, 'after'))))).toBe('after');
    expect((await form.get(withState(back, 'x'.repeat(43)))).status).toBe(403);
    expect(await tabs.arrive(form, await form.get(back))).toBe('before');
    expect((await form.get(back)).status).toBe(410);
  });

  it('return to their start when they are late or repeated', async () => {
    const form = tabs.newForm();
    const [late, done] = [await choose(await leave(form, 'late')), await choose(await leave(form, 'done'))];
    await tabs.arrive(form, await form.get(done));
    const again = await form.get(done);
    expect([again.status, titleOf(again)]).toEqual([410, expect.stringMatching(/^That took too long/)]);
    expect(unescaped(again.text)).toContain('state=done');
    at.pass(600_000);
    const tooLate = await form.get(late);
    expect([tooLate.status, titleOf(tooLate)]).toEqual([410, expect.stringMatching(/^That took too long/)]);
    expect(unescaped(tooLate.text)).toContain('state=late');
  });

  it('use at most 6 KB of cookies, and drop the oldest first', async () => {
    const form = tabs.newForm();
    const left: [string, string][] = [];
    for (let i = 0; i < 12; i++) {
      left.push([`tab-${i}`, await leave(form, `tab-${i}`)]);
      const sent = flowsIn(form).reduce((sum, [name, value]) => sum + name.length + value.length + 3, 0);
      expect(sent).toBeLessThanOrEqual(6_144);
    }
    const kept = flowsIn(form).length;
    expect(kept).toBeGreaterThanOrEqual(5);
    for (const [tab, location] of left.slice(-kept)) {
      expect(await tabs.arrive(form, await form.get(await choose(location)))).toBe(tab);
    }
    expect((await form.get(await choose((left[0] as [string, string])[1]))).status).toBe(410);
  });

  it('for an app and for the page *Your sign-in* are kept apart', async () => {
    subject = 'own-page-and-app';
    const form = tabs.newForm();
    await tabs.arrive(form, await form.get(await choose(await leave(form, 'first'))));
    const own = await form.get(`/account?client_id=${client.clientId}`);
    const ownUrl = new URL(own.location as string, at.world.baseUrl);
    ownUrl.pathname = '/authorize/with/oidc.studio';
    const forPage = (await form.get(ownUrl.href)).location as string;
    const forApp = await leave(form, 'app');
    const entered = await form.get(await choose(forPage));
    expect([entered.status, entered.location]).toEqual([303, expect.stringMatching(/^\/account\?/)]);
    expect(await tabs.arrive(form, await form.get(await choose(forApp)))).toBe('app');
    expect((await form.get(entered.location as string)).status).toBe(200);
    subject = 'ada';
  });
});

describe('pages *Your sign-in* in two tabs', () => {
  it('of a developer and of a player do not end each other', async () => {
    const developer = await at.newPerson();
    const { form } = developer;
    await signUpByForms(at.world, form, `player-${developer.address}`, password, client);
    const player = { form, address: `player-${developer.address}` };
    const one = await at.openAccount(developer);
    const other = await at.openAccount({ ...developer, ...player }, client);
    expect([one.status, other.status]).toEqual([200, 200]);
    expect((await form.get(at.accountUrl())).text).toContain(developer.address);
    expect((await form.get(at.accountUrl(client))).text).toContain(player.address);
    await at.act({ form }, other, 'leave', {}, client);
    expect((await form.get(at.accountUrl(client))).status).toBe(303);
    expect((await form.get(at.accountUrl())).status).toBe(200);
  });
});

it('a developer and a player who sign in side by side each get their own tokens', async () => {
  const developer = await at.newPerson();
  const player = await at.newPerson(client);
  const form = tabs.newForm();
  const [forDeveloper, forPlayer] = await Promise.all([form.get(at.authorizeUrl()), form.get(at.authorizeUrl(client))]);
  const playing = await form.send(forPlayer, '/authorize/sign-in', { email: player.address, password });
  const developing = await form.send(forDeveloper, '/authorize/sign-in', { email: developer.address, password });
  const tokens = await at.redeem(await at.comeBack(form, developing));
  expect(claimsOf(tokens.access_token)).toMatchObject({ svc_role: 'developer', svc_account_id: developer.accountId });
  const theirs = await at.redeem(await at.comeBack(form, playing), client);
  expect(claimsOf(theirs.access_token)).toMatchObject({ svc_role: 'end_user', email: player.address });
});
