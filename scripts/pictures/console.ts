/**
 * `node scripts/pictures/console.ts`: pictures of every page of the console, in both themes, at several sizes, in the ignored folder
 * `screenshots/console/`. They are for people; no test compares them. Page names as arguments select pages; `--size`, `--theme` and
 * `--language` select sizes, themes and languages. With `--large` there is as much data as in a live game, and with `--full` the pictures
 * are as tall as the pages. It reports pages wider than their window, and the browser's error messages.
 */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openLargeStudio } from '../../test/console/large-studio.ts';
import { planChanges } from '../../test/console/planned-changes.ts';
import { openStudio } from '../../test/console/studio.ts';
import { openConsoleWorld } from '../../test/console/world.ts';
import { sqlitePlace } from '../../test/support/place-sqlite.ts';
import { conflictPage, documentPages, type Pictured } from './document-pages.ts';
import { otherPages } from './other-pages.ts';

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    large: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    size: { type: 'string', multiple: true },
    theme: { type: 'string', multiple: true },
    language: { type: 'string', multiple: true, default: ['en'] },
  },
});
const folder = join(import.meta.dirname, '../..', 'screenshots', 'console');
mkdirSync(folder, { recursive: true });
const sizes = {
  phone: { width: 360, height: 740 },
  tablet: { width: 768, height: 1024 },
  /** As in docs/images. */
  laptop: { width: 1280, height: 860 },
  desktop: { width: 1440, height: 900 },
  wide: { width: 2560, height: 1300 },
};
/** More windows would wait for each other on two cores. */
const windowsAtOnce = 2;
const settleMs = 350;
/** Pages of which a picture changes what others show. */
const changesData = new Set(['conflict', 'toast']);
const place = sqlitePlace(mkdtempSync(join(tmpdir(), 'holdfast-console-')));
const world = await openConsoleWorld({ place });
const studio = await (options.large ? openLargeStudio : openStudio)(world.server);
if (!options.large) await planChanges(world.server, studio);
const { developer } = studio;

const pages = { ...documentPages, conflict: conflictPage(world.server, studio), ...otherPages };
const chosen = Object.entries(pages).filter(([name]) => wanted.length === 0 || wanted.includes(name));
const themes = (['light', 'dark'] as const).filter((theme) => options.theme?.includes(theme) ?? true);
const windows = Object.entries(sizes)
  .filter(([size]) => options.size?.includes(size) ?? true)
  .flatMap(([size, viewport]) => options.language.map((locale) => ({ size, viewport, locale })));
type Window = (typeof windows)[number];
/** Ends when no picture is taken of a page that others of these change. */
let changing = Promise.resolve();

await Promise.all(Array.from({ length: windowsAtOnce }, takeNext));
await world.stop();
await place.remove();

async function takeNext(): Promise<void> {
  for (let window = windows.shift(); window !== undefined; window = windows.shift()) await takeAll(window);
}

async function takeAll(window: Window): Promise<void> {
  const { viewport, locale } = window;
  const settings: BrowserContextOptions = { viewport, locale, reducedMotion: 'reduce' };
  const page = await world.signedIn(developer, '/', settings);
  page.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    const isExpected = /status of (404|412)/.test(message.text());
    if (['error', 'warning'].includes(message.type()) && !isExpected) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  for (const [name, pictured] of chosen) {
    const opened = changesData.has(name) ? changing.then(() => open(page, name, pictured)) : open(page, name, pictured);
    if (changesData.has(name)) changing = opened;
    await opened;
    const excess = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    if (excess > 0) console.log(`${fileOf(window, name, 'light')} is ${excess} pixels too wide`);
    await take(page, window, name);
  }
  for (const complaint of new Set(complaints)) console.log(fileOf(window, '*', '*'), complaint);
  await page.context().close();
  if (wanted.length > 0) return;
  const signedOut = await world.browser.newPage(settings);
  await signedOut.addInitScript(`sessionStorage.setItem('holdfast:signed-out', 'true')`);
  await signedOut.goto(`${world.server.baseUrl}/console/`);
  await signedOut.waitForSelector('h1');
  await take(signedOut, window, 'sign-in');
  await signedOut.close();
}

async function open(page: Page, name: string, [path, prepare]: Pictured): Promise<void> {
  await page.goto(`${world.server.baseUrl}/healthz`);
  await page.evaluate(`indexedDB.deleteDatabase('holdfast-console')`);
  await page.emulateMedia({ colorScheme: themes[0] ?? 'light' });
  await page.goto(`${world.server.baseUrl}/console${path}`);
  try {
    await settle(page);
    await prepare?.(page);
    await settle(page);
  } catch (error) {
    console.log(name, error);
  }
}

/** Waits until a page has its data and has been drawn. */
async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  await page.waitForTimeout(settleMs);
}

async function take(page: Page, window: Window, name: string): Promise<void> {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: fileOf(window, name, colorScheme), fullPage: options.full });
  }
}

function fileOf({ size, locale }: Window, page: string, theme: string): string {
  return join(folder, `${page}-${size}-${theme}${locale === 'en' ? '' : `-${locale}`}.png`);
}
