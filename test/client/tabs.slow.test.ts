/**
 * Tabs of one browser profile with short-lived access tokens. They are frozen and closed at random, and some are closed while they renew
 * tokens: the user stays signed in. `HOLDFAST_CLIENT_FULL=1` takes three minutes.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createAuth, memoryStorage } from '@holdfast/client';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { launchBrowser } from '../../tooling/browser.ts';
import { createFormClient, signUpByForms } from '../../tooling/forms.ts';
import { createRandom, freshSeed, type Random } from '../../tooling/random.ts';
import { password } from '../login/stage.ts';
import { type LoginClient, type LoginWorld, openLoginWorld } from '../login/world.ts';
import { bundlePage, type Pages, servePages } from './pages/serve.ts';

const isFull = process.env.HOLDFAST_CLIENT_FULL !== undefined;
const tabsMax = 8;
const seconds = isFull ? 180 : 12;

let world: LoginWorld;
let browser: Browser;
let pages: Pages;
beforeAll(async () => {
  const [opened, launched, program] = await Promise.all([
    openLoginWorld({ SVC_ACCESS_TOKEN_SECONDS: '5', SVC_RATE_LIMIT_PER_MINUTE: '0' }),
    launchBrowser(),
    bundlePage('tabs-main.ts'),
  ]);
  world = opened;
  browser = launched;
  pages = await servePages({ 'tabs.js': program });
});
afterAll(async () => {
  pages?.close();
  await browser?.close();
  await world?.stop();
});

/** Returns the stored tokens of a freshly signed-in user. */
async function signedIn(client: LoginClient): Promise<{ readonly name: string; readonly tokens: string }> {
  const address = 'tabs@mail.example';
  const form = createFormClient(world.baseUrl);
  await signUpByForms(world, form, address, password, client);
  let returned = '';
  const near = (url: string) => url.replace('//localhost:', '//127.0.0.1:');
  const storage = memoryStorage();
  const [accountId = '', project = ''] = client.clientId.split('.');
  const auth = createAuth({
    baseUrl: world.baseUrl,
    accountId,
    project,
    environment: 'production',
    redirectUri: world.appUri,
    storage,
    async openUrl(url) {
      const page = await form.get(near(url));
      const next = await form.send(page, '/authorize/sign-in', { email: address, password });
      const last = next.location === null ? next : await form.get(next.location);
      returned = (await form.send(last, '/v1/auth/authorize/callback', {})).location ?? '';
    },
  });
  await auth.signIn();
  await auth.handleRedirect(returned);
  const name = `holdfast:${world.baseUrl}:${client.clientId}:production`;
  return { name, tokens: String(await storage.get(name)) };
}

/** A tab, with the time when it was frozen. */
interface Tab {
  readonly page: Page;
  freeze(): Promise<void>;
  /** Has no effect on an active tab. */
  wake(): Promise<void>;
  frozenAt: number | undefined;
}

async function openTab(context: BrowserContext, url: string): Promise<Tab> {
  const page = await context.newPage();
  await page.goto(url);
  const session = await context.newCDPSession(page);
  const tab: Tab = {
    page,
    frozenAt: undefined,
    async freeze() {
      await session.send('Page.setWebLifecycleState', { state: 'frozen' });
      tab.frozenAt = Date.now();
    },
    async wake() {
      if (tab.frozenAt === undefined) return;
      await session.send('Page.setWebLifecycleState', { state: 'active' });
      tab.frozenAt = undefined;
    },
  };
  return tab;
}

interface Profile {
  readonly tabs: Tab[];
  readonly random: Random;
  readonly open: () => Promise<Tab>;
}

/** Freezes, wakes, closes or opens a tab. */
async function disturb({ tabs, random, open }: Profile): Promise<void> {
  const tab = tabs[random.below(tabs.length)];
  if (tab === undefined) return;
  const choice = random.below(4);
  if (choice === 0 && tabs.length > 1) {
    tabs.splice(tabs.indexOf(tab), 1);
    await tab.page.close();
  } else if (choice === 1 && tab.frozenAt === undefined) await tab.freeze();
  else await tab.wake();
  if (tabs.length < tabsMax) tabs.push(await open());
}

test('a browser profile keeps its sign-in while tabs freeze, close and open', async () => {
  const seed = freshSeed();
  const random = createRandom(seed);
  const client = await world.newClient();
  const { name, tokens } = await signedIn(client);
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const exchanges = { renewed: 0, refused: 0 };
  context.on('response', (response) => {
    if (!response.url().endsWith('/v1/auth/token') || response.request().method() !== 'POST') return;
    if (response.ok()) exchanges.renewed++;
    else exchanges.refused++;
  });
  const [accountId, project] = client.clientId.split('.');
  const settings = JSON.stringify({ baseUrl: world.baseUrl, accountId, project });
  const keep = `localStorage.getItem('begun') ?? (localStorage.setItem('begun', '1'), localStorage.setItem(${JSON.stringify(name)}, ${JSON.stringify(tokens)}));`;
  const url = pages.add(
    '/tab',
    `<!doctype html><script>${keep} globalThis.settings = ${settings}</script><script type="module" src="/tabs.js"></script>`,
  );
  const open = () => openTab(context, url);
  const tabs: Tab[] = [];
  let begun = 0;
  /** The statuses of renewals that no tab has seen; 0 for one without a response. */
  const unseen: number[] = [];
  let isOver = false;
  // The service completes every third renewal, but the tab is closed before the response.
  await context.route('**/v1/auth/token', async (route) => {
    const page = route.request().frame().page();
    const index = tabs.findIndex((each) => each.page === page);
    const isSpared = isOver || index < 0 || tabs.length < 2;
    if (route.request().method() !== 'POST' || begun++ % 3 > 0 || isSpared) return route.continue();
    tabs.splice(index, 1);
    const renewal = route.fetch().then((answer) => answer.status());
    unseen.push(await renewal.catch(() => 0));
    await page.close();
  });
  for (let n = 0; n < tabsMax; n++) tabs.push(await open());
  const until = Date.now() + seconds * 1_000;
  while (Date.now() < until && exchanges.refused === 0) {
    await disturb({ tabs, random, open });
    await delay(50 + random.below(900));
  }
  isOver = true; // no tab is closed during the checks
  expect(exchanges.refused, `seed ${seed}`).toBe(0);
  expect(exchanges.renewed).toBeGreaterThan(0);
  for (const tab of tabs) await tab.wake();
  // Every remaining tab continues to save, even after the next renewal.
  const renewed = exchanges.renewed;
  for (const { page } of tabs) {
    const saves = (await page.evaluate('tab.saves')) as number;
    await expect.poll(() => page.evaluate('tab.saves')).toBeGreaterThan(saves);
  }
  await expect.poll(() => exchanges.renewed).toBeGreaterThan(renewed);
  for (const { page } of tabs) expect(await page.evaluate('tab.user()'), `seed ${seed}`).toBeTypeOf('string');
  expect(await tabs[0]?.page.evaluate(`localStorage.getItem('signed out')`), `seed ${seed}`).toBeNull();
  expect(exchanges.refused, `seed ${seed}`).toBe(0);
  const errors = (await Promise.all(tabs.map(({ page }) => page.evaluate('tab.errors')))).flat() as string[];
  expect(
    errors.filter((code) => !['timeout', 'network_error'].includes(code)),
    `seed ${seed}`,
  ).toEqual([]);
  expect(new Set(unseen)).toEqual(new Set([200]));
  console.log(
    `${exchanges.renewed} renewals, ${unseen.length} that their tab did not outlive, ${errors.length} calls without a response, seed ${seed}`,
  );
}, 600_000);
