/** Joining an account, for console tests. */
import type { Page } from 'playwright-core';
import { mailTo } from '../../tooling/outbox.ts';
import { type ConsoleWorld, preferJson } from './world.ts';

export interface Joining {
  /** The invitation link. */
  readonly link: string;
  readonly email: string;
  /** Expected text of the invitation. */
  readonly facts: RegExp;
}

/** Opens an invitation link in a separate browser context, and signs up there. */
export async function join({ browser, server }: ConsoleWorld, { link, email, facts }: Joining): Promise<Page> {
  const page = await browser.newPage({ locale: 'en-US', viewport: { width: 1280, height: 860 } });
  await page.addInitScript(preferJson);
  await page.goto(link);
  await page.locator('.facts', { hasText: facts }).waitFor();
  await page.getByRole('button', { name: 'Accept and sign in' }).click();
  await page.getByRole('link', { name: 'Create account' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('four random words of mine');
  await page.getByRole('button', { name: 'Create account' }).click();
  // The first mail to this address is the invitation itself.
  const { code = '' } = await mailTo(server.place.dataDir, email, 1);
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.locator('.sidebar .session-holder', { hasText: email }).waitFor();
  return page;
}
