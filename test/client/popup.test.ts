/** Sign-in with a window of the login page, in a browser. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { launchBrowser } from '../login/browser.ts';
import { createFormClient, signUpByForms } from '../login/form-client.ts';
import { password } from '../login/stage.ts';
import { type LoginClient, type LoginWorld, openLoginWorld } from '../login/world.ts';
import { bundlePage, type Pages, servePages } from './pages/serve.ts';

const address = 'popup@mail.example';
let world: LoginWorld;
let browser: Awaited<ReturnType<typeof launchBrowser>>;
let pages: Pages;
let url: string;
beforeAll(async () => {
  const [opened, launched, program] = await Promise.all([openLoginWorld(), launchBrowser(), bundlePage('popup-main.ts')]);
  [world, browser] = [opened, launched];
  pages = await servePages({ 'popup.js': program });
  const client: LoginClient = await world.newClient({ redirectUris: [world.appUri, `${pages.origin}/popup`] });
  await signUpByForms(world, createFormClient(world.baseUrl), address, password, client);
  const [accountId, project] = client.clientId.split('.');
  const settings = JSON.stringify({ baseUrl: world.baseUrl, accountId, project });
  url = pages.add(
    '/popup',
    `<!doctype html><body style="height:50px"><script>globalThis.settings = ${settings}</script><script type="module" src="/popup.js"></script>`,
  );
});
afterAll(async () => {
  pages?.close();
  await browser?.close();
  await world?.stop();
});

const outcomeOf = (page: Page) => page.evaluate('document.body.dataset.outcome');

/** A page that waits for its window, and the window, which shows the login page. */
async function openPopup(): Promise<{ readonly page: Page; readonly popup: Page }> {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(url);
  await expect.poll(() => outcomeOf(page)).toBe('ready');
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('body', { position: { x: 5, y: 5 } })]);
  await popup.waitForSelector('#email');
  return { page, popup };
}

test('resolves when somebody has signed in, and closes the window', async () => {
  const { page, popup } = await openPopup();
  const closed = popup.waitForEvent('close');
  await popup.fill('#email', address);
  await popup.fill('#password', password);
  await popup.press('#password', 'Enter');
  await expect.poll(() => outcomeOf(page)).toBe(`signed in as ${address}`);
  await closed;
});

test('rejects soon after the window is closed', async () => {
  const { page, popup } = await openPopup();
  await delay(1_000);
  expect(await outcomeOf(page)).toBe('waiting');
  await popup.close();
  await expect.poll(() => outcomeOf(page), { timeout: 5_000 }).toBe('popup_closed');
});

test('keeps waiting without focus: a window with an opener policy only looks closed', async () => {
  const { page, popup } = await openPopup();
  await page.evaluate('document.hasFocus = () => false');
  await popup.close();
  await delay(2_500);
  expect(await outcomeOf(page)).toBe('waiting');
  await page.evaluate('delete document.hasFocus');
  await expect.poll(() => outcomeOf(page), { timeout: 5_000 }).toBe('popup_closed');
});
