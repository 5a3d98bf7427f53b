/** Whose session the console shows, and that nobody else decides about it. In a real browser against a real server. */
import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consoleRedirectUri } from '../../packages/server/src/common/console-addresses.ts';
import { hashSecret, randomSecret } from '../../packages/server/src/oauth/secret-text.ts';
import type { Developer } from '../support/server.ts';
import { type ConsoleWorld, openConsoleWorld } from './world.ts';

let world: ConsoleWorld;
let victim: Developer;
let attacker: Developer;
beforeAll(async () => {
  world = await openConsoleWorld();
  [victim, attacker] = [await world.server.newDeveloper('Victim Games'), await world.server.newDeveloper('Attacker Ltd')];
});
afterAll(() => world.stop());

/** A link with a code as the login page issues it to anybody who can sign in, with a verifier of their choice. */
async function stolenLink({ accountId }: Developer, person = {}): Promise<string> {
  const [code, verifier] = [randomSecret(), randomSecret()];
  await world.server.running.store.addAuthorizationCode(hashSecret(code), {
    accountId,
    slug: null,
    environment: null,
    clientId: 'svc-developer',
    subject: 'mallory',
    scope: 'developer',
    email: null,
    name: null,
    redirectUri: consoleRedirectUri(world.server.baseUrl),
    ...person,
    codeChallenge: hash('sha256', verifier, 'base64url'),
    expiresAt: Date.now() + 60_000,
  });
  return `${world.server.baseUrl}/console/demo#${code}.${verifier}`;
}

describe('a link', () => {
  it('with a code from the login page signs nobody in, neither here nor in another tab', async () => {
    const page = await world.signedIn(victim);
    const tab = await page.context().newPage();
    await tab.goto(await stolenLink(attacker));
    await tab.getByRole('button', { name: 'Open the demo in this tab' }).click();
    await tab.getByText('You could not be signed in').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    await page.locator('.sidebar .session-holder', { hasText: 'Victim Games' }).waitFor();
    const stranger = await world.browser.newPage({ locale: 'en-US' });
    await stranger.goto(await stolenLink(attacker));
    await stranger.getByText('You could not be signed in').waitFor();
    await Promise.all([page, stranger].map((one) => one.context().close()));
  });

  it('from the command line asks the signed-in user, and leaves sessions of other tabs alone', async () => {
    const page = await world.signedIn(victim);
    const tab = await page.context().newPage();
    await tab.goto(await world.linkFor(attacker));
    await tab.getByRole('heading', { name: 'You are already signed in' }).waitFor();
    await tab.locator('.facts', { hasText: /Victim Games[\s\S]*Operator/ }).waitFor();
    expect(tab.url()).toBe(`${world.server.baseUrl}/console/demo`);
    await tab.getByRole('button', { name: 'Open the demo in this tab' }).click();
    await tab.waitForURL((url) => !url.pathname.endsWith('/demo'));
    await tab.locator('.sidebar .session-holder', { hasText: 'Attacker Ltd' }).waitFor();
    await page.reload();
    await page.locator('.sidebar .session-holder', { hasText: 'Victim Games' }).waitFor();
    await tab.getByRole('button', { name: 'Preferences' }).click();
    await tab.getByRole('menuitem', { name: 'Sign out' }).click();
    await tab.getByRole('heading', { name: 'Sign in to Holdfast' }).waitFor();
    await page.reload();
    await page.locator('.sidebar .session-holder', { hasText: 'Victim Games' }).waitFor();
    await page.context().close();
  });
});

describe('a closed tab', () => {
  it('leaves its session to the next one on loopback, until somebody signs out', async () => {
    const page = await world.signedIn(victim);
    const context = page.context();
    await page.locator('.sidebar .session-holder', { hasText: 'Victim Games' }).waitFor();
    await page.close();
    const next = await context.newPage();
    await next.goto(`${world.server.baseUrl}/console/`);
    await next.locator('.sidebar .session-holder', { hasText: 'Victim Games' }).waitFor();
    await next.getByRole('button', { name: 'Preferences' }).click();
    await next.getByRole('menuitem', { name: 'Sign out' }).click();
    await next.getByRole('heading', { name: 'Sign in to Holdfast' }).waitFor();
    await next.close();
    const last = await context.newPage();
    await last.goto(`${world.server.baseUrl}/console/`);
    await last.getByText('npx holdfast account link').waitFor();
    await context.close();
  });
});

describe('the button to sign in', () => {
  it('starts one sign-in, keeps its focus while busy, and works again after the back button', async () => {
    const page = await world.browser.newPage({ locale: 'en-US' });
    const asked: string[] = [];
    await page.route('**/authorize?*', (route) => {
      asked.push(route.request().url());
      return route.fulfill({ status: 204 }); // the browser stays where it is
    });
    await page.goto(`${world.server.baseUrl}/console/`);
    const button = page.getByRole('button', { name: 'Sign in' });
    await button.press('Enter');
    await page.locator('button[data-busy]:focus').waitFor();
    await button.press('Enter');
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
    await page.locator('button:not([data-busy]):focus').waitFor();
    expect(asked).toHaveLength(1);
    await button.press('Enter');
    await expect.poll(() => asked).toHaveLength(2);
    await page.close();
  });
});
