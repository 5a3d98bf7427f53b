/** What a client keeps open: it ends when it should, and it leaves a browser connections for other requests. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ClientOptions } from '@holdfast/client';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { launchBrowser } from '../login/browser.ts';
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

/** A project whose document has version 1, and options of a client that reads it. */
async function newDocument() {
  const project = await world.newProject();
  const { apiKey } = await world.server.newApiKey(project);
  const client = await world.clientOf<{ publicState: { n: number } }>(project);
  await client.publicState.put({ n: 1 }, { ifVersion: null });
  const options: ClientOptions = {
    baseUrl: world.server.baseUrl,
    accountId: project.developer.accountId,
    project: project.slug,
    environment: 'production',
    auth: { apiKey },
  };
  return { client, options };
}

test.each(['close', 'react'])('a process that has used a client exits (%s)', async (way) => {
  const { options } = await newDocument();
  const program = join(import.meta.dirname, 'pages/ending-main.ts');
  const run = promisify(execFile)(process.execPath, [program, way, JSON.stringify(options)], { timeout: 45_000 });
  expect((await run).stdout.trim()).toBe('1');
});

test('seven tabs of one browser, each with its own document, load and receive changes', async () => {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const documents = await Promise.all(Array.from({ length: 7 }, newDocument));
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
}, 120_000);
