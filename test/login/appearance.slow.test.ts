/** Appearance and accessibility of the pages: both themes, any brand, every page, small screens, and page sizes. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAlert, fillSignIn, fillSignUp, sharedStage } from './stage.ts';
import type { LoginClient, LoginWorld } from './world.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Limits reports to violations, without paths to all elements and without reading style sheets again. */
const axeOptions = { resultTypes: ['violations'], preload: false, selectors: false };

/** The themes differ only in colours, so the second one is checked only against the colour rules. */
const themes = [
  ['light', {}],
  ['dark', { runOnly: ['color-contrast', 'link-in-text-block'] }],
] as const;

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Visits every page in order, each from the page before it. */
async function visitEveryPage(
  world: LoginWorld,
  page: Page,
  client: LoginClient | undefined,
  address: string,
  look: (name: string) => Promise<void>,
) {
  await page.goto(world.authorizeUrl(client));
  await look('sign-in');
  await fillSignIn(page, address, 'not the password');
  await expectAlert(page, /./);
  await look('wrong password');
  await page.goto(world.authorizeUrl(client, {}, '/authorize/sign-up'));
  await look('sign-up');
  await page.fill('#email', address);
  await page.fill('#password', 'password');
  await page.click('.primary');
  await expectAlert(page, /./);
  await look('sign-up with a fault');
  await fillSignUp(page, address);
  await look('code');
  await page.fill('#code', '000000');
  await page.click('.primary');
  await expectAlert(page, /./);
  await look('wrong code');
  await page.fill('#code', (await world.mailTo(address)).code as string);
  await page.route('**/v1/auth/authorize/callback', (route) => route.fulfill({ status: 204 })); // to look at the page before it
  await page.click('.primary');
  await page.waitForSelector('#continue-form', { state: 'attached' });
  await look('continue');
  await page.evaluate(
    `document.querySelector('#signed-in').hidden = true; document.querySelector('#offer').hidden = false`,
  );
  await look('offer of a passkey');
  await page.goto(world.authorizeUrl(client, {}, '/authorize/forgot'));
  await look('forgot');
  await page.fill('#email', address);
  await page.click('.primary');
  await page.waitForSelector('#email', { state: 'detached' });
  await look('forgot, sent');
  const { link } = await world.mailTo(address, 1);
  await page.goto(link as string);
  await look('reset');
  await page.fill('#password', 'another good password');
  await page.click('.primary');
  await page.waitForSelector('#password', { state: 'detached' });
  await look('reset, done');
  await page.goto(link as string);
  await look('reset, expired');
  await page.goto(world.authorizeUrl(client, { redirect_uri: 'https://elsewhere.example/' }));
  await look('error');
}

const stage = sharedStage();
const brands: readonly (readonly [string, Readonly<Record<string, unknown>> | undefined])[] = [
  ['the service', undefined],
  ['a brand with one grey for every colour', { primaryColor: '#777777', surfaceColor: '#777777', bgColor: '#777777' }],
];

describe.each(brands)('every page of %s', (_, settings) => {
  it('passes axe in either theme, and is no wider than a phone', async () => {
    const { world, newPage, newAddress } = stage();
    const client = settings && (await world.newClient(settings));
    const page = await newPage({ bypassCSP: true, viewport: { width: 390, height: 844 } });
    const seen: string[] = [];
    await visitEveryPage(world, page, client, newAddress(), async (name) => {
      await page.evaluate(axeSource);
      for (const [colorScheme, rules] of themes) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const { violations } = (await page.evaluate(`axe.run(${JSON.stringify({ ...axeOptions, ...rules })})`)) as {
          violations: readonly Violation[];
        };
        const found = violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => html + failureSummary)}`,
        );
        expect(found, `${name}, ${colorScheme}`).toEqual([]);
      }
      const [width, innerWidth] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as number[];
      expect(width, `width of ${name}`).toBeLessThanOrEqual(innerWidth as number);
      seen.push(name);
    });
    expect(seen).toHaveLength(14);
    await page.context().close();
  });
});

describe('the page', () => {
  it.each([
    [320, 640],
    [640, 400], // 1280 × 800 at 200 %
  ])('fits %i × %i without scrolling sideways, even with a long name and long texts', async (width, height) => {
    const { world, newPage } = stage();
    const client = await world.newClient({}, `Donaudampfschifffahrtsgesellschaft${'x'.repeat(120)}`);
    const page = await newPage({ viewport: { width, height }, locale: 'de-DE' });
    for (const path of ['/authorize', '/authorize/sign-up', '/authorize/forgot']) {
      for (const owner of [client, undefined]) {
        await page.goto(world.authorizeUrl(owner, {}, path));
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        expect(await page.evaluate(`getComputedStyle(document.querySelector('#email')).fontSize`)).toBe('16px');
      }
    }
    await page.context().close();
  });

  it('is dark for users who prefer dark, and otherwise in the brand’s colours', async () => {
    const { world, newPage } = stage();
    const client = await world.newClient({ primaryColor: '#7a2e8e', surfaceColor: '#fffaf5', bgColor: '#f3d9c9' });
    const grounds: Record<string, unknown> = {};
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await newPage({ colorScheme });
      await page.goto(world.authorizeUrl(client));
      grounds[colorScheme] = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      expect(await page.evaluate(`getComputedStyle(document.querySelector('.primary')).backgroundColor`)).toBe(
        'rgb(122, 46, 142)',
      );
      await page.context().close();
    }
    expect(grounds.light).toBe('rgb(243, 217, 201)');
    expect(grounds.dark).toMatch(/^rgb\([12]?\d, [12]?\d, [12]?\d\)$/);
  });

  it('animates only its picture, and nothing for users who prefer reduced motion', async () => {
    const { world, newPage } = stage();
    const page = await newPage({ viewport: { width: 1200, height: 800 } });
    await page.goto(world.authorizeUrl());
    expect(await page.evaluate('document.getAnimations().length')).toBe(0);
    const style = String(
      await page.evaluate(`[...document.querySelectorAll('style')].map((one) => one.textContent).join('')`),
    );
    const picture = decodeURIComponent(/data:image\/svg\+xml,([^"]+)/.exec(style)?.[1] ?? '');
    expect(picture.split('animation:')).toHaveLength(2);
    expect(picture).toMatch(/@media \(prefers-reduced-motion: ?no-preference\) ?\{\.sway ?\{animation:/);
    await page.context().close();
  });

  it('is one request and two fonts: style below 15 KB besides its picture, script below 15 KB, and no policy violation', async () => {
    const { world, newPage } = stage();
    const page = await newPage();
    const requests: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => !request.url().startsWith('data:') && requests.push(request.url()));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(world.authorizeUrl(), { waitUntil: 'networkidle' });
    expect(requests.filter((url) => !/\/[\w.-]+\.woff2$/.test(new URL(url).pathname))).toHaveLength(1);
    expect(requests).toHaveLength(3);
    expect(complaints).toEqual([]);
    const [style, script] = (await page.evaluate(
      `['style', 'script'].map((name) => new Blob([...document.querySelectorAll(name)].map((node) => node.textContent.replace(/data:image[^"]+/, ''))).size)`,
    )) as [number, number];
    expect(style).toBeGreaterThan(1_000);
    expect(style).toBeLessThan(15_000);
    expect(script).toBeGreaterThan(1_000);
    expect(script).toBeLessThan(15_000);
    await page.context().close();
  });
});
