/** The console's session, which a third party cannot replace. In a real browser against a real server. */
import type { Page } from 'playwright-core';
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
    await tab.locator('.account-button').click();
    await tab.getByRole('menuitem', { name: 'Sign out' }).click();
    await tab.getByRole('heading', { name: 'You are signed out' }).waitFor();
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
    await next.locator('.account-button').click();
    await next.getByRole('menuitem', { name: 'Sign out' }).click();
    await next.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await next.close();
    const last = await context.newPage();
    await last.goto(`${world.server.baseUrl}/console/`);
    await last.getByText('npx holdfast account link').waitFor();
    await context.close();
  });
});

describe('a signed-out browser', () => {
  /** Answers the login page with nothing, so that the browser stays where it is. Returns the addresses that it asked for. */
  async function holdAtConsole(page: Page): Promise<string[]> {
    const asked: string[] = [];
    await page.route('**/authorize?*', (route) => {
      asked.push(route.request().url());
      return route.fulfill({ status: 204 });
    });
    return asked;
  }

  it('is led straight to the login page, in the language of the console, and back to the page that it asked for', async () => {
    const { slug } = await world.server.newProject(victim);
    const context = await world.browser.newContext({ locale: 'en-US' });
    const page = await context.newPage();
    const address = `${world.server.baseUrl}/console/p/${slug}/production/flags?flag=new-shop`;
    await page.goto(`${world.server.baseUrl}/healthz`);
    await page.evaluate(`localStorage.setItem('holdfast.language', 'de')`);
    await page.goto(address);
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    await page.getByText('npx holdfast account link').waitFor();
    const { searchParams } = new URL(page.url());
    await page.goBack();
    expect(new URL(page.url()).pathname).toBe('/healthz');
    const begun = await page.evaluate<string>(`sessionStorage.getItem('holdfast:sign-in:${searchParams.get('state')}')`);
    expect(JSON.parse(begun)).toMatchObject({ returnTo: new URL(address).pathname + new URL(address).search });
    await context.close();
  });

  it('signs in with another link that is pasted into the tab of a used one', async () => {
    const page = await world.browser.newPage({ locale: 'en-US' });
    const link = await world.linkFor(victim);
    await page.goto(link);
    await page.waitForURL((url) => !url.pathname.endsWith('/demo'));
    const context = await world.browser.newContext({ locale: 'en-US' });
    const other = await context.newPage();
    await other.goto(link);
    await other.getByText('This link was already used').waitFor();
    await other.goto(await world.linkFor(victim)); // only the fragment changes
    await other.waitForURL((url) => !url.pathname.endsWith('/demo'));
    await Promise.all([context.close(), page.context().close()]);
  });

  it('begins in the language that was chosen on the login page, unless one was chosen in the console', async () => {
    const page = await world.browser.newPage({ locale: 'en-US' });
    await page.goto(`${world.server.baseUrl}/console/`);
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    await page.goto(await world.linkFor(victim));
    await page.getByRole('heading', { name: 'Projekte' }).waitFor();
    await page.evaluate(`localStorage.setItem('holdfast.language', 'en')`);
    await page.reload();
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    await page.context().close();
  });

  it('stays at the console after a sign-out, even if the page is loaded again', async () => {
    const page = await world.signedIn(victim, '/usage');
    const asked = await holdAtConsole(page);
    await page.locator('.account-button').click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    expect(asked).toEqual([]);
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await expect.poll(() => asked).toHaveLength(1);
    await page.context().close();
  });

  it('stays at the console with the fault of a sign-in, and after one that another tab began', async () => {
    const page = await world.browser.newPage({ locale: 'en-US' });
    const asked = await holdAtConsole(page);
    await page.goto(`${world.server.baseUrl}/console/p/some/production/state`);
    await expect.poll(() => asked).toHaveLength(1);
    const state = new URL(asked[0] ?? '').searchParams.get('state') ?? '';
    const back = new URLSearchParams({ error: 'access_denied', state, iss: world.server.baseUrl });
    await page.goto(`${world.server.baseUrl}/console/callback?${back}`);
    await page.getByText('You could not be signed in').waitFor();
    await page.goto(`${world.server.baseUrl}/console/callback?${new URLSearchParams({ code: 'none', state: 'none' })}`);
    await page.getByRole('heading', { name: 'Sign in to Holdfast' }).waitFor();
    expect(asked).toHaveLength(1);
    await page.close();
  });

  it('starts one sign-in with the button, which keeps its focus while busy and works again after the back button', async () => {
    const page = await world.browser.newPage({ locale: 'en-US' });
    const asked = await holdAtConsole(page);
    await page.goto(`${world.server.baseUrl}/console/callback?code=none&state=none`);
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
