/** The documentation in a browser: no violations of the security policy, accessible pages, working search and buttons. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../../tooling/browser.ts';
import { startServer, type TestServer } from '../support/server.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await server.stop();
});

/** Opens a page and runs `use`. Fails if the browser console shows an error or warning. */
async function at(path: string, use: (page: Page) => Promise<void>, options: object = {}): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${server.baseUrl}${path}`);
  await use(page);
  expect(complaints).toEqual([]);
  await context.close();
}

/** Reports violations only: without paths to all elements, and without reading the style sheets again. */
const axeOptions = { resultTypes: ['violations'], preload: false, selectors: false };

/** Rules for colours. axe checks them for each text, which takes most of its time on a long page. */
const ofColours = ['color-contrast', 'link-in-text-block'];

/**
 * Keeps one text of each look. Texts look the same if their decisive styles and those of all their ancestors are equal, whatever their
 * selectors.
 */
const leaveOneOfEachLook = `(() => {
  const looks = new Map();
  const seen = new Set();
  const others = [];
  const decisive = ['color', 'backgroundColor', 'backgroundImage', 'opacity', 'fontSize', 'fontWeight', 'textShadow', 'textDecoration',
    'display', 'filter', 'mixBlendMode'];
  const visit = (element, around) => {
    const style = getComputedStyle(element);
    const name = [around, element.localName === 'a', element.checkVisibility({ visibilityProperty: true }),
      ...decisive.map((one) => style[one])].join();
    if (!looks.has(name)) looks.set(name, looks.size);
    const look = looks.get(name);
    const isText = [...element.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim() !== '');
    let isKept = element.matches('input, select, textarea, [aria-labelledby], [aria-describedby]') || (isText && !seen.has(look));
    if (isText) seen.add(look);
    for (const child of [...element.children]) isKept = visit(child, look) || isKept;
    if (!isKept) others.push(element);
    return isKept;
  };
  visit(document.body, -1);
  for (const element of others) element.remove(); // after reading all styles: each removal recomputes them
  return document.body.querySelectorAll('*').length;
})()`;

describe.each(['light', 'dark'] as const)('in the %s colours', (colorScheme) => {
  it.each(['/docs', '/docs/state', '/docs/errors', '/docs/reference', '/docs/reference/projects'])(
    '%s passes axe',
    async (path) => {
      await at(
        path,
        async (page) => {
          const judged = async (rules: object) =>
            (await page.evaluate(`axe.run(${JSON.stringify({ ...axeOptions, ...rules })}).then(({ violations }) =>
          violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html).join(' ')))`)) as string[];
          await page.evaluate(axe);
          // The themes differ only in colours.
          const off = Object.fromEntries(ofColours.map((rule) => [rule, { enabled: false }]));
          const faults = colorScheme === 'light' ? await judged({ rules: off }) : [];
          expect(await page.evaluate(leaveOneOfEachLook)).toBeGreaterThan(50);
          expect([...faults, ...(await judged({ runOnly: ofColours }))]).toEqual([]);
        },
        { colorScheme },
      );
    },
  );
});

it.each([320, 820, 1280])('no page is wider than a window of %i pixels', async (width) => {
  for (const path of ['/docs', '/docs/contract', '/docs/configuration', '/docs/reference', '/docs/reference/projects']) {
    await at(
      path,
      async (page) =>
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), path).toBeLessThanOrEqual(0),
      { viewport: { width, height: 700 } },
    );
  }
});

it('the search finds settings, routes and headings with the keyboard alone', async () => {
  await at('/docs/state', async (page) => {
    /** Resolves with the first result once it contains the words. */
    const first = async (words: string) => {
      await page.fill('.finder input', words);
      await page.waitForSelector(`#found li:first-child:has-text("${words}")`);
      return page.locator('#found a').first().getAttribute('href');
    };
    await page.keyboard.press('/');
    await page.waitForSelector('.finder input');
    expect(await first('SVC_TRUST_PROXY')).toMatch(/\/docs\/(?:configuration|reverse-proxy)#/);
    expect(await first('preconditions')).toMatch(/preconditions$/);
    // Common terms, and those of the documentation.
    for (const [words, place] of [
      ['roll back', /rollback|restore/i],
      ['delete player', /player|erase/i],
      ['gdpr', /erase|export/i],
      ['invite', /invite/i],
      ['cheat', /cannot be cheated|cannot cheat|no client can cheat/i],
      ['offline', /without a connection|offline/i],
      ['webhook', /webhook/i],
      ['rollout', /flag/i],
      ['anonymous', /guest|not signed up/i],
      ['cloud save', /save/i],
      ['remote config', /configuration/i],
    ] as const) {
      await page.fill('.finder input', '');
      await page.locator('#found li').first().waitFor({ state: 'detached' });
      await page.fill('.finder input', words);
      expect(await page.locator('#found a').first().innerText(), words).toMatch(place);
      expect(await page.locator('#found a').first().getAttribute('href'), words).not.toMatch(
        /\/docs\/(?:reference|contract)\b/,
      );
    }
    await first('preconditions');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/#.*preconditions$/);
  });
});

it('the search keeps what is typed while it is being loaded', async () => {
  await at('/docs/state', async (page) => {
    let load = () => {};
    const typed = new Promise<void>((resolve) => {
      load = resolve;
    });
    await page.route('**/search-*.js', async (route) => {
      await typed;
      await route.continue();
    });
    await Promise.all([page.waitForRequest('**/search-*.js'), page.keyboard.press('/')]);
    await page.keyboard.type('webhookz');
    await page.keyboard.press('Backspace');
    load();
    await page.waitForSelector('#found li');
    expect(await page.inputValue('.finder input')).toBe('webhook');
  });
});

it('long lines of code are wrapped, so that none is cut off', async () => {
  for (const path of ['/docs/first-game', '/docs/guests', '/docs/install']) {
    await at(path, async (page) => {
      const wide = `[...document.querySelectorAll('pre')].filter((pre) => pre.scrollWidth > pre.clientWidth).map((pre) => pre.textContent)`;
      expect(await page.evaluate(wide), path).toEqual([]);
    });
  }
});

it('the search says if it finds nothing', async () => {
  await at('/docs', async (page) => {
    await page.click('#search-button');
    await page.fill('.finder input', 'zzzzqqqq');
    await page.waitForSelector('.finder p:has-text("Nothing has")');
  });
});

it('the copy button copies the text of its block, without its own label', async () => {
  await at(
    '/docs',
    async (page) => {
      await page.click('.code .copy');
      const text = (await page.textContent('.code pre'))?.trim();
      await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(text);
    },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  );
});

it('the chosen colours stay from page to page', async () => {
  await at('/docs', async (page) => {
    const theme = () => page.evaluate('document.documentElement.dataset.theme');
    await page.click('#theme-button');
    await page.click('#theme-button');
    expect(await theme()).toBe('dark');
    await page.click('#menu a:has-text("Errors")');
    await page.waitForURL(/errors$/);
    expect(await theme()).toBe('dark');
  });
});

it('every page can be read without scripts', async () => {
  await at(
    '/docs/state',
    async (page) => {
      expect(await page.isVisible('#menu a[aria-current]')).toBe(true);
      expect(await page.isVisible('#search-button')).toBe(false);
      await page.click('#menu a:has-text("Errors")');
      await page.waitForURL(/errors$/);
    },
    { javaScriptEnabled: false },
  );
});
