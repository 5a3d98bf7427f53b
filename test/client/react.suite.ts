/** The hooks in a real browser with one version of React, with strict mode, Suspense and server rendering. */
import type { Browser, Page } from 'playwright-core';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { launchBrowser } from '../../tooling/browser.ts';
import { App, clientOf, type Settings } from './pages/react-app.ts';
import { bundlePage, type Pages, react18, servePages } from './pages/serve.ts';
import { type ClientWorld, openClientWorld } from './world.ts';

export interface ReactStage {
  readonly world: ClientWorld;
  readonly browser: Browser;
  readonly pages: Pages;
  stop(): Promise<void>;
}

export async function openReactStage(version: 18 | 19): Promise<ReactStage> {
  const [world, browser, program] = await Promise.all([
    openClientWorld(),
    launchBrowser(),
    bundlePage('react-main.ts', version === 18 ? react18() : {}),
  ]);
  const pages = await servePages({ [`react-${version}.js`]: program });
  const stop = async () => {
    pages.close();
    await browser.close();
    await world.server.stop();
  };
  return { world, browser, pages, stop };
}

/** Creates a player of a new project. */
export async function newSettings(world: ClientWorld): Promise<Settings> {
  const project = await world.newProject();
  const { accountId } = project.developer;
  const accessToken = await world.server.running.accessTokens.signPlayerToken({
    accountId,
    slug: project.slug,
    environment: 'production',
    userId: 'ada',
    seconds: 900,
  });
  return { baseUrl: world.server.baseUrl, accountId, project: project.slug, accessToken };
}

/** Opens a page with a program. An error in its console fails the test. */
async function open({ browser, pages }: ReactStage, version: number, settings: object, html = ''): Promise<Page> {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    // Players cannot read public state; the browser reports that.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  const data = `<script>globalThis.settings = ${JSON.stringify(settings)}</script>`;
  const program = `<script type="module" src="/react-${version}.js"></script>`;
  const url = pages.add(`/${Math.random()}`, `<!doctype html><div id="root">${html}</div>${data}${program}`);
  await page.goto(url);
  onTestFinished(async () => {
    await page.close();
    expect(errors).toEqual([]);
  });
  return page;
}

const text = (page: Page, id: string) => expect.poll(() => page.locator(`#${id}`).innerText());

export function reactSuite(version: 18 | 19, stage: () => ReactStage): void {
  describe(`React ${version}`, () => {
    test('waits for the state, shows changes immediately and reverts refused ones', async () => {
      const settings = await newSettings(stage().world);
      const page = await open(stage(), version, settings);
      expect(await page.evaluate('reactVersion')).toMatch(new RegExp(`^${version}\\.`));
      await text(page, 'gold').toBe('none, version none');
      await text(page, 'who').toBe('ada');
      await page.evaluate('onWrite = () => new Promise((resolve) => { answer = resolve; })');
      await page.click('#add');
      await text(page, 'gold').toBe('5, version none, saving');
      await page.waitForFunction('typeof answer === "function"'); // the change shows before its request is sent
      await page.evaluate('answer()');
      await text(page, 'gold').toBe('5, version 1');
      await page.evaluate(`onWrite = async () => new Response('{"error":"forbidden","message":"no"}', { status: 403 })`);
      await page.click('#add');
      await text(page, 'failure').toBe('forbidden');
      await text(page, 'gold').toBe('5, version 1');
      await page.evaluate('onWrite = undefined');
      const { userState } = clientOf(settings);
      await userState.update((draft) => ({ gold: draft.gold + 100 }));
      await text(page, 'gold').toBe('105, version 2');
      await page.click('#add');
      await text(page, 'gold').toBe('110, version 3');
      await text(page, 'part').toBe('110, rich');
      const renders = await page.evaluate('partRenders.count');
      await userState.update((draft) => ({ ...draft, name: 'Ada' }));
      await text(page, 'gold').toBe('110, version 4');
      expect(await page.evaluate('partRenders.count')).toBe(renders);
      await text(page, 'queued').toBe('110, 0 waiting');
      await page.evaluate('answer = undefined; onWrite = () => new Promise((resolve) => { answer = resolve; })');
      await page.click('#dig');
      await page.waitForFunction('typeof answer === "function"');
      for (let n = 0; n < 2; n++) await page.click('#dig');
      await text(page, 'queued').toBe('113, 3 waiting');
      await text(page, 'line').toBe('dig 1 sending,dig 1 waiting,dig 1 waiting');
      await page.click('#discard');
      await text(page, 'queued').toBe('112, 2 waiting');
      await text(page, 'line').toBe('dig 1 sending,dig 1 waiting');
      await page.evaluate('onWrite = undefined; answer()');
      await text(page, 'queued').toBe('112, 0 waiting');
      await text(page, 'line').toBe('');
      expect((await userState.get())?.state).toEqual({ gold: 112, name: 'Ada' });
    });

    test('takes over the server’s rendering without a mismatch', async () => {
      const settings = await newSettings(stage().world);
      const client = clientOf(settings);
      await client.userState.update(() => ({ gold: 7 }));
      const initial = { userState: await client.userState.get(), publicState: { state: { motd: 'hello' }, version: 1 } };
      const html = renderToString(createElement(App, { client, initial }));
      expect(html).toContain('7, version 1');
      expect(html).toContain('hello');
      const page = await open(stage(), version, { ...settings, initial }, html);
      await text(page, 'gold').toBe('7, version 1');
      await page.click('#add');
      await text(page, 'gold').toBe('12, version 2');
    });
  });
}
