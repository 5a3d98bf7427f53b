/** Open connections of a client: a browser has some left for other requests. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished, test } from 'vitest';
import { launchBrowser } from '../../tooling/browser.ts';
import { newDocument } from './ending.fixture.ts';
import { bundlePage, type Pages, servePages } from './pages/serve.ts';
import { type ClientWorld, openClientWorld } from './world.ts';

let world: ClientWorld;
let browser: Browser;
let pages: Pages;
beforeAll(async () => {
  const [opened, launched, program] = await Promise.all([openClientWorld(), launchBrowser(), bundlePage('slots-main.ts')]);
  world = opened;
  browser = launched;
  pages = await servePages({ 'slots.js': program });
});
afterAll(async () => {
  pages?.close();
  await browser?.close();
  await world?.server.stop();
});

test('seven tabs of one browser, each with its own document, load and receive changes', async () => {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const documents = await Promise.all(Array.from({ length: 7 }, () => newDocument(world)));
  const tabs = [];
  for (const { options } of documents) {
    const settings = `<script>globalThis.settings = ${JSON.stringify(options)}</script>`;
    const url = pages.add(`/${Math.random()}`, `<!doctype html>${settings}<script type="module" src="/slots.js"></script>`);
    const tab = await context.newPage();
    await tab.goto(url);
    await tab.waitForFunction('globalThis.version === 1');
    tabs.push(tab);
  }
  for (const [index, { client }] of documents.entries()) {
    await client.publicState.put({ n: 2 }, { ifVersion: 1 });
    await tabs[index]?.waitForFunction('globalThis.version === 2');
  }
});
