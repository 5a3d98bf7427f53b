/** Automated checks of every console page: accessibility in both themes, and no page wider than its window. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invitationLink } from '../../packages/server/src/common/net/console-addresses.ts';
import { invite, ofOperator } from '../../packages/server/src/management/invitations.ts';
import { byOperator } from '../../packages/server/src/storage/store-suite/records.fixture.ts';
import { openSchemas, openTeam } from './large-studio.ts';
import { planChanges } from './planned-changes.ts';
import { openStudio, type Studio } from './studio.ts';
import { type ConsoleWorld, openConsoleWorld } from './world.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

let world: ConsoleWorld;
let studio: Studio;
/** Signed in once; each case opens another page in the same browser context. */
let first: Page;
beforeAll(async () => {
  world = await openConsoleWorld();
  studio = await openStudio(world.server);
  await openTeam(world.server, studio.developer);
  await openSchemas(world.server, studio.developer, studio.slug);
  await planChanges(world.server, studio);
  first = await world.signedIn(studio.developer, '/usage', { reducedMotion: 'reduce' });
  await first.context().addInitScript(judge);
});
afterAll(() => world.stop());

/**
 * Runs in each page before its own scripts, where the content security policy does not block it. Themes differ only in colours, so the
 * dark one is checked with the rules for colours only. The excluded elements pass the focus on to the menu immediately.
 */
const judge = `${axeSource};
globalThis.judge = async (scheme, within) => {
  const left = { ...(within && { include: [[within]] }), exclude: [['[data-base-ui-focus-guard]']] };
  const rules = scheme === 'dark' ? { runOnly: ['color-contrast', 'link-in-text-block'] } : {};
  const { violations } = await axe.run(left, { resultTypes: ['violations'], preload: false, selectors: false, ...rules });
  return { violations, width: document.documentElement.scrollWidth };
};`;
interface Judged {
  readonly violations: readonly Violation[];
  readonly width: number;
}
interface Judging {
  judge(scheme: 'light' | 'dark', within: string): Promise<Judged>;
}

/** Violations that axe finds, and overflow, at both widths; in the dark theme at the first only. `within`: a part of the page. */
async function faultsOf(page: Page, widths = [1280, 360], within = ''): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 860 });
    for (const colorScheme of width === widths[0] ? (['dark', 'light'] as const) : (['light'] as const)) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const scheme = colorScheme;
      const { violations, width: widest } = await page.evaluate(
        ([one, part]) => (globalThis as unknown as Judging).judge(one, part),
        [scheme, within] as const,
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

/** Messages in the browser console: script errors, and violations of the content security policy. */
function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on('console', (message) => message.type() !== 'info' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}

/** The edges of an element in the window. */
interface Box {
  readonly right: number;
  readonly bottom: number;
}
const boxOf = (element: Locator): Promise<Box> =>
  element.evaluate((one) => {
    const { right, bottom } = (one as unknown as { getBoundingClientRect(): Box }).getBoundingClientRect();
    return { right, bottom };
  });

/** Runs a step, and waits for an element. */
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
  'the form': ['/p/sea-of-glass/development/state?view=form', '.form-part'],
  'a table of the form': [
    '/p/sea-of-glass/development/state?view=form',
    '.form-view',
    async (page) => {
      await page.locator('.form-outline').getByRole('button', { name: 'shop' }).click();
      await page.locator('.form-part', { hasText: 'items' }).click();
      await page.getByRole('checkbox', { name: 'Select bow_yew' }).check();
      await page.locator('.bulk-bar').waitFor();
    },
  ],
  'no state': ['/p/prototype-2019/staging/state', '.empty'],
  'a review': [
    '/p/sea-of-glass/staging/state',
    '.cm-content',
    async (page) => {
      await page.click('.cm-content');
      // No text is typed over: Chromium would keep its style in an attribute, which the policy forbids.
      await page.keyboard.press('ControlOrMeta+Home');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.insertText('"a":1,');
      await page.getByRole('button', { name: 'Review and save' }).click();
      await page.locator('.dialog .diff-toggle').first().waitFor();
    },
  ],
  proposals: ['/p/sea-of-glass/development/proposals', 'tbody a'],
  'a proposal': [
    '/p/sea-of-glass/development/proposals',
    'tbody a',
    (page) => reach(page, '.proposal .diff-toggle', () => page.locator('tbody a', { hasText: 'Larger parties' }).click()),
  ],
  'a proposal in conflict': [
    '/p/sea-of-glass/development/proposals',
    'tbody a',
    (page) => reach(page, '.conflict-form', () => page.locator('tbody a', { hasText: 'Shorter matchmaking' }).click()),
  ],
  'times of a proposal': [
    '/p/sea-of-glass/calendar?state=scheduled',
    '.calendar-span',
    async (page) => {
      await page.locator('.calendar-span').first().click();
      await page.getByRole('button', { name: 'Change times' }).click();
      await page.getByLabel('Change back on').waitFor();
    },
  ],
  'the month of a time': [
    '/p/sea-of-glass/calendar?state=scheduled',
    '.calendar-span',
    async (page) => {
      await page.locator('.calendar-span').first().click();
      await page.getByRole('button', { name: 'Change times' }).click();
      await page.getByRole('button', { name: 'Choose a day' }).first().click();
      await page.locator('.month').waitFor();
    },
  ],
  calendar: ['/p/sea-of-glass/calendar', '.calendar-span'],
  'a week of the calendar': ['/p/sea-of-glass/calendar?by=week', '.calendar-span'],
  overview: ['/p/sea-of-glass', '.overview-figures'],
  'first steps': ['/p/prototype-2019/staging/overview', '.first-steps'],
  'no flags': ['/p/prototype-2019/staging/flags', '.empty'],
  'no players': ['/p/prototype-2019/staging/players', '.empty'],
  'no such project': ['/p/nothing/staging/state', '.empty'],
  flags: ['/p/sea-of-glass/development/flags', '.flag-problem'],
  'a flag': ['/p/sea-of-glass/development/flags?flag=new-shop', '.flag-rules'],
  'a flag with JSON': ['/p/sea-of-glass/development/flags?flag=odds', '.flag-json'],
  history: ['/p/sea-of-glass/development/history', '.comparison .diff-toggle'],
  'a schema': [
    '/p/sea-of-glass/production/schemas?kind=public-state',
    '.empty',
    async (page) => {
      await page.getByRole('button', { name: 'Write JSON' }).click();
      await page.click('.cm-content');
      await page.keyboard.press('ControlOrMeta+Home');
      await page.keyboard.press('ArrowRight');
      await reach(page, '.status-good', () => page.keyboard.insertText('"required":["season"],'));
    },
  ],
  'a schema that refuses nothing': [
    '/p/prototype-2019/staging/schemas',
    '.empty',
    (page) =>
      reach(page, '.status-fault[data-severity=warning]', () => page.getByRole('button', { name: 'Write JSON' }).click()),
  ],
  'a check of a save': [
    '/p/sea-of-glass/production/schemas?kind=user-state&view=check',
    '.check-form .form-field',
    async (page) => {
      await page.locator('.check-view').getByText('JSON', { exact: true }).click();
      await page.click('.check-editor .cm-content');
      await page.keyboard.press('ControlOrMeta+End');
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.insertText(',"gold":-1');
      await reach(page, '.broken a', () => page.getByRole('button', { name: 'Check' }).click());
    },
  ],
  'an identity provider': [
    '/p/sea-of-glass/sign-in',
    '.login-preview',
    (page) => reach(page, '.dialog', () => page.getByRole('button', { name: 'Set up Google' }).click()),
  ],
  players: ['/p/sea-of-glass/development/players', 'table'],
  'a player': ['/p/sea-of-glass/development/players/ada@example.com', '.save-fields'],
  'a gift': [
    '/p/sea-of-glass/development/players/ada@example.com',
    '.save-fields',
    async (page) => {
      await page.getByRole('button', { name: 'Give …' }).click();
      await page.getByLabel('What').selectOption({ index: 1 });
      await page.getByLabel('Amount').fill('5');
      await page.locator('.dialog .change-list').waitFor();
    },
  ],
  'a save as a form': [
    '/p/sea-of-glass/development/players/ada@example.com',
    '.save-fields',
    async (page) => {
      await page.getByRole('button', { name: 'Change save' }).click();
      await page.locator('.dialog .form-field').first().waitFor();
    },
  ],
  "a player's history": ['/p/sea-of-glass/development/players/ada@example.com/history', '.comparison .diff-toggle'],
  promote: ['/p/sea-of-glass/environments', '.promotion .diff-toggle'],
  keys: ['/p/sea-of-glass/keys', 'table'],
  'sign-in settings': ['/p/sea-of-glass/sign-in', '.login-preview'],
  webhooks: ['/p/sea-of-glass/webhooks', 'table'],
  'a webhook': [
    '/p/sea-of-glass/webhooks',
    'table',
    (page) => reach(page, '.webhook-deliveries td', () => page.locator('tbody th a').click()),
  ],
  connect: ['/p/sea-of-glass/connect', '.live-document pre'],
  'project settings': ['/p/sea-of-glass/settings', '.danger-zone'],
  team: ['/team', 'table'],
  'service accounts': ['/service-accounts', 'table'],
  'the audit trail': ['/audit', 'table'],
  'the rules of a schema': ['/p/sea-of-glass/development/schemas', '.field-name'],
  'rules of a save that only the JSON can change': ['/p/sea-of-glass/production/schemas?kind=user-state', '.rule-json'],
  'the fields that rules can be about': [
    '/p/sea-of-glass/development/schemas',
    '.rules-bar .button',
    (page) => reach(page, '.field-list button', () => page.getByRole('button', { name: 'Add rule' }).click()),
  ],
  'the rules of a field': [
    '/p/sea-of-glass/development/schemas',
    '.rules-bar .button',
    (page) =>
      reach(page, '.rules-form', () =>
        page.getByRole('button', { name: 'Change the rules of Shop › Items › each entry › Price' }).click(),
      ),
  ],
  'a comparison with another environment': ['/p/sea-of-glass/development/history?with=staging', '.comparison .diff-toggle'],
  'a report of a schema': ['/p/sea-of-glass/development/schemas?view=report', '.problems table, .problems .notice, .empty'],
  'the history of a schema': ['/p/sea-of-glass/development/schemas?view=history', '.comparison .diff-toggle'],
  usage: ['/usage', '.figures .meters'],
  account: ['/account', '.danger-zone'],
  'the palette': [
    '/usage',
    '.meters',
    (page) => reach(page, '.palette-item', () => page.keyboard.press('ControlOrMeta+k')),
  ],
  'the menu': [
    '/usage',
    '.meters',
    (page) => reach(page, '.project-menu .palette-item', () => page.locator('.sidebar .project-button').click()),
  ],
  nothing: ['/p/nothing/development/state', '.empty'],
};

const glass = '/p/sea-of-glass';
const player = '.access-row .button';
/** Pages with the buttons that open a dialog. `makes`: its form creates a secret that is shown once. `item`: of a menu, by default that of the first row. `ticks`: first. */
type Opener =
  | string
  | { readonly makes: string }
  | { readonly item: number; readonly menu?: string }
  | { readonly ticks: string; readonly opens: string };
const selectorOf = (opener: Opener): string => {
  if (typeof opener === 'string') return opener;
  if ('item' in opener) return `.menu-item >> nth=${opener.item}`;
  return 'makes' in opener ? opener.makes : opener.opens;
};
const dialogs: readonly (readonly [string, readonly Opener[]])[] = [
  ['/team', [{ makes: '.page-actions .primary' }, ...[0, 1].map((item) => ({ item, menu: 'tr:nth-child(2) .row-menu' }))]],
  ['/service-accounts', [{ makes: '.page-actions .primary' }, { item: 0 }, { item: 1 }]],
  ['/account', ['.danger-zone .danger', '[role=switch]']],
  [`${glass}/keys`, [{ makes: '.page-actions .primary' }, { item: 0 }]],
  [`${glass}/settings`, ['.danger-zone .danger']],
  [`${glass}/webhooks`, ['.page-actions .primary']],
  [`${glass}/development/history?version=3`, ['.comparison-head .button']],
  [`${glass}/development/flags`, ['.page-actions .button:has(.lucide-plus)']],
  [`${glass}/development/flags?flag=new-shop`, [{ item: 0, menu: '.page-actions .row-menu' }]],
  [`${glass}/development/schemas`, ['.rules-bar .button', 'td.actions .button']],
  [`${glass}/development/schemas?view=edit`, [0, 1, 2].map((item) => ({ item, menu: '.page-actions .row-menu' }))],
  [`${glass}/environments?from=staging&to=production`, [{ ticks: '.part-all input', opens: '.promote-end .primary' }]],
  [
    `${glass}/development/players/ada@example.com`,
    [
      '.player-actions button >> nth=0',
      '.player-actions button >> nth=1',
      `${player} >> nth=0`,
      `${player} >> nth=1`,
      '.danger-zone .danger',
    ],
  ],
];

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

  it('every dialog', async () => {
    const page = await first.context().newPage();
    const complaints = complaintsOf(page);
    const faults: string[] = [];
    const judgeDialog = async (of: string) => {
      await page.locator('.dialog .skeleton').first().waitFor({ state: 'detached' });
      const found = await faultsOf(page, [360], '.dialog');
      faults.push(...found.map((fault) => `${of}: ${fault}`));
      // Whatever its height, its buttons are in view.
      const end = page.locator('.dialog > footer, .dialog-body > form > .form-actions').last();
      const [{ bottom: edge }, { bottom }] = await Promise.all([
        boxOf(page.locator('.dialog')),
        (await end.count()) === 0 ? { bottom: 0 } : boxOf(end.locator('.button').last()),
      ]);
      if (bottom > edge) faults.push(`${of}: its buttons end at ${bottom}, the dialog at ${edge}`);
      if ((await page.locator('.dialog > header').getByRole('button', { name: 'Close' }).count()) !== 1)
        faults.push(`${of}: it has no button to close it`);
    };
    for (const [path, openers] of dialogs) {
      await page.goto(`${world.server.baseUrl}/console${path}`);
      for (const opener of openers) {
        const inMenu = typeof opener === 'object' && 'item' in opener;
        if (typeof opener === 'object' && 'ticks' in opener) await page.locator(opener.ticks).check();
        const selector = selectorOf(opener);
        if (inMenu) {
          // A list that is read again closes its menu.
          const item = page.locator(selector).first();
          await expect
            .poll(async () => {
              if (!(await item.isVisible()))
                await page
                  .locator(opener.menu ?? 'td.actions .row-menu')
                  .first()
                  .click();
              await item.click({ timeout: 1_000 }).catch(() => undefined);
              return page.locator('.dialog').count();
            })
            .toBe(1);
        } else await page.locator(selector).first().click();
        await page.locator('.dialog').waitFor();
        await judgeDialog(`${path} ${selector}`);
        if (typeof opener === 'object' && 'makes' in opener) {
          await page.locator('.dialog input').first().fill('a.new.one@example.com');
          await page.locator('.dialog [type=submit]').click();
          await page.locator('.dialog .secret').first().waitFor();
          await judgeDialog(`${path} what is shown once`);
          await page.locator('.dialog > footer .button').click();
        } else await page.keyboard.press('Escape');
        await page.locator('.dialog').waitFor({ state: 'detached' });
      }
    }
    expect(faults, faults.join('\n')).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('the current tab, on a phone', async () => {
    const page = await first.context().newPage();
    await page.setViewportSize({ width: 360, height: 740 });
    for (const [path, strip] of [
      [`${glass}/connect`, '.section-tabs ul'],
      [`${glass}/webhooks`, '.section-tabs ul'],
      [`${glass}/development/state?view=form`, '.form-outline nav > ul'],
    ] as const) {
      await page.goto(`${world.server.baseUrl}/console${path}`);
      if (strip.startsWith('.form')) await page.locator(`${strip} button:visible`).last().click();
      const current = page.locator(`${strip} [aria-current]`);
      await expect
        .poll(async () => (await boxOf(current)).right)
        .toBeLessThanOrEqual((await boxOf(page.locator(strip))).right + 1);
      await page.locator(`${strip}[data-cut~=start]`).waitFor();
    }
    await page.close();
  });

  it('the rail of a tablet, with the names of its icons as tooltips and in a drawer', async () => {
    const page = await first.context().newPage();
    const faults: string[] = [];
    await page.setViewportSize({ width: 768, height: 1024 });
    for (const path of [`${glass}/development/overview`, `${glass}/settings`, '/account']) {
      await page.goto(`${world.server.baseUrl}/console${path}`);
      await page.locator('.page-header ~ :not(.skeleton)').first().waitFor();
      faults.push(...(await faultsOf(page, [768])));
    }
    expect(faults, faults.join('\n')).toEqual([]);
    const rail = await boxOf(page.locator('.sidebar'));
    expect(rail.right).toBeLessThan(80);
    expect(await page.locator('.topbar').isVisible()).toBe(false);
    const players = page.locator('.sidebar').getByRole('link', { name: 'Players' });
    const name = players.getByText('Players');
    expect((await boxOf(name)).right).toBeLessThan(rail.right);
    await players.hover();
    expect((await boxOf(name)).right).toBeGreaterThan(rail.right);
    await page.getByRole('button', { name: 'Menu' }).click();
    const drawer = page.getByRole('dialog', { name: 'Menu' });
    await drawer.getByRole('link', { name: 'Players' }).click();
    await page.getByRole('heading', { name: 'Players', exact: true }).waitFor();
    await drawer.waitFor({ state: 'detached' });
    await page.close();
  });

  it('titles and buttons in the same place on every page', async () => {
    const page = await first.context().newPage();
    const topOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((one) => {
          const { top, height } = (
            one as unknown as { getBoundingClientRect(): { top: number; height: number } }
          ).getBoundingClientRect();
          return [top, height];
        });
    for (const width of [1440, 768]) {
      await page.setViewportSize({ width, height: 900 });
      const seen = new Set<string>();
      const inHeader = [
        '/',
        '/team',
        '/usage',
        '/account',
        '/audit',
        `${glass}/settings`,
        `${glass}/keys`,
        `${glass}/sign-in`,
      ];
      const ofDocument = ['state', 'flags', 'flags?flag=new-shop', 'schemas', 'players', 'overview', 'proposals'];
      for (const path of [...inHeader, ...ofDocument.map((name) => `${glass}/development/${name}`)]) {
        await page.goto(`${world.server.baseUrl}/console${path}`);
        await page.locator('.page-header ~ :not(.skeleton)').first().waitFor();
        seen.add((await topOf('.title-row')).join(' '));
      }
      expect([...seen]).toHaveLength(1);
    }
    await page.close();
  });

  it('the buttons of an editor, which wait for the first change and move nothing', async () => {
    const page = await first.context().newPage();
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 740 });
      await page.goto(`${world.server.baseUrl}/console${glass}/development/flags`);
      const control = page.getByRole('switch').first();
      await control.waitFor();
      const review = page.getByRole('button', { name: 'Review and save' });
      const ready = page.locator('.page-actions .primary:enabled', { hasText: 'Review and save' });
      expect(await review.count()).toBe(0);
      const search = page.getByRole('searchbox', { name: 'Find a flag' });
      const before = await boxOf(search);
      await control.click();
      await ready.waitFor();
      expect(await boxOf(search)).toEqual(before);
      const { right, bottom } = await boxOf(review);
      expect([right <= width, bottom <= 740]).toEqual([true, true]);
      await page.getByRole('button', { name: 'Discard', exact: true }).click();
      await page.locator('.dialog .danger').click();
      await ready.waitFor({ state: 'detached' });
    }
    await page.close();
  });

  it('an invitation, and an invalid one', async () => {
    const { token } = await invite(
      world.server.running.store,
      { ...byOperator, at: Date.now() },
      { ...ofOperator, accountId: studio.developer.accountId, role: 'owner' },
    );
    for (const [link, heading] of [
      [invitationLink(world.server.baseUrl, token), 'You are invited'],
      [invitationLink(world.server.baseUrl, 'none'), 'This invitation is not valid'],
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

  it('the page before sign-in, which requests only files', async () => {
    const page = await world.browser.newPage({ locale: 'en-US' });
    await page.addInitScript(judge);
    await page.addInitScript(`sessionStorage.setItem('holdfast:signed-out', 'true')`);
    const complaints = complaintsOf(page);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${world.server.baseUrl}/console/p/sea-of-glass/production/state`);
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
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
