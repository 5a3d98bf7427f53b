/** Pages about players, access, settings and the account that have a picture, and how each is reached: elements are found in any language. */
import type { Page } from 'playwright-core';
import { type PicturedPages, project } from './document-pages.ts';

/** Chooses an item of the menu of a row. */
const choose = async (page: Page, item: number, row = 0) => {
  await page.click(`td.actions .row-menu >> nth=${row}`);
  await page.click(`.menu-item >> nth=${item}`);
};

/** Opens the webhook at this position. */
const openWebhook = async (page: Page, position: number) => {
  await page.locator('tbody th a').nth(position).click();
  await page.waitForSelector('.webhook-deliveries td');
};

/** Opens the navigation where a button does, in a narrow window. */
const openDrawer = async (page: Page) => {
  const button = page.locator('.topbar .button').first();
  if (!(await button.isVisible())) return;
  await button.click();
  await page.waitForSelector('.drawer nav');
};

/** Opens the menu of a button in the navigation. */
const openMenu = async (page: Page, button: string) => {
  await openDrawer(page);
  await page.locator(button).filter({ visible: true }).click();
  await page.waitForSelector('.menu');
};

export const otherPages: PicturedPages = {
  provider: [`${project}/sign-in`, (page) => page.click('.method >> nth=2 >> .button')],
  'provider-other': [`${project}/sign-in`, (page) => page.click('.checks > .button')],
  players: [`${project}/development/players`],
  player: [`${project}/development/players/usr_7fK2mQ9xT4bL0cVn3RzYpW`],
  give: [
    `${project}/development/players/usr_7fK2mQ9xT4bL0cVn3RzYpW`,
    async (page) => {
      await page.click('.player-actions button >> nth=1');
      await page.selectOption('.dialog select', { index: 1 });
      await page.fill('.dialog form input >> nth=0', '5');
      await page.waitForSelector('.dialog .change-list');
    },
  ],
  'change-save-form': [
    `${project}/development/players/usr_7fK2mQ9xT4bL0cVn3RzYpW`,
    async (page) => {
      await page.click('.player-actions button >> nth=0');
      await page.click('.dialog .segments label >> nth=0');
      await page.waitForSelector('.dialog .form-field');
    },
  ],
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
  webhooks: [`${project}/webhooks`],
  'new-webhook': [`${project}/webhooks`, (page) => page.click('.page-actions .primary')],
  webhook: [`${project}/webhooks`, (page) => openWebhook(page, -1)],
  'webhook-failing': [`${project}/webhooks`, (page) => openWebhook(page, 0)],
  'webhook-delivery': [
    `${project}/webhooks`,
    async (page) => {
      await openWebhook(page, -1);
      await page.click('.webhook-deliveries tbody button');
    },
  ],
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
      await page.click('.save-bar .danger');
    },
  ],
  usage: ['/usage'],
  account: ['/account'],
  team: ['/team'],
  'service-accounts': ['/service-accounts'],
  audit: ['/audit'],
  invite: ['/team?invite=true'],
  'invite-limited': [
    '/team?invite=true',
    async (page) => {
      await page.click('.dialog .choice >> nth=1');
      await page.click('.dialog input[type=checkbox] >> nth=-1');
    },
  ],
  'change-member': ['/team', (page) => choose(page, 0, 1)],
  'remove-member': ['/team', (page) => choose(page, 1, 1)],
  'only-owner': ['/team', (page) => page.click('td.actions .row-menu >> nth=0')],
  'new-service-account': ['/service-accounts?create=true'],
  'service-account-secrets': ['/service-accounts', (page) => choose(page, 0)],
  'audit-none': ['/audit?action=player.delete'],
  'history-filtered': [
    `${project}/development/history`,
    async (page) => {
      await page.click('.history-filter > .button');
      await page.fill('.history-choices .path-field', 'limits › maxPartySize');
      await page.press('.history-choices .path-field', 'Enter');
      await page.waitForTimeout(1_200);
    },
  ],
  'save-history': [`${project}/production/players/usr_7fK2mQ9xT4bL0cVn3RzYpW/history`],
  'change-save': [
    `${project}/development/players/usr_7fK2mQ9xT4bL0cVn3RzYpW`,
    (page) => page.click('.player-actions button >> nth=0'),
  ],
  'block-player': [
    `${project}/development/players/usr_7fK2mQ9xT4bL0cVn3RzYpW`,
    (page) => page.click('.access-row .button >> nth=1'),
  ],
  'revoke-key': [`${project}/keys`, (page) => choose(page, 0)],
  'delete-project': [`${project}/settings`, (page) => page.click('.danger-zone .danger')],
  'account-menu': ['/usage', (page) => openMenu(page, '.account-button')],
  'preferences-menu': ['/usage', (page) => openMenu(page, '.preferences-button')],
  toast: [
    `${project}/settings`,
    async (page) => {
      await page.click('[role=switch]');
      await page.waitForSelector('.toast');
    },
  ],
  drawer: [`${project}/keys`, (page) => openDrawer(page)],
  palette: [`${project}/development/history`, (page) => page.keyboard.press('Control+k')],
  menu: [`${project}/keys`, (page) => openMenu(page, '.project-button')],
  'not-found': ['/p/nothing/development/state'],
};
