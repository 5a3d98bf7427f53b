/**
 * Component renders before the first response, in a real browser with one version of React: defaults, the cached document, server-rendered
 * HTML.
 */
import type { Browser, Page } from 'playwright-core';
import { renderToString } from 'react-dom/server';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { launchBrowser } from '../../tooling/browser.ts';
import { type FirstFrameSettings, firstFrame } from './pages/first-frame-app.ts';
import { bundlePage, type Pages, react18, servePages } from './pages/serve.ts';
import { type ClientWorld, openClientWorld } from './world.ts';

let world: ClientWorld;
let browser: Browser;
let pages: Pages;

/** Creates a project with public state without the price, and players with saves. */
async function newGame() {
  const project = await world.newProject();
  const { accountId } = project.developer;
  const writer = await world.clientOf<{ publicState: { motd: string; price?: number } }>(project);
  await writer.publicState.update(() => ({ motd: 'hello' }));
  const tokens: Record<string, string> = {};
  for (const userId of ['ada', 'eve']) {
    const player = { accountId, slug: project.slug, environment: 'production', userId, seconds: 900 } as const;
    tokens[userId] = await world.server.running.accessTokens.signPlayerToken(player);
  }
  const ada = await world.userClientOf<{ userState: { gold: number } }>(project);
  await ada.userState.update(() => ({ gold: 7 }));
  const { apiKey: publishableKey } = await world.server.newApiKey(project, { kind: 'publishable' });
  const { baseUrl } = world.server;
  const settings: FirstFrameSettings = { baseUrl, accountId, project: project.slug, publishableKey, tokens };
  return { settings, writer, ada };
}

/** Opens a page. */
async function visit(page: Page, version: number, settings: object, html = ''): Promise<void> {
  const data = `<script>globalThis.settings = ${JSON.stringify(settings)}</script>`;
  const program = `<script type="module" src="/react-${version}.js"></script>`;
  await page.goto(pages.add(`/${Math.random()}`, `<!doctype html><div id="root">${html}</div>${data}${program}`));
}

/** Opens a page in a separate browser context. An error in its console fails the test. */
async function open(version: number, settings: object): Promise<Page> {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  await visit(page, version, settings);
  onTestFinished(async () => {
    await page.close();
    expect(errors).toEqual([]);
  });
  return page;
}

const text = (page: Page, id: string) => expect.poll(() => page.locator(`#${id}`).innerText());
const framesOf = (page: Page): Promise<string[]> => page.evaluate('frames');
/** A component's frames without consecutive duplicates. */
const shownBy = async (page: Page, id: string): Promise<string[]> =>
  (await framesOf(page))
    .filter((frame) => frame.startsWith(`${id}: `))
    .map((frame) => frame.slice(id.length + 2))
    .filter((frame, at, all) => frame !== all[at - 1]);

export function firstFrameSuite(version: 18 | 19): void {
  beforeAll(async () => {
    const [opened, launched, program] = await Promise.all([
      openClientWorld(),
      launchBrowser(),
      bundlePage('first-frame-main.ts', version === 18 ? react18() : {}),
    ]);
    world = opened;
    browser = launched;
    pages = await servePages({ [`react-${version}.js`]: program });
  });
  afterAll(async () => {
    pages?.close();
    await browser?.close();
    await world?.server.stop();
  });

  describe(`React ${version}`, () => {
    test('shows the defaults in the first frame, and the cached documents on the next visit', async () => {
      const { settings, writer } = await newGame();
      const page = await open(version, settings);
      await text(page, 'motd').toBe('hello');
      await text(page, 'gold').toBe('7');
      expect(await shownBy(page, 'motd')).toEqual(['welcome?', 'hello']);
      expect(await shownBy(page, 'price')).toEqual(['5']);
      expect(await shownBy(page, 'rich')).toEqual(['false']);
      const renders = (await framesOf(page)).filter((frame) => frame.startsWith('price')).length;
      await writer.publicState.update((draft) => void Object.assign(draft, { motd: 'news' }));
      await text(page, 'motd').toBe('news');
      expect((await framesOf(page)).filter((frame) => frame.startsWith('price'))).toHaveLength(renders);
      // The cache is written a moment after the last change.
      await page.waitForFunction(`Object.values(localStorage).join().includes('news')`);
      await page.waitForFunction(`Object.values(localStorage).join().includes('"gold":7')`);
      await visit(page, version, { ...settings, isHeld: true });
      await text(page, 'gold').toBe('7?');
      await text(page, 'motd').toBe('news?');
      await page.evaluate('release()');
      await text(page, 'gold').toBe('7');
      await text(page, 'motd').toBe('news');
      expect((await framesOf(page)).filter((frame) => frame.startsWith('fallback'))).toEqual([]);
      expect([await shownBy(page, 'gold'), await shownBy(page, 'motd')]).toEqual([
        ['7?', '7'],
        ['news?', 'news'],
      ]);
    });

    test('takes over the server’s rendering, never an older document or another player’s', async () => {
      const { settings, ada } = await newGame();
      const page = await open(version, settings);
      await text(page, 'gold').toBe('7');
      await page.waitForFunction(`Object.values(localStorage).join().includes('"gold":7')`);
      await ada.userState.update(() => ({ gold: 70 }));
      const initial = { userState: { state: { gold: 70 }, version: 2 } };
      const rendered = renderToString(firstFrame({ ...settings, initial }, settings.tokens.ada ?? '').app);
      const html = rendered.replaceAll('<!-- -->', '');
      expect(html).toContain('<p id="motd">welcome?</p>');
      expect(html).toContain('<p id="gold">70</p>');
      await visit(page, version, { ...settings, initial, isAsked: true }, rendered);
      await text(page, 'motd').toBe('hello');
      expect(await shownBy(page, 'gold')).toEqual(['70']);
      expect(await shownBy(page, 'rich')).toEqual(['true']);
      await page.evaluate('signIn("eve")');
      await text(page, 'gold').toBe('none');
      expect([await shownBy(page, 'gold'), await shownBy(page, 'rich')]).toEqual([['none'], ['empty']]);
      await page.evaluate('signIn("ada")');
      await text(page, 'gold').toBe('70');
      expect((await shownBy(page, 'gold')).at(-1)).toBe('70');
    });
  });
}
