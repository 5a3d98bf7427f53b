/** Pages about documents and releases that have a picture, and how each is reached: elements are found in any language. */
import type { Page } from 'playwright-core';
import type { Studio } from '../../test/console/studio.ts';
import type { TestServer } from '../../test/support/server.ts';

/** Path, and actions before the picture is taken. */
export type Pictured = readonly [string, ((page: Page) => Promise<unknown>)?];
export type PicturedPages = Readonly<Record<string, Pictured>>;

/** The project of every studio. */
export const project = '/p/sea-of-glass';

const type = async (page: Page, from: string, to: string) => {
  await page.waitForSelector('.cm-content');
  await page.evaluate(`(() => {
    const view = document.querySelector('.cm-content').cmTile.view;
    const from = view.state.doc.toString().indexOf(${JSON.stringify(from)});
    view.dispatch({ changes: { from, to: from + ${from.length}, insert: ${JSON.stringify(to)} } });
  })()`);
  await page.waitForTimeout(400);
};

/** Opens a part of a document in its form, and the table in it with this name. */
const openPart = async (page: Page, part: string, table?: string) => {
  await page.click(`.form-outline nav button:has(bdi[title="${part}"])`);
  if (table !== undefined) await page.locator('.form-part', { hasText: table }).first().click();
  await page.waitForSelector('.grid-scroller');
};

/** Opens the proposal with this comment. */
const openProposal = async (page: Page, comment: string) => {
  await page.locator('tbody th a', { hasText: comment }).click();
  await page.waitForSelector('.proposal .facts');
};

export const documentPages: PicturedPages = {
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
      await page.waitForSelector('.change-list');
    },
  ],
  'state-empty': ['/p/prototype-2019/staging/state'],
  overview: [`${project}/production/overview`],
  'first-steps': ['/p/prototype-2019/staging/overview'],
  'flags-empty': ['/p/prototype-2019/staging/flags'],
  'form-table': [
    `${project}/development/state?view=form`,
    async (page) => {
      await openPart(page, 'shop', 'items');
      for (const row of [1, 2]) await page.click(`.grid-select input >> nth=${row}`);
    },
  ],
  'form-texts': [`${project}/development/state?view=form`, (page) => openPart(page, 'texts')],
  proposals: [`${project}/development/proposals`],
  'proposals-applied': [`${project}/development/proposals?state=applied`],
  proposal: [`${project}/development/proposals`, (page) => openProposal(page, 'Larger parties')],
  'proposal-conflict': [`${project}/development/proposals`, (page) => openProposal(page, 'Shorter matchmaking')],
  'proposal-times': [
    `${project}/development/proposals`,
    async (page) => {
      await openProposal(page, 'Larger parties');
      await page.click('.page-actions .button >> nth=0');
    },
  ],
  'proposal-month': [
    `${project}/development/proposals`,
    async (page) => {
      await openProposal(page, 'Larger parties');
      await page.click('.page-actions .button >> nth=0');
      await page.click('.day-field-input .button >> nth=0');
      await page.waitForSelector('.month');
    },
  ],
  calendar: [`${project}/calendar`],
  flags: [`${project}/development/flags`],
  flag: [
    `${project}/development/flags?flag=new-shop`,
    async (page) => {
      await page.fill('.try-as input', 'player-7');
      await page.locator('.try-as [type=submit]').click();
      await page.waitForSelector('.try-result');
    },
  ],
  history: [`${project}/development/history?version=4`, (page) => page.waitForSelector('.change-list')],
  'history-with': [`${project}/development/history?with=staging`, (page) => page.waitForSelector('.change-list')],
  restore: [
    `${project}/development/history?version=3`,
    async (page) => {
      await page.click('.comparison-head .button');
      await page.waitForSelector('.dialog .diff-toggle, .dialog .notice');
    },
  ],
  promote: [
    `${project}/environments?from=staging&to=production`,
    async (page) => {
      await page.waitForSelector('.promotion .diff-toggle');
      await page.click('.parts-list input >> nth=1');
    },
  ],
  schemas: [`${project}/development/schemas`],
  'schemas-fields': [`${project}/development/schemas`, (page) => page.click('.rules-bar .button')],
  'schemas-rule': [
    `${project}/development/schemas`,
    async (page) => {
      await page.click('.rules-bar .button');
      await page.fill('.field-choice input', 'shop price');
      await page.click('.field-list button');
    },
  ],
  'schemas-changed': [
    `${project}/development/schemas`,
    async (page) => {
      await page.click('td.actions .button >> nth=1');
      await page.waitForSelector('.page-actions .primary:enabled');
    },
  ],
  'schemas-typed': [
    `${project}/development/schemas?view=edit`,
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
      await page.click('td.actions .button >> nth=1');
      await page.click('.page-actions .primary');
      await page.click('.mode-choice .choice >> nth=2');
      await page.waitForSelector('.scan table');
    },
  ],
  'schemas-report': [`${project}/development/schemas?view=report`],
  'schemas-check': [
    `${project}/production/schemas?kind=user-state&view=check`,
    async (page) => {
      await page.fill('.check-form [data-at="/gold"]', '-11026');
      await page.click('.check-end .primary');
    },
  ],
  'schemas-history': [`${project}/development/schemas?view=history`],
  'schemas-promote': [
    `${project}/development/schemas`,
    async (page) => {
      await page.click('.page-actions .button >> nth=0');
      // In a narrow window, that is the menu.
      await page.locator('.menu-item, .dialog').first().waitFor();
      const item = page.locator('.menu-item').first();
      if (await item.isVisible()) await item.click();
      await page.waitForSelector('.dialog .diff-toggle, .dialog .notice');
    },
  ],
  'state-production': [`${project}/production/state`, (page) => type(page, '"maxPartySize": 6', '"maxPartySize": 8')],
  'review-production': [
    `${project}/production/state`,
    async (page) => {
      await type(page, '"maxPartySize": 6', '"maxPartySize": 8');
      await page.click('.page-actions .primary');
      await page.waitForSelector('.change-list');
    },
  ],
  'promote-question': [
    `${project}/environments?from=staging&to=production`,
    async (page) => {
      await page.waitForSelector('.promotion .diff-toggle');
      await page.check('.part-all input');
      await page.click('.promote-end .primary');
    },
  ],
  'promote-scheduled': [
    `${project}/environments?from=staging&to=production`,
    async (page) => {
      await page.waitForSelector('.promotion .diff-toggle');
      await page.check('.part-all input');
      await page.click('.promote-end .primary');
      await page.click('.save-way label >> nth=2');
      await page.waitForSelector('.times-fields');
    },
  ],
};

/** The dialog about a change by somebody else, which also undoes an earlier one. */
export const conflictPage = (server: TestServer, { developer, slug }: Studio): Pictured => [
  `${project}/development/state`,
  async (page) => {
    const path = `/v1/${developer.accountId}/projects/${slug}/public-state/development`;
    const write = async (value: number) => {
      const { headers: read } = await server.call('GET', path, { headers: developer.bearer });
      const headers = { ...developer.bearer, 'If-Match': String(read.etag) };
      await server.call('PATCH', path, {
        headers,
        body: { ops: [{ op: 'replace', path: '/limits/maxPartySize', value }] },
      });
    };
    await page.waitForSelector('.cm-content');
    await write(12);
    await page.locator('.cm-line', { hasText: '"maxPartySize": 12' }).waitFor();
    await type(page, '"maxPartySize": 12', '"maxPartySize": 8');
    await write(6);
    await page.click('.page-actions .primary');
    await page.click('.save-form .primary');
    await page.waitForSelector('.conflicts');
  },
];
