/**
 * `node scripts/pictures/login.ts`: pictures of every login page, on a phone and on a desktop, in both themes, in the ignored folder
 * `screenshots/`. They are for people; no test compares them. Brand names as arguments select brands.
 */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type LoginClient, openLoginWorld } from '../../test/login/world.ts';
import { sqlitePlace } from '../../test/support/place-sqlite.ts';
import { launchBrowser } from '../../tooling/browser.ts';

const folder = join(import.meta.dirname, '../..', 'screenshots');
mkdirSync(folder, { recursive: true });
const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 860 } };
const place = sqlitePlace(mkdtempSync(join(tmpdir(), 'holdfast-login-')));
const world = await openLoginWorld({}, place);
const browser = await launchBrowser();
const password = 'correct horse battery';
let people = 0;

/** A logo as a game might have one. */
async function drawLogo(): Promise<string> {
  const page = await browser.newPage({ viewport: { width: 180, height: 120 }, deviceScaleFactor: 2 });
  await page.setContent(
    `<body style="margin:0"><svg width="180" height="120" viewBox="0 0 180 120"><rect width="180" height="120" rx="24" fill="#7a2e8e"/><path d="M20 84c24-18 40-18 64 0s44 18 76 0" fill="none" stroke="#ffd9a0" stroke-width="9" stroke-linecap="round"/><circle cx="90" cy="44" r="18" fill="#ffd9a0"/></svg>`,
  );
  const picture = await page.screenshot({ omitBackground: true });
  await page.close();
  return picture.toString('base64');
}

const logoData = await drawLogo();
const allowedIdps = ['google.com', 'apple.com', 'microsoft.com', 'github.com', 'password'];
const brands: Readonly<Record<string, LoginClient | undefined>> = {
  service: undefined,
  plain: await world.newClient({ primaryColor: null }, 'Lanternfish'),
  branded: await world.newClient(
    {
      allowedIdps,
      primaryColor: '#7a2e8e',
      surfaceColor: '#fffaf5',
      bgColor: '#f3d9c9',
      logoData,
      logoMediaType: 'image/png',
    },
    'Sea of Glass',
  ),
  dark: await world.newClient({ primaryColor: '#ffcc33', surfaceColor: '#17131f', bgColor: '#0b0911' }, 'Night Harbour'),
  hostile: await world.newClient(
    { primaryColor: '#ffffff', surfaceColor: '#ffffff', bgColor: '#ffffff' },
    'White on White',
  ),
};
for (const id of ['google.com', 'github.com', 'microsoft.com']) {
  const body = { clientId: 'client', clientSecret: 'secret', ...(id === 'microsoft.com' && { tenant: 'common' }) };
  await world.putProvider(brands.branded as LoginClient, id, body);
}

/** Each step continues where the previous one ended. */
const steps: Readonly<Record<string, (page: Page, client: LoginClient | undefined, email: string) => Promise<unknown>>> = {
  keep: (page, client) => page.goto(world.authorizeUrl(client, { purpose: 'upgrade' })),
  'keep-sign-up': (page) => page.click('.switch a'),
  'sign-in': (page, client) => page.goto(world.authorizeUrl(client)),
  'wrong-password': async (page, _client, email) => {
    await page.fill('#email', email);
    await page.fill('#password', 'not this one');
    await page.click('form:has(#password) .primary');
  },
  'sign-up': (page) => page.click('.switch a'),
  'sign-up-faulty': async (page, _client, email) => {
    await page.fill('#email', email);
    await page.fill('#password', 'password');
    await page.click('.primary');
  },
  confirm: async (page) => {
    await page.fill('#password', password);
    await page.click('.primary');
  },
  'wrong-code': async (page) => {
    await page.fill('#code', '000000');
    await page.click('.primary');
  },
  offer: async (page, _client, email) => {
    await page.fill('#code', (await world.mailTo(email)).code ?? '');
    await page.click('.primary');
    await page.waitForSelector('#offer:not([hidden])');
  },
  forgot: (page, client) => page.goto(world.authorizeUrl(client, {}, '/authorize/forgot')),
  'forgot-sent': async (page, _client, email) => {
    await page.fill('#email', email);
    await page.click('.primary');
  },
  reset: async (page, _client, email) => page.goto((await world.mailTo(email, 1)).link ?? ''),
  'reset-done': async (page) => {
    await page.fill('#password', `${password} staple`);
    await page.click('.primary');
  },
  account: async (page, client, email) => {
    await page.goto(`${world.baseUrl}/account?client_id=${client?.clientId ?? 'svc-developer'}`);
    await page.fill('#email', email);
    await page.fill('#password', `${password} staple`);
    await page.click('form:has(#password) .primary');
    await page.waitForSelector('.rows');
    await page.click('section:last-of-type summary');
  },
  'reset-expired': async (page, _client, email) => page.goto((await world.mailTo(email, 1)).link ?? ''),
  unknown: (page, client) => page.goto(world.authorizeUrl(client, { redirect_uri: 'https://elsewhere.example/' })),
};

const wanted = process.argv.slice(2);
for (const [brand, client] of Object.entries(brands)) {
  if (wanted.length > 0 && !wanted.includes(brand)) continue;
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const locale = brand === 'plain' ? 'de-DE' : 'en-GB';
      const context = await browser.newContext({ viewport, colorScheme, locale, reducedMotion: 'reduce' });
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      await session.send('WebAuthn.enable');
      await session.send('WebAuthn.addVirtualAuthenticator', {
        options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      });
      const email = `person-${++people}@example.com`;
      for (const [step, run] of Object.entries(steps)) {
        await run(page, client, email);
        await page.waitForLoadState();
        await page.screenshot({
          path: join(folder, `${brand}-${step}-${size}-${colorScheme}.png`),
          fullPage: size === 'phone',
        });
      }
      await context.close();
    }
  }
}
await browser.close();
await world.stop();
await place.remove();
