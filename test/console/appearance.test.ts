/** Every page of the console, as machines can judge it: accessibility in both themes, and no page wider than its window. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invitationLink } from '../../packages/server/src/common/console-addresses.ts';
import { invite, ofOperator } from '../../packages/server/src/oauth/invitations.ts';
import { byOperator } from '../../packages/server/src/storage/records.fixture.ts';
import { openStudio, type Studio } from './studio.ts';
import { type ConsoleWorld, openConsoleWorld } from './world.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

let world: ConsoleWorld;
let studio: Studio;
/** Signed in once; each case opens a page beside it. */
let first: Page;
beforeAll(async () => {
  world = await openConsoleWorld();
  studio = await openStudio(world.server);
  first = await world.signedIn(studio.developer, '/usage', { reducedMotion: 'reduce' });
  await first.context().addInitScript(judge);
});
afterAll(() => world.stop());

/**
 * Runs in each page before its own script, so that it needs nothing that the policy of the page forbids. Themes change the colours only,
 * so the dark one is judged by the rules about colours. What is left out hands the focus on at once, to what is in the menu.
 */
const judge = `${axeSource};
globalThis.judge = async (scheme) => {
  const left = { exclude: [['[data-base-ui-focus-guard]']] };
  const rules = scheme === 'dark' ? { runOnly: ['color-contrast', 'link-in-text-block'] } : {};
  const { violations } = await axe.run(left, { resultTypes: ['violations'], preload: false, selectors: false, ...rules });
  return { violations, width: document.documentElement.scrollWidth };
};`;
interface Judged {
  readonly violations: readonly Violation[];
  readonly width: number;
}
interface Judging {
  judge(scheme: 'light' | 'dark'): Promise<Judged>;
}

/** What axe finds, and whether the page fits, in both themes at both widths. */
async function faultsOf(page: Page): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 860 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const scheme = colorScheme;
      const { violations, width: widest } = await page.evaluate(
        (one) => (globalThis as unknown as Judging).judge(one),
        scheme,
      );
      if (widest > width) faults.push(`${width}: the page is ${widest} wide`);
      const found = violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${width} ${colorScheme} ${id}: ${html} ${failureSummary}`),
      );
      faults.push(...found);
    }
  }
  return faults;
}

/** What the browser says in its console: faults of scripts, and whatever the policy of the page forbids. */
function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on('console', (message) => message.type() !== 'info' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}

/** Does something, and waits for what it shows. */
async function reach(page: Page, selector: string, step: () => Promise<unknown>): Promise<void> {
  await step();
  await page.locator(selector).first().waitFor();
}

const pages: Readonly<Record<string, readonly [string, string, ((page: Page) => Promise<unknown>)?]>> = {
  projects: ['/', '.cards'],
  'a new project': ['/#new', '.dialog'],
  state: ['/p/sea-of-glass/development/state', '.cm-content'],
  'the tree': [
    '/p/sea-of-glass/development/state',
    '.cm-content',
    async (page) => {
      await page.getByRole('button', { name: 'Tree' }).click();
      await page.locator('.tree-branch').first().waitFor();
    },
  ],
  'no state': ['/p/prototype-2019/staging/state', '.empty'],
  'a review': [
    '/p/sea-of-glass/staging/state',
    '.cm-content',
    async (page) => {
      await page.click('.cm-content');
      // Nothing is typed over: Chromium keeps the style of what was there in an attribute, and complains that it may not.
      await page.keyboard.press('ControlOrMeta+Home');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.insertText('"a":1,');
      await page.getByRole('button', { name: 'Review and save' }).click();
      await page.locator('.dialog .cm-content').first().waitFor();
    },
  ],
  history: ['/p/sea-of-glass/development/history', '.comparison .cm-content'],
  'a schema': [
    '/p/sea-of-glass/production/schemas',
    '.empty',
    (page) => reach(page, '.status-good', () => page.getByRole('button', { name: 'Write a schema' }).click()),
  ],
  'a check of a save': ['/p/sea-of-glass/production/schemas?kind=user-state&view=check', '.check-editor .cm-content'],
  'an identity provider': [
    '/p/sea-of-glass/sign-in',
    '.login-preview',
    (page) => reach(page, '.dialog', () => page.getByRole('button', { name: 'Set up Google' }).click()),
  ],
  players: ['/p/sea-of-glass/development/players', 'table'],
  'a player': ['/p/sea-of-glass/development/players/ada@example.com', 'pre'],
  "a player's history": ['/p/sea-of-glass/development/players/ada@example.com/history', '.comparison .cm-content'],
  promote: ['/p/sea-of-glass/environments', '.promotion .cm-content'],
  keys: ['/p/sea-of-glass/keys', 'table'],
  'a new key': ['/p/sea-of-glass/keys?create=true', '.dialog'],
  'sign-in settings': ['/p/sea-of-glass/sign-in', '.login-preview'],
  connect: ['/p/sea-of-glass/connect', '.live-document pre'],
  'project settings': ['/p/sea-of-glass/settings', '.danger-zone'],
  usage: ['/usage', '.meters'],
  account: ['/account', '.danger-zone'],
  'the palette': [
    '/usage',
    '.meters',
    (page) => reach(page, '.palette-item', () => page.keyboard.press('ControlOrMeta+k')),
  ],
  'the menu': [
    '/usage',
    '.meters',
    (page) => reach(page, '.menu-item', () => page.locator('.sidebar .project-button').click()),
  ],
  nothing: ['/p/nothing/development/state', '.empty'],
};

describe('axe finds no fault in either theme, the page fits a phone, and its policy and script work', () => {
  it.each(Object.entries(pages))('%s', async (_, [path, selector, prepare]) => {
    const page = await first.context().newPage();
    const complaints = complaintsOf(page);
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.goto(`${world.server.baseUrl}/console${path}`);
    await page.locator(selector).first().waitFor();
    await prepare?.(page);
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    const faults = await faultsOf(page);
    expect(faults, faults.join('\n')).toEqual([]);
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
    await page.close();
  });

  it('an invitation, and one that is no good', async () => {
    const { token } = await invite(
      world.server.running.store,
      { ...byOperator, at: Date.now() },
      { ...ofOperator, accountId: studio.developer.accountId, role: 'owner' },
    );
    for (const [link, heading] of [
      [invitationLink(world.server.baseUrl, token), 'You are invited'],
      [invitationLink(world.server.baseUrl, 'none'), 'This invitation does not work'],
    ] as const) {
      const page = await world.browser.newPage({ locale: 'en-US' });
      await page.addInitScript(judge);
      const complaints = complaintsOf(page);
      await page.goto(link);
      await page.getByRole('heading', { name: heading }).waitFor();
      const faults = await faultsOf(page);
      expect(faults, faults.join('\n')).toEqual([]);
      expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
      await page.context().close();
    }
  });

  it('the page before sign-in, which asks the service for nothing but files', async () => {
    const page = await world.browser.newPage();
    await page.addInitScript(judge);
    const complaints = complaintsOf(page);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${world.server.baseUrl}/console/p/sea-of-glass/production/state`);
    await page.getByRole('heading', { name: 'Sign in to Holdfast' }).waitFor();
    expect(asked.filter((path) => !path.startsWith('/console/'))).toEqual([]);
    await page.waitForLoadState('networkidle');
    const scripts = await Promise.all(
      asked.filter((path) => path.endsWith('.js')).map((path) => world.server.call('GET', path)),
    );
    expect(scripts.reduce((bytes, { text }) => bytes + Buffer.byteLength(text), 0)).toBeLessThan(60_000);
    const faults = await faultsOf(page);
    expect(faults, faults.join('\n')).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
