/** Passkeys on a page that has been open for a long time. The test moves the clocks of the server and the page. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addAuthenticator, expectAlert, fillSignIn, sharedStage } from './stage.ts';
import type { LoginClient } from './world.ts';

const stage = sharedStage();
const minute = 60_000;

/** Moves the clock of the server, and that of the page unless the browser's clock stands still. */
async function pass(page: Page, minutes: number, isPageToo = true): Promise<void> {
  stage().world.pass(minutes * minute);
  if (isPageToo) await page.evaluate(`{ const now = Date.now; Date.now = () => now() + ${minutes * minute}; }`);
}

/**
 * Delays the choice of a passkey in the email field until a test calls `choose`. Otherwise the test authenticator would answer
 * immediately, with any passkey that it has.
 */
const choosesLater = `{
  const { credentials } = navigator;
  const get = credentials.get.bind(credentials);
  const chosen = new Promise((resolve) => { globalThis.choose = resolve; });
  credentials.get = async (options) => {
    if (options.mediation !== 'conditional') return get(options);
    await chosen;
    return get({ publicKey: options.publicKey });
  };
}`;

/** A page of a user with a passkey. */
async function withPasskey() {
  const { world, newPage, newUser } = stage();
  const client = await world.newClient();
  const page = await newPage();
  await page.context().addInitScript(choosesLater);
  await addAuthenticator(page);
  const address = await newUser(client);
  await page.goto(world.authorizeUrl(client));
  await fillSignIn(page, address);
  await page.click('#offer-accept');
  await page.waitForURL(/\/callback\?/);
  return { page, client, address };
}

async function signedIn(page: Page, client: LoginClient, address: string): Promise<void> {
  await page.waitForURL(/\/callback\?/);
  expect(await stage().world.redeem(page.url(), client)).toMatchObject({ email: address });
  await page.context().close();
}

describe('the login page, open longer than a challenge is valid', () => {
  it('signs in with a passkey and a new challenge, requested at that moment', async () => {
    const { page, client, address } = await withPasskey();
    await page.goto(stage().world.authorizeUrl(client));
    await pass(page, 11);
    const sent: string[] = [];
    page.on('request', (request) => void sent.push(`${request.resourceType()} ${new URL(request.url()).pathname}`));
    await page.click('#passkey-button');
    await page.waitForURL(/\/callback\?/);
    expect(sent.slice(0, 2)).toEqual(['fetch /authorize', 'document /authorize/passkey']);
    await signedIn(page, client, address);
  });

  it('signs in with the passkey chosen in the address field', async () => {
    const { page, client, address } = await withPasskey();
    await page.goto(stage().world.authorizeUrl(client));
    await page.locator('#passkey-button').waitFor();
    await pass(page, 11);
    await page.evaluate('choose()');
    await signedIn(page, client, address);
  });

  it('reports an old challenge if the browser’s clock missed it, and the next press signs in', async () => {
    const { page, client, address } = await withPasskey();
    await page.goto(stage().world.authorizeUrl(client));
    await pass(page, 11, false);
    const [refusal] = await Promise.all([
      page.waitForResponse((answer) => new URL(answer.url()).pathname === '/authorize/passkey'),
      page.click('#passkey-button'),
    ]);
    expect(refusal.status()).toBe(410);
    await expectAlert(page, /^This page was open for too long\. Try the passkey again/);
    await page.click('#passkey-button');
    await signedIn(page, client, address);
  });

  it('offers a button to start again if it cannot get a new challenge', async () => {
    const { page, client, address } = await withPasskey();
    await page.goto(stage().world.authorizeUrl(client));
    await pass(page, 11);
    await page.route('**/authorize?*', (route) => route.abort(), { times: 1 });
    await page.click('#passkey-button');
    await expectAlert(page, /^This page was open for too long\.\s+Start again$/);
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.locator('#passkey-notice').waitFor({ state: 'hidden' });
    await page.click('#passkey-button');
    await signedIn(page, client, address);
  });
});

describe('the page *Your sign-in*', () => {
  async function openAccount() {
    const { world, newPage, newUser } = stage();
    const address = await newUser();
    const page = await newPage();
    const device = await addAuthenticator(page);
    await page.goto(`${world.baseUrl}/account?client_id=svc-developer`);
    await fillSignIn(page, address);
    await page.locator('#passkey-add-button').waitFor();
    return { page, device };
  }

  it('adds a passkey with a new challenge while the page is valid', async () => {
    const { page } = await openAccount();
    await pass(page, 6);
    const [again] = await Promise.all([
      page.waitForResponse((answer) => answer.request().resourceType() === 'fetch'),
      page.click('#passkey-add-button'),
    ]);
    expect(again.status()).toBe(200);
    await expect.poll(() => page.locator('#notice').allInnerTexts()).toEqual(['Your passkey is saved.']);
    await page.context().close();
  });

  it('does not ask the device after too long, and leads to a new sign-in', async () => {
    const { page, device } = await openAccount();
    await pass(page, 11);
    await page.click('#passkey-add-button');
    await expectAlert(page, /^This page was open for too long\.\s+Start again$/);
    const { session, authenticatorId } = device;
    expect((await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials).toEqual([]);
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.locator('#password').waitFor();
    expect(new URL(page.url()).pathname).toBe('/authorize');
    await page.context().close();
  });
});
