/** The hooks in a real browser, with React 18 and 19, strict mode, Suspense and server rendering. */
import { queryOptions } from '@holdfast/client/react';
import { QueryClient } from '@tanstack/react-query';
import type { Browser, Page } from 'playwright-core';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { launchBrowser } from '../../tooling/browser.ts';
import { App, clientOf, type Save, type Settings } from './pages/react-app.ts';
import { bundlePage, type Pages, react18, servePages } from './pages/serve.ts';
import { type ClientWorld, openClientWorld } from './world.ts';

let world: ClientWorld;
let browser: Browser;
let pages: Pages;

beforeAll(async () => {
  const [opened, launched, of19, of18] = await Promise.all([
    openClientWorld(),
    launchBrowser(),
    bundlePage('react-main.ts'),
    bundlePage('react-main.ts', react18()),
  ]);
  world = opened;
  browser = launched;
  pages = await servePages({ 'react-19.js': of19, 'react-18.js': of18 });
});
afterAll(async () => {
  pages?.close();
  await browser?.close();
  await world?.server.stop();
});

async function newSettings(): Promise<Settings> {
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

/** Opens a page with a program. What it writes to the console as an error is a failure. */
async function open(version: number, settings: object, html = ''): Promise<Page> {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    // Public state is not for players, and the browser says so.
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

describe.each([19, 18])('React %i', (version) => {
  test('waits for the state, shows changes immediately and reverts refused ones', async () => {
    const settings = await newSettings();
    const page = await open(version, settings);
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
    const settings = await newSettings();
    const client = clientOf(settings);
    await client.userState.update(() => ({ gold: 7 }));
    const initial = { userState: await client.userState.get(), publicState: { state: { motd: 'hello' }, version: 1 } };
    const html = renderToString(createElement(App, { client, initial }));
    expect(html).toContain('7, version 1');
    expect(html).toContain('hello');
    const page = await open(version, { ...settings, initial }, html);
    await text(page, 'gold').toBe('7, version 1');
    await page.click('#add');
    await text(page, 'gold').toBe('12, version 2');
  });
});

test('a server without the document renders a loading state, and sends no request', async () => {
  let requests = 0;
  const client = clientOf({
    ...(await newSettings()),
    fetch: (input, init) => {
      requests++;
      return fetch(input, init);
    },
  });
  const html = renderToString(createElement(App, { client }));
  expect(html).toContain('loading');
  expect(html).toContain('waiting'); // the component that suspends never gets a state that is undefined
  expect(requests).toBe(0);
});

test('queryOptions reads a document for TanStack Query', async () => {
  const client = clientOf(await newSettings());
  await client.userState.update(() => ({ gold: 3 }));
  const queries = new QueryClient();
  const record: { readonly state: Save } | null = await queries.fetchQuery(queryOptions(client, 'userState'));
  expect(record?.state).toEqual({ gold: 3 });
  expect(queries.getQueryCache().getAll()[0]?.queryKey).toContain('ada');
});
