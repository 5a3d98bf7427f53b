/** Every page of the console, as machines can judge it: accessibility in both themes, and no page wider than its window. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStudio, type Studio } from './studio.ts';
import { type ConsoleWorld, openConsoleWorld } from './world.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

let world: ConsoleWorld;
let studio: Studio;
beforeAll(async () => {
  world = await openConsoleWorld();
  studio = await openStudio(world.server);
});
afterAll(() => world.stop());

/** What axe finds, and whether the page fits, in both themes at both widths. */
async function faultsOf(page: Page): Promise<readonly string[]> {
  const faults: string[] = [];
  await page.evaluate(axeSource);
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 860 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      // Those hand the focus on at once, to what is in the menu.
      const { violations } = (await page.evaluate(`axe.run({ exclude: [['[data-base-ui-focus-guard]']] })`)) as {
        violations: readonly Violation[];
      };
      const found = violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${width} ${colorScheme} ${id}: ${html} ${failureSummary}`),
      );
      faults.push(...found);
    }
    const widest = (await page.evaluate('document.documentElement.scrollWidth')) as number;
    if (widest > width) faults.push(`${width}: the page is ${widest} wide`);
  }
  return faults;
}

const pages: Readonly<Record<string, readonly [string, string, ((page: Page) => Promise<unknown>)?]>> = {
  projects: ['/', '.cards'],
  'a new project': ['/#new', '.dialog'],
  state: ['/p/sea-of-glass/development/state', '.cm-content'],
  'the tree': [
    '/p/sea-of-glass/development/state',
    '.cm-content',
    (page) => page.getByRole('button', { name: 'Tree' }).click(),
  ],
  'no state': ['/p/prototype-2019/staging/state', '.empty'],
  'a review': [
    '/p/sea-of-glass/staging/state',
    '.cm-content',
    async (page) => {
      await page.click('.cm-content');
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText('{"a":1}');
      await page.getByRole('button', { name: 'Review and save' }).click();
      await page.locator('.dialog .cm-content').first().waitFor();
    },
  ],
  history: ['/p/sea-of-glass/development/history', '.comparison .cm-content'],
  players: ['/p/sea-of-glass/development/players', 'table'],
  'a player': ['/p/sea-of-glass/development/players/ada@example.com', 'pre'],
  promote: ['/p/sea-of-glass/environments', '.promotion .cm-content'],
  keys: ['/p/sea-of-glass/keys', '.rows'],
  'a new key': ['/p/sea-of-glass/keys?create=true', '.dialog'],
  'sign-in settings': ['/p/sea-of-glass/sign-in', '.login-preview'],
  connect: ['/p/sea-of-glass/connect', '.live-document pre'],
  'project settings': ['/p/sea-of-glass/settings', '.danger-zone'],
  usage: ['/usage', '.meters'],
  account: ['/account', '.danger-zone'],
  'the palette': ['/usage', '.meters', (page) => page.keyboard.press('ControlOrMeta+k')],
  'the menu': ['/usage', '.meters', (page) => page.locator('.sidebar .project-button').click()],
  nothing: ['/p/nothing/development/state', '.empty'],
};

describe('the console has nothing to complain about for axe, in either theme, and fits a phone', () => {
  it.each(Object.entries(pages))('%s', async (_, [path, selector, prepare]) => {
    const page = await world.signedIn(studio.developer, path, { bypassCSP: true });
    await page.locator(selector).first().waitFor();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await prepare?.(page);
    await page.waitForTimeout(300);
    const faults = await faultsOf(page);
    expect(faults, faults.join('\n')).toEqual([]);
    await page.context().close();
  });

  it('the page before sign-in, which asks the service for nothing but files', async () => {
    const page = await world.browser.newPage({ bypassCSP: true });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${world.server.baseUrl}/console/p/sea-of-glass/production/state`);
    await page.getByRole('heading', { name: 'Sign in to Holdfast' }).waitFor();
    expect(asked.filter((path) => !path.startsWith('/console/'))).toEqual([]);
    const faults = await faultsOf(page);
    expect(faults, faults.join('\n')).toEqual([]);
    await page.context().close();
  });
});

it('no page breaks its own policy or complains in the console', async () => {
  const page = await world.signedIn(studio.developer);
  const complaints: string[] = [];
  page.on('console', (message) => message.type() !== 'info' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  for (const [path, selector] of Object.values(pages).filter(([one]) => !one.includes('nothing'))) {
    await page.goto('about:blank');
    await page.goto(`${world.server.baseUrl}/console${path}`);
    await page.locator(selector).first().waitFor();
  }
  expect(complaints).toEqual([]);
  await page.context().close();
});
