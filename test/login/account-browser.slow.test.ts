/** The second factor and the page *Your sign-in* in a real browser: passkeys, small screens, both languages and themes. */
import { readFileSync } from 'node:fs';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addAuthenticator, fillSignIn, password, sharedStage, skipOffer } from './stage.ts';
import { startUpstream } from './upstream.ts';

const stage = sharedStage();
const accountUrl = () => `${stage().world.baseUrl}/account?client_id=svc-developer`;

async function openAccount(page: Page, address: string): Promise<void> {
  await page.goto(accountUrl());
  await fillSignIn(page, address);
  await page.waitForSelector('.rows');
}

/** Presses the button of an action on the page *Your sign-in*. */
const press = (page: Page, action: string) => page.click(`form:has(input[value=${action}]) button`);

async function setUpApp(page: Page): Promise<TOTP> {
  await press(page, 'begin-second-factor');
  const secret = (await page.locator('.secret code').innerText()).replaceAll(' ', '');
  const app = new TOTP({ secret });
  await page.fill('#code', app.generate());
  await page.click('.primary');
  expect(await page.locator('.recovery li').count()).toBe(10);
  await page.click('.primary');
  await page.waitForSelector('.rows');
  return app;
}

const isTooWide = (page: Page) => page.evaluate('document.documentElement.scrollWidth > innerWidth');

describe('in a browser', () => {
  it('an authenticator app is set up and required, but not after a passkey', async () => {
    const { newPage, newUser, world } = stage();
    const address = await newUser();
    const page = await newPage();
    await openAccount(page, address);
    await setUpApp(page);
    const other = await newPage();
    await other.goto(world.authorizeUrl());
    await fillSignIn(other, address);
    await other.waitForSelector('#code');
    expect(await other.evaluate('document.activeElement.id')).toBe('code');
    expect(await other.locator('#passkey').count()).toBe(0);

    await addAuthenticator(page);
    await page.reload();
    await page.click('#passkey-add-button');
    await expect.poll(() => page.locator('#notice').allInnerTexts()).toEqual(['Your passkey is saved.']);
    await page.goto(world.authorizeUrl());
    // The browser offers the passkey in the email field, and the authenticator accepts.
    expect(await world.redeem(await skipOffer(page))).toMatchObject({ amr: ['pop', 'user', 'mfa'] });
    await other.context().close();
    await page.context().close();
  });

  it.each([
    ['en-GB', 'light', 1280],
    ['de-DE', 'dark', 360],
  ] as const)('the page fits its screen: %s, %s, %i', async (locale, colorScheme, width) => {
    const { newPage, newUser } = stage();
    const address = await newUser();
    const page = await newPage({ locale, colorScheme, viewport: { width, height: 860 } });
    await openAccount(page, address);
    expect(await isTooWide(page)).toBe(false);
    expect(await page.locator('html').getAttribute('lang')).toBe(locale.slice(0, 2));
    await press(page, 'begin-second-factor');
    expect(await isTooWide(page)).toBe(false);
    const { width: side = 0 } = (await page.locator('.qr svg').boundingBox()) ?? {};
    expect(side).toBeGreaterThan(150);
    await page.context().close();
  });

  it.each([
    ['en-GB', 'light', 1280, 'Add Studio', 'You can now also sign in with Studio.', 'The password is removed'],
    [
      'de-DE',
      'dark',
      360,
      'Studio hinzufügen',
      'Sie können sich jetzt auch mit Studio anmelden.',
      'Das Passwort ist entfernt',
    ],
  ] as const)(
    'a provider is added, and the password removed: %s, %s, %i',
    async (locale, colorScheme, width, add, added, removed) => {
      const { newPage, newUser, world } = stage();
      const client = await world.newClient({ allowedIdps: ['password', 'oidc.studio'] });
      const callback = `${world.baseUrl}/authorize/federated/callback/${client.developer.accountId}/oidc.studio`;
      const upstream = await startUpstream({ redirectUri: callback });
      onTestFinished(() => upstream.stop());
      const { issuer, clientId, clientSecret } = upstream;
      await world.putProvider(client, 'oidc.studio', { name: 'Studio', issuer, clientId, clientSecret });
      const address = await newUser(client);
      const page = await newPage({ locale, colorScheme, viewport: { width, height: 860 }, mayVisit: [issuer] });
      await page.goto(`${world.baseUrl}/account?client_id=${client.clientId}`);
      await fillSignIn(page, address);
      const picture = async (name: string) => {
        expect(await isTooWide(page), name).toBe(false);
        const folder = process.env.HOLDFAST_PICTURES;
        if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true });
      };
      const button = page.getByRole('button', { name: add });
      await button.waitFor();
      await picture('methods');
      await button.click();
      await page.click('text=Agree');
      await expect.poll(() => page.locator('#notice').allInnerTexts()).toEqual([added]);
      expect(new URL(page.url()).pathname).toBe('/account');
      await picture('added');
      await page.click('summary >> nth=0');
      await picture('unfolded');
      await page.click('form:has(input[value=remove-password]) button');
      await expect.poll(() => page.locator('#notice').innerText()).toContain(removed);
      expect(await page.locator('.rows button').count()).toBeGreaterThan(0);
      await picture('removed');
      await page.reload();
      await page.waitForSelector('.rows');
      await page.context().close();
    },
  );

  it.each([
    ['en-GB', 'light', 1280, 'Export my data', 'Delete everything', 'Everything is deleted'],
    ['de-DE', 'dark', 360, 'Meine Daten exportieren', 'Alles löschen', 'Alles ist gelöscht'],
  ] as const)(
    'a player downloads their data, and deletes everything: %s, %s, %i',
    async (locale, colorScheme, width, download, erase, erased) => {
      const { newPage, newUser, world } = stage();
      const client = await world.newClient({ primaryColor: '#7a2e8e', bgColor: '#f3d9c9' }, 'Lanternfish');
      const address = await newUser(client);
      const page = await newPage({ locale, colorScheme, viewport: { width, height: 860 } });
      await page.goto(`${world.baseUrl}/account?client_id=${client.clientId}`);
      await fillSignIn(page, address);
      const picture = async (name: string) => {
        expect(await isTooWide(page), name).toBe(false);
        const folder = process.env.HOLDFAST_PICTURES;
        if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true });
      };
      const button = page.getByRole('button', { name: download });
      await button.waitFor();
      for (const suggested of ['game.json', 'game.json']) {
        const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
        expect(file.suggestedFilename()).toBe(suggested);
        expect(JSON.parse(readFileSync(await file.path(), 'utf8'))).toMatchObject({ methods: [{ email: address }] });
      }
      await picture('player');
      await page.click(`summary:has-text("${erase}")`);
      await picture('player-sure');
      await page.check('input[name=sure]');
      await page.click('form:has(input[value=erase]) .danger');
      await expect.poll(() => page.locator('h1').innerText()).toBe(erased);
      await picture('player-erased');
      await page.context().close();
    },
  );

  it('the page works without JavaScript, except for passkeys', async () => {
    const { newPage, newUser } = stage();
    const address = await newUser();
    const page = await newPage({ javaScriptEnabled: false });
    await openAccount(page, address);
    expect(await page.locator('#passkey-add').isVisible()).toBe(false);
    await page.click('summary >> nth=0');
    await page.fill('#password', `${password}!`);
    await page.click('form:has(#password) .button');
    expect(await page.locator('#notice').innerText()).toContain('has been changed');
    await setUpApp(page);
    await page.context().close();
  });
});
