/** The login pages in a real browser. All tests share one browser and one server. The slow tests cover the remaining cases. */
import { describe, expect, it } from 'vitest';
import { addAuthenticator, expectAlert, fillSignIn, fillSignUp, sharedStage, skipOffer } from './stage.ts';

const stage = sharedStage();

describe('a developer', () => {
  it('signs up with the code from a mail, and returns to the app with an account', async () => {
    const { world, newPage, newAddress } = stage();
    const page = await newPage();
    const address = newAddress();
    await page.goto(world.authorizeUrl(undefined, { prompt: 'create' }));
    await expect.poll(() => page.title()).toBe('Create account – Holdfast');
    await fillSignUp(page, address);
    expect(await page.title()).toBe('Check your mail – Holdfast');
    expect(await page.locator('#code').getAttribute('autocomplete')).toBe('one-time-code');
    await page.reload(); // a phone may have discarded the page in the meantime
    await page.fill('#code', '000000');
    await page.click('.primary');
    await expectAlert(page, /The code is wrong. Attempts left: 4/);
    const { code } = await world.mailTo(address);
    await page.fill('#code', `${code?.slice(0, 3)} ${code?.slice(3)}`);
    await page.click('.primary');
    const claims = await world.redeem(await skipOffer(page));
    expect(claims).toMatchObject({ svc_role: 'developer', svc_account_id: expect.stringMatching(/^acc_/) });
    await page.context().close();
  });

  it('signs in again with the same account; a wrong password and an unknown address get the same response', async () => {
    const { world, newPage, newAddress, newUser } = stage();
    const page = await newPage();
    const address = await newUser();
    await page.goto(world.authorizeUrl());
    await fillSignIn(page, address);
    const first = await world.redeem(await skipOffer(page));
    await page.goto(world.authorizeUrl());
    const refusals: string[] = [];
    for (const tried of [newAddress(), address]) {
      await fillSignIn(page, tried, 'not the password');
      await expectAlert(page, /password is wrong/);
      expect(await page.title()).toBe('Error: Sign in – Holdfast');
      expect(await page.inputValue('#email')).toBe(tried);
      expect(await page.evaluate('document.activeElement.id')).toBe('password');
      refusals.push(
        (await page.locator('main').innerHTML()).replaceAll(tried, '').replace(/(?:data-options|value)="[^"]*"/g, ''),
      );
    }
    expect(refusals[0]).toBe(refusals[1]);
    await fillSignIn(page, address);
    expect(await world.redeem(await skipOffer(page))).toMatchObject({ svc_account_id: first.svc_account_id });
    await page.context().close();
  });
});

describe('a player', () => {
  it('sets a new password by the link in a mail, which works once', async () => {
    const { world, newPage, newUser } = stage();
    const client = await world.newClient();
    const page = await newPage();
    const address = await newUser(client);
    await page.goto(world.authorizeUrl(client));
    await page.click('text=Forgot password?');
    await page.fill('#email', address);
    await page.click('.primary');
    await expect.poll(() => page.title()).toMatch(/^Check your mail/);
    const { link } = await world.mailTo(address, 1);
    await page.goto(link as string);
    await page.fill('#password', 'password1');
    await page.click('.primary');
    await expectAlert(page, /very common/);
    expect(await page.locator('#password').getAttribute('aria-invalid')).toBe('true');
    await page.fill('#password', 'another good password');
    await page.click('.primary');
    await expect.poll(() => page.title()).toMatch(/^Your password has been changed/);
    await page.click('main a.primary');
    await fillSignIn(page, address);
    await expectAlert(page, /password is wrong/);
    await fillSignIn(page, address, 'another good password');
    await world.redeem(await skipOffer(page), client);
    await page.goto(link as string);
    expect(await page.title()).toMatch(/^This link no longer works/);
    await page.context().close();
  });
});

describe('a passkey', () => {
  it('is offered once after a password, saved, and signs in the same person without one', async () => {
    const { world, newPage, newUser } = stage();
    const client = await world.newClient();
    const page = await newPage();
    await addAuthenticator(page);
    const address = await newUser(client);
    await page.goto(world.authorizeUrl(client));
    await fillSignIn(page, address);
    await page.waitForSelector('#offer:visible');
    expect(await page.title()).toMatch(/^Next time without a password/);
    await page.click('#offer-accept');
    await page.waitForURL(/\/callback\?/);
    const first = await world.redeem(page.url(), client);

    // The browser may offer the passkey in the field as soon as the page has loaded.
    await page.goto(world.authorizeUrl(client));
    const button = page.locator('#passkey-button');
    if (await button.isVisible().catch(() => false)) await button.click().catch(() => {});
    await page.waitForURL(/\/callback\?/);
    expect(await world.redeem(page.url(), client)).toMatchObject({ user_id: first.user_id, email: address });

    // A user with a passkey is not offered another.
    await page.context().clearCookies();
    const other = await newPage();
    await addAuthenticator(other);
    await other.goto(world.authorizeUrl(client));
    await fillSignIn(other, address);
    await other.waitForURL(/\/callback\?/);
    await other.context().close();
    await page.context().close();
  });
});
