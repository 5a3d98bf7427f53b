/** A player from the first visit to the last, in a browser: guest play, sign-up, two devices, support, deletion. */
import { diff, type JsonObject } from '@holdfast/json';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { launchBrowser } from '../../tooling/browser.ts';
import { createFormClient, signUpByForms } from '../../tooling/forms.ts';
import { password } from '../login/stage.ts';
import { type LoginClient, type LoginWorld, openLoginWorld } from '../login/world.ts';
import { bundlePage, type Pages, servePages } from './pages/serve.ts';

const address = 'ada@mail.example';
let world: LoginWorld;
let browser: Browser;
let pages: Pages;
let client: LoginClient;
let url: string;
beforeAll(async () => {
  const [opened, launched, program] = await Promise.all([openLoginWorld(), launchBrowser(), bundlePage('story-main.ts')]);
  [world, browser] = [opened, launched];
  pages = await servePages({ 'story.js': program });
  client = await world.newClient({
    redirectUris: [world.appUri, `${pages.origin}/game`],
    allowedIdps: ['password', 'anonymous'],
  });
  // This sign-in has no save: a guest who upgrades with it keeps the guest's identity.
  await signUpByForms(world, createFormClient(world.baseUrl), address, password, client);
  const [accountId, project] = client.clientId.split('.');
  const settings = JSON.stringify({ baseUrl: world.baseUrl, accountId, project });
  const script = `<script>settings = ${settings}</script><script type="module" src="/story.js"></script>`;
  url = pages.add('/game', `<!doctype html><title>Game</title>${script}`);
});
afterAll(async () => {
  pages?.close();
  await browser?.close();
  await world?.stop();
});

/** A device with separate storage. */
async function newDevice(): Promise<Page> {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForFunction('globalThis.game');
  return page;
}

const earn = (page: Page, coins: number) => page.evaluate<number>(`game.earn(${coins})`);
const coinsOf = (page: Page) => page.evaluate<number | null>('game.coins()');
const who = (page: Page) => page.evaluate<{ id?: string; isGuest: boolean }>('game.who()');

/** Signs in at the login page, which first offers a new account, and returns to the game. Resolves with the outcome that the game receives. */
async function upgrade(page: Page): Promise<string | null> {
  await page.evaluate('void game.upgrade()');
  await page.getByRole('heading', { name: 'Keep your progress' }).waitFor();
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await page.waitForSelector('#password[autocomplete="current-password"]');
  await page.fill('#email', address);
  await page.fill('#password', password);
  await page.press('#password', 'Enter');
  await page.waitForURL((at) => at.pathname === '/game' && at.search === '');
  await page.waitForFunction('globalThis.game');
  return page.evaluate<string | null>('game.arrived');
}

test('from the first visit to the last', async () => {
  const [accountId, slug] = client.clientId.split('.');
  const project = `/v1/${accountId}/projects/${slug}`;
  const { bearer: headers } = client.developer;
  const ask = (method: string, path: string, more: object = {}) =>
    world.server.call(method, `${project}${path}`, { headers, ...more });

  // The first visit: no form, a save.
  const phone = await newDevice();
  expect(await earn(phone, 5)).toBe(5);
  const guest = await who(phone);
  expect(guest).toEqual({ id: expect.stringMatching(/^guest_/), isGuest: true });

  // A browser that has lost its storage is a new guest without a save.
  const cleared = await newDevice();
  expect(await coinsOf(cleared)).toBeNull();

  // The player signs up on the phone, and keeps the identity and the save.
  expect(await upgrade(phone)).toBe('linked');
  expect(await who(phone)).toEqual({ id: guest.id, isGuest: false });
  expect(await coinsOf(phone)).toBe(5);

  // Signing in restores the save in the browser without storage. Its guest had no save to merge.
  expect(await upgrade(cleared)).toBe('in_use');
  expect(await coinsOf(cleared)).toBe(5);
  expect(await cleared.evaluate('game.merged()')).toBeUndefined();

  // Another device has a guest with a save: the identity is in use, and the game merges both saves.
  const laptop = await newDevice();
  expect(await earn(laptop, 2)).toBe(2);
  expect(await upgrade(laptop)).toBe('in_use');
  expect(await coinsOf(laptop)).toBe(7);
  expect(await laptop.evaluate('game.merged()')).toMatchObject({ guest: { state: { coins: 2 } }, state: { coins: 7 } });
  expect(await coinsOf(phone)).toBe(7);

  // A mistake, which support reverts.
  await earn(phone, -7);
  const save = `/user-states/production/${guest.id}`;
  const found = (await ask('GET', '/players?query=ADA@')).json as { items: { userId: string }[] };
  expect(found.items.map(({ userId }) => userId)).toEqual([guest.id]);
  const history = (await ask('GET', `${save}/history`)).json as { items: { version: number }[] };
  const [current, before] = history.items;
  const stateOf = async (version?: number) =>
    ((await ask('GET', `${save}/versions/${version}`)).json as { state: JsonObject }).state;
  const ops = diff(await stateOf(current?.version), await stateOf(before?.version));
  const restored = await ask('PATCH', save, {
    headers: { ...headers, 'If-Match': `"${current?.version}"` },
    body: { ops, comment: 'gives back what was lost' },
  });
  expect(restored.status, restored.text).toBe(200);
  expect(await coinsOf(laptop)).toBe(7);
  expect(await earn(laptop, 1)).toBe(8);

  // The player deletes everything; nothing is left.
  expect(await phone.evaluate<number>('game.deleteEverything()')).toBe(204);
  expect((await ask('GET', `/players/${guest.id}`)).status).toBe(404);
  expect((await ask('GET', save)).status).not.toBe(200);
  await expect(laptop.evaluate('game.coins()')).rejects.toThrow('the sessions of the player were ended');
});
