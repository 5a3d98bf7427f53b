/** Passkeys, with the browser's test authenticator. */
import { describe, expect, it } from 'vitest';
import { addAuthenticator, expectAlert, fillSignIn, type Stage } from './stage.ts';

export function passkeySuite(stage: () => Stage): void {
  describe('a passkey', () => {
    it('stops working after a password reset, and is offered again', async () => {
      const { world, newPage, newUser } = stage();
      const client = await world.newClient();
      const page = await newPage();
      await addAuthenticator(page);
      const address = await newUser(client);
      await page.goto(world.authorizeUrl(client));
      await fillSignIn(page, address);
      await page.waitForSelector('#offer:visible');
      await page.click('#offer-accept');
      await page.waitForURL(/\/callback\?/);

      // In another browser, since this one's authenticator repeatedly offers the passkey.
      const other = await newPage();
      await addAuthenticator(other);
      await other.goto(world.authorizeUrl(client, {}, '/authorize/forgot'));
      await other.fill('#email', address);
      await other.click('.primary');
      await other.goto((await world.mailTo(address, 1)).link as string);
      await other.fill('#password', 'another good password');
      await other.click('.primary');
      await expect.poll(() => other.locator('main').innerText()).toMatch(/passkeys have been deleted/);

      const askForIt = async () => {
        await page.goto(world.authorizeUrl(client));
        const button = page.locator('#passkey-button');
        if (await button.isVisible().catch(() => false)) await button.click().catch(() => {});
      };
      const [refusal] = await Promise.all([
        page.waitForResponse((answer) => new URL(answer.url()).pathname === '/authorize/passkey'),
        askForIt(),
      ]);
      expect(refusal.status()).toBe(422);
      await page.context().close();

      await other.click('main a.primary');
      await fillSignIn(other, address, 'another good password');
      await other.waitForSelector('#offer:visible');
      await other.click('#offer-accept');
      await other.waitForURL(/\/callback\?/);
      expect(await world.redeem(other.url(), client)).toMatchObject({ email: address });
      await other.context().close();
    });

    it('is not offered again in a browser that declined it', async () => {
      const { world, newPage, newUser } = stage();
      const page = await newPage();
      await addAuthenticator(page);
      const address = await newUser();
      await page.goto(world.authorizeUrl());
      await fillSignIn(page, address);
      await page.click('#offer-skip');
      await page.waitForURL(/\/callback\?/);
      await page.goto(world.authorizeUrl());
      await fillSignIn(page, address);
      await page.waitForURL(/\/callback\?/);
      await page.context().close();
    });

    it('that does not exist changes nothing on the page except for an error', async () => {
      const { world, newPage } = stage();
      const page = await newPage();
      await addAuthenticator(page);
      await page.goto(world.authorizeUrl());
      await page.click('#passkey-button');
      await expectAlert(page, /passkey was not used/);
      expect(await page.locator('#email').isVisible()).toBe(true);
      await page.context().close();
    });

    it('that is forged is refused by the server, and the other methods stay', async () => {
      const { world, newPage } = stage();
      const page = await newPage();
      await page.goto(world.authorizeUrl());
      await page.evaluate(
        `const form = document.querySelector('#passkey'); form.elements.credential.value = '{"id":"x"}'; form.submit()`,
      );
      await expectAlert(page, /did not work/);
      expect(await page.locator('#password').isVisible()).toBe(true);
      await page.context().close();
    });
  });
}
