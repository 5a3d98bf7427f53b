/** The stage that browser tests share: one browser, one server, and monitored pages. */
import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchBrowser } from '../../tooling/browser.ts';
import { createFormClient, signUpByForms } from '../../tooling/forms.ts';
import { type LoginClient, type LoginWorld, openLoginWorld } from './world.ts';

export const password = 'correct horse battery';

export interface Stage {
  readonly world: LoginWorld;
  /** A page in a separate context. A request to any other origin is a fault, unless that origin is listed. */
  newPage(options?: BrowserContextOptions & { readonly mayVisit?: readonly string[] }): Promise<Page>;
  /** An unused email address. */
  newAddress(): string;
  /** The address of a new user with `password`. */
  newUser(client?: LoginClient): Promise<string>;
  /** Requests to other origins. */
  readonly strays: string[];
  close(): Promise<void>;
}

/** Opens one stage for all tests of a file, which may not send requests to other origins. Returns a function that gives it to a test. */
export function sharedStage(): () => Stage {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());
  afterEach(() => {
    expect(stage.strays, 'requests that left the origin').toEqual([]);
  });
  return () => stage;
}

async function openStage(): Promise<Stage> {
  const [world, browser] = await Promise.all([openLoginWorld(), launchBrowser()]);
  const strays: string[] = [];
  let people = 0;
  const stage: Stage = {
    world,
    strays,
    newPage: (options) => openPage(browser, world, strays, options),
    newAddress: () => `person-${++people}@mail.example`,
    async newUser(client) {
      const address = stage.newAddress();
      const form = createFormClient(world.baseUrl);
      const page = await signUpByForms(world, form, address, password, client);
      const answer = await form.send(page, '/v1/auth/authorize/callback', {}); // this creates the developer's account
      if (answer.status !== 303) throw new Error(`nobody could be signed up: ${answer.status}`);
      return address;
    },
    async close() {
      await browser.close();
      await world.stop();
    },
  };
  return stage;
}

async function openPage(
  browser: Browser,
  world: LoginWorld,
  strays: string[],
  { mayVisit = [], ...options }: BrowserContextOptions & { readonly mayVisit?: readonly string[] } = {},
): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(30_000);
  const origins = [world.baseUrl, new URL(world.appUri).origin, ...mayVisit];
  context.on('request', (request) => {
    const url = request.url();
    const isNear = url.startsWith('data:') || origins.some((origin) => url.startsWith(`${origin}/`));
    if (!isNear) strays.push(url);
  });
  return context.newPage();
}

/** Sends the form of a new account, and waits for the code page. */
export async function fillSignUp(page: Page, address: string): Promise<void> {
  await page.fill('#email', address);
  await page.fill('#password', password);
  await page.click('.primary');
  await page.waitForSelector('#code');
}

/** Sends the form of a password sign-in. */
export async function fillSignIn(page: Page, address: string, secret = password): Promise<void> {
  await page.fill('#email', address);
  await page.fill('#password', secret);
  await page.click('form:has(#password) .primary');
}

/** Waits until the browser is back at the app, declining a passkey on the way. Returns the address of the app. */
export async function skipOffer(page: Page): Promise<string> {
  const skip = page.locator('#offer-skip:visible');
  await Promise.race([page.waitForURL(/\/callback\?/), skip.waitFor()]).catch(() => {});
  if (!page.url().includes('/callback?')) await skip.click();
  await page.waitForURL(/\/callback\?/);
  return page.url();
}

/** The virtual authenticator of a page, and the session that controls it. */
export interface Authenticator {
  readonly session: CDPSession;
  readonly authenticatorId: string;
}

/** Gives the browser an authenticator that accepts every request. */
export async function addAuthenticator(page: Page): Promise<Authenticator> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { session, authenticatorId };
}

/** Expects one visible alert, whose text matches. */
export async function expectAlert(page: Page, text: RegExp): Promise<void> {
  await expect.poll(() => page.locator('[role=alert]:visible').allInnerTexts()).toEqual([expect.stringMatching(text)]);
}
