/** The console's session, which a third party cannot replace. In a real browser against a real server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

describe('a link', () => {
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
      return route.fulfill({ status: 204 }); // the browser stays on the page
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
