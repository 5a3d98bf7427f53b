/**
 * `node scripts/pictures/console.ts`: pictures of every page of the console, in both themes, on a phone, a desktop and a wide screen, into
 * the ignored folder `screenshots/console/`. They are for looking at; no test compares them. Names of pages as arguments leave the others
 * out.
 */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openStudio } from '../../test/console/studio.ts';
import { openConsoleWorld } from '../../test/console/world.ts';
import { sqlitePlace } from '../../test/support/place-sqlite.ts';

const folder = join(import.meta.dirname, '../..', 'screenshots', 'console');
mkdirSync(folder, { recursive: true });
const sizes = {
  phone: { width: 360, height: 740 },
  desktop: { width: 1280, height: 860 },
  wide: { width: 2560, height: 1300 },
};
const place = sqlitePlace(mkdtempSync(join(tmpdir(), 'holdfast-console-')));
const world = await openConsoleWorld({ place });
const { developer, slug } = await openStudio(world.server);
const project = `/p/${slug}`;

const type = async (page: Page, from: string, to: string) => {
  await page.waitForSelector('.cm-content');
  await page.evaluate(`(() => {
    const view = document.querySelector('.cm-content').cmTile.view;
    const from = view.state.doc.toString().indexOf(${JSON.stringify(from)});
    view.dispatch({ changes: { from, to: from + ${from.length}, insert: ${JSON.stringify(to)} } });
  })()`);
  await page.waitForTimeout(400);
};

/** Path, and what happens before the picture is taken. */
const pages: Readonly<Record<string, readonly [string, ((page: Page) => Promise<unknown>)?]>> = {
  projects: ['/'],
  'new-project': ['/#new', (page) => page.fill('.dialog input', 'Tides of Autumn')],
  state: [`${project}/development/state`],
  'state-tree': [
    `${project}/development/state`,
    async (page) => {
      await type(page, '"maxPartySize": 6', '"maxPartySize": 8');
      await page.click('.toolbar [aria-pressed]');
      await page.click('.tree-branch >> nth=1');
    },
  ],
  'state-fault': [`${project}/development/state`, (page) => type(page, '"dailyGifts": 3,', '"dailyGifts": 3')],
  review: [
    `${project}/development/state`,
    async (page) => {
      await type(page, '"maxPartySize": 6', '"maxPartySize": 8');
      await type(page, '"price": 340', '"price": 299');
      await page.click('.page-actions .primary');
      await page.waitForSelector('.cm-changedText, .cm-insertedLine');
    },
  ],
  conflict: [
    `${project}/development/state`,
    async (page) => {
      await type(page, '"maxPartySize": 6', '"maxPartySize": 8');
      const path = `/v1/${developer.accountId}/projects/${slug}/public-state/development`;
      const read = await world.server.call('GET', path, { headers: developer.bearer });
      const headers = { ...developer.bearer, 'If-Match': String(read.headers.etag) };
      const value = 10 + Math.floor(Math.random() * 1e6);
      await world.server.call('PATCH', path, {
        headers,
        body: { ops: [{ op: 'replace', path: '/limits/maxPartySize', value }] },
      });
      await page.click('.page-actions .primary');
      await page.click('.save-form .primary');
      await page.waitForSelector('.conflicts');
      await page.click('.conflict-side >> nth=2');
      const now = { ...developer.bearer, 'If-Match': `"${(read.json as { version: number }).version + 1}"` };
      await world.server.call('PATCH', path, {
        headers: now,
        body: { ops: [{ op: 'replace', path: '/limits/maxPartySize', value: 6 }] },
      });
    },
  ],
  'state-empty': ['/p/prototype-2019/staging/state'],
  history: [
    `${project}/development/history?version=4`,
    (page) => page.waitForSelector('.cm-changedText, .cm-insertedLine'),
  ],
  restore: [
    `${project}/development/history?version=3`,
    async (page) => {
      await page.click('.comparison-head .button');
      await page.waitForSelector('.dialog .cm-content');
    },
  ],
  promote: [
    `${project}/environments?from=staging&to=production`,
    async (page) => {
      await page.waitForSelector('.promotion .cm-content');
      await page.click('.parts-list input >> nth=1');
    },
  ],
  players: [`${project}/development/players`],
  player: [`${project}/development/players/usr_7fK2mQ9xT4bL0cVn3RzYpW`],
  'delete-player': [
    `${project}/development/players/usr_7fK2mQ9xT4bL0cVn3RzYpW`,
    (page) => page.click('.page-actions .danger'),
  ],
  'players-empty': [`${project}/staging/players`],
  keys: [`${project}/keys`],
  'new-key': [`${project}/keys?create=true`, (page) => page.fill('.dialog input', 'Build server')],
  'sign-in-settings': [`${project}/sign-in`],
  connect: [`${project}/connect?welcome=true`],
  settings: [`${project}/settings`],
  usage: ['/usage'],
  account: ['/account'],
  palette: [`${project}/development/history`, (page) => page.keyboard.press('Control+k')],
  menu: [`${project}/keys`, (page) => page.click('.project-button:visible, .topbar .button >> nth=0')],
  'not-found': ['/p/nothing/development/state'],
};

const wanted = process.argv.slice(2);
const chosen = Object.entries(pages).filter(([name]) => wanted.length === 0 || wanted.includes(name));
for (const [size, viewport] of Object.entries(sizes)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await world.signedIn(developer, '/', { viewport, colorScheme, reducedMotion: 'reduce' });
    const complaints: string[] = [];
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    for (const [name, [path, prepare]] of chosen) {
      await page.evaluate(`indexedDB.deleteDatabase('holdfast-console')`);
      await page.goto('about:blank');
      await page.goto(`${world.server.baseUrl}/console${path}`);
      await page.waitForTimeout(700);
      await prepare?.(page)?.catch((error: unknown) => console.log(name, String(error).split('\n')[0]));
      await page.waitForTimeout(350);
      await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`) });
    }
    for (const complaint of new Set(complaints)) console.log(size, colorScheme, complaint);
    await page.context().close();
  }
}
if (wanted.length === 0) {
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await world.browser.newPage({ viewport, colorScheme });
      await page.goto(`${world.server.baseUrl}/console/`);
      await page.waitForSelector('h1');
      await page.screenshot({ path: join(folder, `sign-in-${size}-${colorScheme}.png`) });
      await page.close();
    }
  }
}
await world.stop();
await place.remove();
