/** A page that signs in with a popup of the login page, in a browser. */
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { launchBrowser } from '../../tooling/browser.ts';
import { createFormClient, signUpByForms } from '../../tooling/forms.ts';
import { password } from '../login/stage.ts';
import { type LoginClient, openLoginWorld } from '../login/world.ts';
import { bundlePage, servePages } from './pages/serve.ts';

export const address = 'popup@mail.example';

export interface PopupWorld {
  /** Opens a page and its popup with the login page, which it waits for. */
  openPopup(): Promise<{ readonly page: Page; readonly popup: Page }>;
  stop(): Promise<void>;
}

/** The outcome of the sign-in on a page. */
export const outcomeOf = (page: Page) => page.evaluate('document.body.dataset.outcome');

export async function openPopupWorld(): Promise<PopupWorld> {
  const [world, browser, program] = await Promise.all([openLoginWorld(), launchBrowser(), bundlePage('popup-main.ts')]);
  const pages = await servePages({ 'popup.js': program });
  const client: LoginClient = await world.newClient({ redirectUris: [world.appUri, `${pages.origin}/popup`] });
  await signUpByForms(world, createFormClient(world.baseUrl), address, password, client);
  const [accountId, project] = client.clientId.split('.');
  const settings = JSON.stringify({ baseUrl: world.baseUrl, accountId, project });
  const url = pages.add(
    '/popup',
    `<!doctype html><body style="height:50px"><script>globalThis.settings = ${settings}</script><script type="module" src="/popup.js"></script>`,
  );
  return {
    async openPopup() {
      const context = await browser.newContext();
      onTestFinished(() => context.close());
      const page = await context.newPage();
      await page.goto(url);
      await expect.poll(() => outcomeOf(page)).toBe('ready');
      const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('body', { position: { x: 5, y: 5 } })]);
      await popup.waitForSelector('#email');
      return { page, popup };
    },
    async stop() {
      pages.close();
      await browser.close();
      await world.stop();
    },
  };
}
