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
import { openStudio } from '../../test/console/studio.ts';
import { openConsoleWorld } from '../../test/console/world.ts';
import { sqlitePlace } from '../../test/support/place-sqlite.ts';

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
const place = sqlitePlace(mkdtempSync(join(tmpdir(), 'holdfast-console-')));
const world = await openConsoleWorld({ place });
const { developer, slug } = await (options.large ? openLargeStudio : openStudio)(world.server);
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

/** Chooses an item of the menu of the first row. */
const choose = async (page: Page, item: number) => {
  await page.click('td.actions .row-menu >> nth=0');
  await page.click(`.menu-item >> nth=${item}`);
};

/** Path, and actions before the picture is taken. */
const pages: Readonly<Record<string, readonly [string, ((page: Page) => Promise<unknown>)?]>> = {
  projects: ['/'],
  'new-project': ['/#new', (page) => page.fill('.dialog input', 'Tides of Autumn')],
  state: [`${project}/development/state`],
  form: [`${project}/development/state?view=form`],
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
  overview: [`${project}/production/overview`],
  flags: [`${project}/development/flags`],
  flag: [
    `${project}/development/flags?flag=new-shop`,
    async (page) => {
      await page.fill('.try-as input', 'player-7');
      await page.locator('.try-as [type=submit]').click();
      await page.waitForSelector('.try-result');
    },
  ],
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
  schemas: [`${project}/development/schemas`],
  'schemas-typed': [
    `${project}/development/schemas`,
    async (page) => {
      await type(page, '"type": "object",', '"type": "object", "mi');
      await page.click('.cm-content');
      await page.evaluate(`(() => {
        const view = document.querySelector('.cm-content').cmTile.view;
        view.dispatch({ selection: { anchor: view.state.doc.toString().indexOf('"mi') + 3 } });
      })()`);
      await page.keyboard.type('n');
    },
  ],
  'schemas-enforce': [
    `${project}/production/schemas?kind=user-state`,
    async (page) => {
      await page.click('.page-actions .primary');
      await page.click('.mode-choice .choice >> nth=2');
      await page.waitForSelector('.scan table');
    },
  ],
  'schemas-report': [`${project}/development/schemas?view=report`],
  'schemas-check': [
    `${project}/production/schemas?kind=user-state&view=check`,
    async (page) => {
      await page.waitForSelector('.cm-content');
      await type(page, '"level": 1', '"gold": -1');
      await page.click('.form-actions .primary');
    },
  ],
  'schemas-history': [`${project}/development/schemas?view=history`],
  'schemas-promote': [
    `${project}/development/schemas`,
    async (page) => {
      await page.click('.page-actions .button >> nth=0');
      await page.waitForSelector('.dialog .cm-content');
    },
  ],
  'state-production': [`${project}/production/state`, (page) => type(page, '"maxPartySize": 6', '"maxPartySize": 8')],
  'review-production': [
    `${project}/production/state`,
    async (page) => {
      await type(page, '"maxPartySize": 6', '"maxPartySize": 8');
      await page.click('.page-actions .primary');
      await page.waitForSelector('.cm-changedText, .cm-insertedLine');
    },
  ],
  'promote-question': [
    `${project}/environments?from=staging&to=production`,
    async (page) => {
      await page.waitForSelector('.promotion .cm-content');
      await page.click('.promotion-side form .primary');
    },
  ],
  provider: [`${project}/sign-in`, (page) => page.click('.method >> nth=2 >> .button')],
  'provider-other': [`${project}/sign-in`, (page) => page.click('.checks > .button')],
  players: [`${project}/development/players`],
  player: [`${project}/development/players/usr_7fK2mQ9xT4bL0cVn3RzYpW`],
  'delete-player': [
    `${project}/development/players/usr_7fK2mQ9xT4bL0cVn3RzYpW`,
    (page) => page.click('.danger-zone .danger'),
  ],
  'players-empty': ['/p/prototype-2019/staging/players'],
  'players-found': [
    `${project}/production/players`,
    async (page) => {
      await page.fill('[type=search]', 'ada');
      await page.waitForTimeout(600);
    },
  ],
  keys: [`${project}/keys`],
  'new-key': [`${project}/keys?create=true`, (page) => page.fill('.dialog input', 'Build server')],
  'sign-in-settings': [`${project}/sign-in`],
  'sign-in-mail': [`${project}/sign-in`, (page) => page.click('.preview .segments >> nth=0 >> text=Mail')],

  connect: [`${project}/connect?welcome=true`],
  settings: [`${project}/settings`],
  'settings-history': [
    `${project}/settings`,
    async (page) => {
      await page.locator('.public-history .segments label').last().click();
      await page.locator('.public-history').scrollIntoViewIfNeeded();
    },
  ],
  'settings-history-ask': [
    `${project}/settings`,
    async (page) => {
      await page.locator('.public-history .segments label').last().click();
      await page.locator('.public-history form > .button').click();
    },
  ],
  usage: ['/usage'],
  account: ['/account'],
  team: ['/team'],
  'service-accounts': ['/service-accounts'],
  audit: ['/audit'],
  invite: ['/team?invite=true'],
  'change-member': ['/team', (page) => choose(page, 0)],
  'remove-member': ['/team', (page) => choose(page, 1)],
  'new-service-account': ['/service-accounts?create=true'],
  'service-account-secrets': ['/service-accounts', (page) => choose(page, 0)],
  'audit-none': ['/audit?action=player.delete'],
  'history-filtered': [
    `${project}/development/history`,
    async (page) => {
      await page.click('.history-filter > .button');
      await page.fill('.history-choices .mono', 'limits › maxPartySize');
      await page.waitForTimeout(1_200);
    },
  ],
  'save-history': [`${project}/development/players/usr_7fK2mQ9xT4bL0cVn3RzYpW/history`],
  'change-save': [
    `${project}/development/players/usr_7fK2mQ9xT4bL0cVn3RzYpW`,
    (page) => page.click('.player .card-bar .button >> nth=-1'),
  ],
  'block-player': [
    `${project}/development/players/usr_7fK2mQ9xT4bL0cVn3RzYpW`,
    (page) => page.click('.player-side .player-actions .button >> nth=0'),
  ],
  'revoke-key': [`${project}/keys`, (page) => choose(page, 0)],
  'delete-project': [`${project}/settings`, (page) => page.click('.danger-zone .danger')],
  'account-menu': ['/usage', (page) => page.click('.account-button:visible, .topbar .button >> nth=0')],
  'preferences-menu': ['/usage', (page) => page.click('.preferences-button:visible, .topbar .button >> nth=0')],
  toast: [
    `${project}/settings`,
    async (page) => {
      await page.click('[role=switch]');
      await page.waitForSelector('.toast');
    },
  ],
  palette: [`${project}/development/history`, (page) => page.keyboard.press('Control+k')],
  menu: [`${project}/keys`, (page) => page.click('.project-button:visible, .topbar .button >> nth=0')],
  'not-found': ['/p/nothing/development/state'],
};

const chosen = Object.entries(pages).filter(([name]) => wanted.length === 0 || wanted.includes(name));
const themes = ['light', 'dark'] as const;
for (const [size, viewport] of Object.entries(sizes)) {
  if (options.size !== undefined && !options.size.includes(size)) continue;
  for (const colorScheme of themes) {
    if (options.theme !== undefined && !options.theme.includes(colorScheme)) continue;
    for (const locale of options.language) {
      const name = (page: string) =>
        join(folder, `${page}-${size}-${colorScheme}${locale === 'en' ? '' : `-${locale}`}.png`);
      await takeAll(name, { viewport, colorScheme, locale, reducedMotion: 'reduce' });
    }
  }
}
await world.stop();
await place.remove();

async function takeAll(nameOf: (page: string) => string, settings: BrowserContextOptions): Promise<void> {
  const page = await world.signedIn(developer, '/', settings);
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
    const excess = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    if (excess > 0) console.log(`${nameOf(name)} is ${excess} pixels too wide`);
    await page.screenshot({ path: nameOf(name), fullPage: options.full });
  }
  for (const complaint of new Set(complaints)) console.log(nameOf('*'), complaint);
  await page.context().close();
  if (wanted.length > 0) return;
  const signedOut = await world.browser.newPage(settings);
  await signedOut.addInitScript(`sessionStorage.setItem('holdfast:signed-out', 'true')`);
  await signedOut.goto(`${world.server.baseUrl}/console/`);
  await signedOut.waitForSelector('h1');
  await signedOut.screenshot({ path: nameOf('sign-in') });
  await signedOut.close();
}
