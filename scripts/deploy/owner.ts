/** Follows the link printed by `holdfast account create` until an owner is signed in to the console, in a real browser, like a stranger. */
import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../../tooling/browser.ts';
import { mailTo } from '../../tooling/outbox.ts';

export interface Invited {
  /** The complete output of `holdfast account create --name`. */
  readonly printed: string;
  /** The name of the account. */
  readonly name: string;
  /** The data folder, where mails are stored as files if no mail server is set. */
  readonly dataDir: string;
  /** The port that serves the link's address, if that is not on this machine. Its certificate need not be trusted. */
  readonly port?: number;
  /** Where to store a picture of the console at the end. */
  readonly picture?: string;
}

const email = 'owner@example.com';
const waitMillisecondsMax = 30_000;

/** Opens the link, creates a sign-in, and resolves when the console shows the account to its owner. Rejects with what is missing. */
export async function becomeOwner({ printed, name, dataDir, port, picture }: Invited): Promise<void> {
  const [link = ''] = /https?:\/\/\S+\/console\/join#\S+/.exec(printed) ?? [];
  assert.notEqual(link, '', `no link for an owner:\n${printed}`);
  const browser = await launchBrowser(port === undefined ? [] : [`--host-resolver-rules=${mapped(link, port)}`]);
  try {
    const context = await browser.newContext({ locale: 'en-US', ignoreHTTPSErrors: true, reducedMotion: 'reduce' });
    context.setDefaultTimeout(waitMillisecondsMax);
    const page = await context.newPage();
    await page.goto(link);
    await signUp(page, dataDir);
    const holder = page.locator('.sidebar .session-holder', { hasText: name });
    await holder.waitFor();
    assert.match(await holder.innerText(), new RegExp(`${name}[\\s\\S]*${email}`));
    if (picture !== undefined) await page.screenshot({ path: picture });
  } finally {
    await browser.close();
  }
}

const mapped = (link: string, port: number): string => {
  const { hostname, port: asked, protocol } = new URL(link);
  return `MAP ${hostname}:${asked || (protocol === 'https:' ? 443 : 80)} 127.0.0.1:${port}`;
};

async function signUp(page: Page, dataDir: string): Promise<void> {
  await page.getByRole('button', { name: 'Accept and sign in' }).click();
  await page.getByRole('link', { name: 'Create account' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('four random words of mine');
  await page.getByRole('button', { name: 'Create account' }).click();
  const { code = '' } = await mailTo(dataDir, email);
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Confirm' }).click();
}
