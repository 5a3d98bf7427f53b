/** From an invitation link to a signed-in owner in the console, in a real browser against a real server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invitationLink } from '../../packages/server/src/common/net/console-addresses.ts';
import { invite as inviteTo, ofOperator } from '../../packages/server/src/management/invitations.ts';
import { byOperator } from '../../packages/server/src/storage/store-suite/records.fixture.ts';
import { mailTo } from '../../tooling/outbox.ts';
import type { Developer } from '../support/server.ts';
import { type ConsoleWorld, openConsoleWorld } from './world.ts';

let world: ConsoleWorld;
let studio: Developer;
beforeAll(async () => {
  world = await openConsoleWorld({ settings: { SVC_DEVELOPER_SIGNUP: 'closed', SVC_ACCESS_TOKEN_SECONDS: '5' } });
  studio = await world.server.newDeveloper('Lanternfish Games');
});
afterAll(() => world.stop());

const password = 'four random words of mine';

async function invite({ accountId }: Developer = studio): Promise<{ link: string; token: string }> {
  const { token } = await inviteTo(
    world.server.running.store,
    { ...byOperator, at: Date.now() },
    { ...ofOperator, accountId, role: 'owner' },
  );
  return { token, link: invitationLink(world.server.baseUrl, token) };
}

async function openLink(link: string) {
  const page = await world.browser.newPage({ locale: 'en-US' });
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url(), request.headers().referer ?? ''));
  page.on('framenavigated', (frame) => addresses.push(frame.url()));
  await page.goto(link);
  addresses.length = 0; // without the opened link itself, which includes the fragment
  return { page, addresses };
}

describe('an invitation', () => {
  it('makes a stranger an owner while sign-up is closed, and appears in no address on the way', async () => {
    const { link, token } = await invite();
    const { page, addresses } = await openLink(link);
    let loginAddress = '';
    page.on('framenavigated', (frame) => {
      if (new URL(frame.url()).pathname === '/authorize') loginAddress = frame.url();
    });
    await page.getByRole('heading', { name: 'You are invited' }).waitFor();
    await page.locator('.facts', { hasText: /Lanternfish Games[\s\S]*Owner[\s\S]*Operator/ }).waitFor();
    expect(page.url()).toBe(`${world.server.baseUrl}/console/join`);
    await page.getByRole('button', { name: 'Accept and sign in' }).click();
    await page.getByText('Lanternfish Games').waitFor();
    await page.getByRole('link', { name: 'Create account' }).click();
    await page.getByText('Lanternfish Games').waitFor();
    await page.getByLabel('Email').fill('owner@example.com');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    const { code = '' } = await mailTo(world.server.place.dataDir, 'owner@example.com');
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.locator('.sidebar .session-holder', { hasText: 'Lanternfish Games' }).waitFor();
    await page.locator('.sidebar .session-holder', { hasText: 'owner@example.com' }).waitFor();
    expect(addresses.filter((address) => address.includes(token))).toEqual([]);
    // Only the first token contains the email address; the page still knows it after the next.
    await page.waitForTimeout(5_000);
    await Promise.all([page.waitForResponse('**/v1/auth/token'), page.reload()]);
    await page.locator('.sidebar .session-holder', { hasText: 'owner@example.com' }).waitFor();
    await page.goBack();
    expect(page.url()).not.toContain(token);
    // The invitation is used, and the login page no longer shows it.
    await page.goto(loginAddress);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByText('Lanternfish Games').count()).toBe(0);
    const second = await openLink(link);
    await second.page.getByRole('heading', { name: 'This invitation is not valid' }).waitFor();
    await Promise.all([page, second.page].map((one) => one.context().close()));
  });

  it('asks before it changes a session, and explains a refusal to a member', async () => {
    const other = await world.server.newDeveloper('Other Ltd');
    const page = await world.signedIn(other);
    const tab = await page.context().newPage();
    await tab.goto((await invite()).link);
    await tab.getByText('You are already signed in').waitFor();
    await tab.locator('.facts', { hasText: /Other Ltd[\s\S]*Operator/ }).waitFor();
    await tab.getByRole('button', { name: 'Accept', exact: true }).click();
    await tab.getByLabel('Email').fill('owner@example.com');
    await tab.getByLabel('Password', { exact: true }).fill(password);
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click();
    await tab.getByText('You are already a member of this account').waitFor();
    await tab.context().clearCookies();
    await tab.evaluate(() => localStorage.setItem('holdfast.language', 'de'));
    await tab.goto('about:blank');
    await tab.goto((await invite()).link);
    await tab.getByRole('button', { name: 'Annehmen', exact: true }).click();
    await tab.getByLabel('Email').or(tab.getByLabel('E-Mail')).fill('owner@example.com');
    await tab.getByLabel(/^(?:Password|Passwort)$/).fill(password);
    await tab.getByRole('button', { name: /^(?:Sign in|Anmelden)$/ }).click();
    await tab.getByText('Sie sind bereits Mitglied dieses Kontos').waitFor();
    await page.reload();
    await page.locator('.sidebar .session-holder', { hasText: 'Other Ltd' }).waitFor();
    await page.context().close();
  });

  it('is the only way in while sign-up is closed; another site cannot plant one', async () => {
    const page = await world.browser.newPage({ locale: 'en-US' });
    await page.goto(`${world.server.baseUrl}/console/`);
    await page.getByText('You need an invitation to create an account here').waitFor();
    expect(await page.getByRole('link', { name: 'Create account' }).count()).toBe(0);
    const { search } = new URL(page.url());
    const { token } = await invite();
    for (const site of ['cross-site', 'same-site', 'same-origin']) {
      const answer = await world.server.call('POST', `/authorize/invitation${search}`, {
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': site },
        body: `invitation=${token}`,
      });
      expect([answer.status, answer.headers['set-cookie'] !== undefined]).toEqual(
        site === 'same-origin' ? [204, true] : [403, false],
      );
    }
    await page.context().close();
  });
});
