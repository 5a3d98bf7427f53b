/** Password sign-in from the user's point of view. */
import { describe, expect, it } from 'vitest';
import { expectAlert, fillSignIn, fillSignUp, password, type Stage, skipOffer } from './stage.ts';

export function passwordSuite(stage: () => Stage): void {
  describe('a player', () => {
    it('sees the name of the game, and returns to it with a player’s claims', async () => {
      const { world, newPage, newUser } = stage();
      const client = await world.newClient({}, 'Sea of <Glass>');
      const page = await newPage();
      await page.goto(world.authorizeUrl(client));
      expect(await page.title()).toBe('Sign in – Sea of <Glass>');
      expect(await page.locator('.brand').innerText()).toContain('Sea of <Glass>');
      const address = await newUser(client);
      await fillSignIn(page, address);
      const claims = await world.redeem(await skipOffer(page), client);
      expect(claims).toMatchObject({ svc_role: 'end_user', email: address });
      await page.context().close();
    });

    it('of one account is unknown in another, and to developers', async () => {
      const { world, newPage, newUser } = stage();
      const [here, elsewhere] = [await world.newClient(), await world.newClient()];
      const page = await newPage();
      const address = await newUser(here);
      for (const client of [elsewhere, undefined]) {
        await page.goto(world.authorizeUrl(client));
        await fillSignIn(page, address);
        await expectAlert(page, /password is wrong/);
      }
      await page.context().close();
    });

    it('without a confirmed address gets a new code by signing in', async () => {
      const { world, newPage, newAddress } = stage();
      const client = await world.newClient();
      const page = await newPage();
      const address = newAddress();
      await page.goto(world.authorizeUrl(client, {}, '/authorize/sign-up'));
      await fillSignUp(page, address);
      const { code: oldCode } = await world.mailTo(address);
      await page.goto(world.authorizeUrl(client));
      await fillSignIn(page, address);
      await expect.poll(() => page.locator('[role=status]').first().innerText()).toMatch(/not confirmed yet/);
      const { code } = await world.mailTo(address, 1);
      expect(code).not.toBe(oldCode);
      await page.fill('#code', code as string);
      await page.click('.primary');
      await world.redeem(await skipOffer(page), client);
      await page.context().close();
    });

    it('with a known address sees the same page as others, and no code works there', async () => {
      const { world, newPage, newUser } = stage();
      const client = await world.newClient();
      const page = await newPage();
      const address = await newUser(client);
      await page.goto(world.authorizeUrl(client, {}, '/authorize/sign-up'));
      await fillSignUp(page, address);
      const { code, link } = await world.mailTo(address, 1);
      expect({ code, hasLink: link !== undefined }).toEqual({ code: undefined, hasLink: true });
      await page.fill('#code', '123456');
      await page.click('.primary');
      await expectAlert(page, /is wrong|has expired/);
      await page.context().close();
    });
  });

  describe('every task can be finished', () => {
    it('without JavaScript: sign-up, reset and sign-in work with buttons', async () => {
      const { world, newPage, newAddress } = stage();
      const client = await world.newClient();
      const page = await newPage({ javaScriptEnabled: false });
      const address = newAddress();
      await page.goto(world.authorizeUrl(client));
      expect(await page.locator('#passkey').isVisible()).toBe(false);
      await page.click('text=Create account');
      await fillSignUp(page, address);
      await page.fill('#code', (await world.mailTo(address)).code as string);
      await page.click('.primary');
      await page.click('text=Continue to Sea of Glass');
      await world.redeem(page.url(), client);
      await page.goto(world.authorizeUrl(client, {}, '/authorize/forgot'));
      await page.fill('#email', address);
      await page.click('.primary');
      await page.goto((await world.mailTo(address, 1)).link as string);
      await page.fill('#password', `${password} staple`);
      await page.click('.primary');
      await page.click('main a.primary');
      await fillSignIn(page, address, `${password} staple`);
      await page.click('text=Continue to Sea of Glass');
      await world.redeem(page.url(), client);
      await page.context().close();
    });

    it('with cookies blocked: the page says so, keeps the address, and works with cookies again', async () => {
      const { world, newPage, newUser } = stage();
      const client = await world.newClient();
      const address = await newUser(client);
      const page = await newPage();
      await page.goto(world.authorizeUrl(client));
      await page.context().clearCookies();
      await fillSignIn(page, address);
      await expectAlert(page, /^Cookies are needed/);
      expect(await page.inputValue('#email')).toBe(address);
      expect(page.url()).toBe(world.authorizeUrl(client));
      await fillSignIn(page, address);
      expect(await world.redeem(await skipOffer(page), client)).toMatchObject({ email: address });
      await page.context().close();
    });

    it('after the back button: an earlier page sends nothing twice', async () => {
      const { world, newPage, newUser } = stage();
      const client = await world.newClient();
      const page = await newPage();
      const address = await newUser(client);
      await page.goto(world.authorizeUrl(client));
      await fillSignIn(page, address, 'not the password');
      await expectAlert(page, /password is wrong/);
      const answer = await page.reload();
      expect(answer?.request().method()).toBe('GET');
      await fillSignIn(page, address);
      await skipOffer(page);
      const back = await page.goBack();
      expect(back?.request().method() ?? 'GET').toBe('GET');
      await expect.poll(() => page.title()).toMatch(/^Sign in/);
      await page.context().close();
    });

    it('after a double click, which sends one form', async () => {
      const { world, newPage, newUser } = stage();
      const client = await world.newClient();
      const page = await newPage();
      const address = await newUser(client);
      const posts: string[] = [];
      page.on('request', (request) => request.method() === 'POST' && posts.push(new URL(request.url()).pathname));
      await page.goto(world.authorizeUrl(client));
      await page.fill('#email', address);
      await page.fill('#password', password);
      await page.dblclick('form:has(#password) .primary');
      await world.redeem(await skipOffer(page), client);
      expect(posts).toEqual(['/authorize/sign-in', '/v1/auth/authorize/callback']);
      await page.context().close();
    });

    it('with the keyboard alone, which can also show the password', async () => {
      const { world, newPage, newUser } = stage();
      const client = await world.newClient();
      const page = await newPage();
      const address = await newUser(client);
      await page.goto(world.authorizeUrl(client));
      await page.keyboard.press('Tab');
      await page.keyboard.type(address);
      for (const _ of ['forgot password', 'password']) await page.keyboard.press('Tab');
      await page.keyboard.type(password);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      expect(await page.locator('#password').getAttribute('type')).toBe('text');
      expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Hide: Password');
      const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
      expect(outline).toBe('solid');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await world.redeem(await skipOffer(page), client);
      await page.context().close();
    });

    it('in German, chosen by the browser or the app', async () => {
      const { world, newPage, newAddress } = stage();
      const page = await newPage({ locale: 'de-AT' });
      await page.goto(world.authorizeUrl());
      expect(await page.title()).toBe('Anmelden – Holdfast');
      expect(await page.locator('html').getAttribute('lang')).toBe('de');
      await fillSignIn(page, newAddress());
      await expectAlert(page, /E-Mail-Adresse oder Passwort ist falsch/);
      const address = newAddress();
      await page.click('text=Konto erstellen');
      await fillSignUp(page, address);
      expect((await world.mailTo(address)).text).toMatch(/15 Minuten/);
      await page.goto(world.authorizeUrl(undefined, { ui_locales: 'en' }));
      expect(await page.title()).toBe('Sign in – Holdfast');
      await page.context().close();
    });
  });
}
