/** Everyday tasks of people who do not write JSON, from the first screen, with the data of a live game. */
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { toast } from './editor.ts';
import { type Person, personAt } from './keystroke-model.ts';
import { openLargeStudio } from './large-studio.ts';
import type { Studio } from './studio.ts';
import { type ConsoleWorld, openConsoleWorld } from './world.ts';

let world: ConsoleWorld;
let studio: Studio;
let person: Person;
beforeAll(async () => {
  world = await openConsoleWorld();
  studio = await openLargeStudio(world.server);
});
afterAll(() => world.stop());
beforeEach(async () => {
  const page = await world.signedIn(studio.developer);
  await page.evaluate(`localStorage.removeItem('holdfast.view')`);
  person = personAt(page);
});
/** Nothing of the task was JSON. */
afterEach(async () => {
  expect(await person.page.locator('.form-view .mono:focus, .workbench[data-view="json"]').count()).toBe(0);
  await person.page.context().close();
});

interface Document {
  readonly limits: { readonly dailyGifts: number; readonly maxPartySize: number };
  readonly shop: {
    readonly items: readonly { readonly id: string; readonly price: number; readonly stock: number | null }[];
  };
  readonly texts: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly quests: readonly { readonly id: string; readonly reward: { readonly gold: number } }[];
  readonly flags: Readonly<Record<string, object>>;
  readonly features: Readonly<Record<string, boolean>>;
}

const pathOf = (env: string) => `/v1/${studio.developer.accountId}/projects/${studio.slug}/public-state/${env}`;
const { call } = { call: (path: string) => world.server.call('GET', path, { headers: studio.developer.bearer }) };
const stored = async (env = 'development') =>
  (await call(pathOf(env))).json as { readonly version: number; readonly comment: string | null; readonly state: Document };

/** Opens a page of the project from its card on the first screen. */
const open = (name: string) =>
  person.click(person.page.getByRole('navigation', { name: 'Sea of Glass' }).getByRole('link', { name }));
const button = (name: string | RegExp): Locator =>
  person.page.getByRole('button', { name, exact: typeof name === 'string' });
const inDialog = (name: string | RegExp): Locator =>
  person.page.getByRole('dialog').getByRole('button', { name, exact: typeof name === 'string' });
const part = (name: string): Locator =>
  person.page.getByRole('navigation', { name: 'Parts of the configuration' }).getByRole('button', { name });
const field = (name: string): Locator => person.page.getByRole('textbox', { name, exact: true });

async function reviewAndSave(comment?: string): Promise<void> {
  await person.press('Control+s');
  await person.page.locator('.dialog').getByLabel('Comment').and(person.page.locator(':focus')).waitFor();
  if (comment !== undefined) await person.type(comment);
  await person.enter();
  await toast(person.page, 'saved');
}

/** Opens a part of the configuration by its name. */
async function goToPart(name: string): Promise<void> {
  await person.page.locator('.form-view').waitFor();
  await person.press('Control+f');
  await person.type(name);
  await person.page.locator('.form-found button').first().waitFor();
  await person.enter();
}

/** Bounds of the model, so that a longer way through the console fails. */
function expectWithin(seconds: number, steps: number): void {
  expect(person.steps).toBeLessThanOrEqual(steps);
  expect(person.seconds).toBeLessThanOrEqual(seconds);
}

it('changes a number, with a comment', async () => {
  await open('Configuration');
  await person.click(part('limits'));
  await person.click(field('Daily gifts'));
  await person.type('4');
  await reviewAndSave('More gifts');
  const { state, comment } = await stored();
  expect([state.limits.dailyGifts, comment]).toEqual([4, 'More gifts']);
  expectWithin(20, 6);
});

it('undoes a change of a colleague, and keeps what came later', async () => {
  const before = await stored();
  await person.click(person.page.getByRole('link', { name: 'Sea of Glass' }));
  const change = person.page.locator('.last-changes a, .overview a[href*="version="]').nth(2);
  await person.click(change);
  await person.click(button('Undo this change'));
  await person.page.locator('.dialog .parts').waitFor();
  await person.click(inDialog('Undo this change'));
  await toast(person.page, 'as version');
  const after = await stored();
  expect(after.version).toBe(before.version + 1);
  const changed = after.state.quests.filter(({ reward }, index) => reward.gold !== before.state.quests[index]?.reward.gold);
  expect(changed).toHaveLength(1);
  expect(after.state.limits.dailyGifts).toBe(before.state.limits.dailyGifts);
  expectWithin(20, 4);
});

it('raises a column of several rows by 10 %', async () => {
  const before = await stored();
  await open('Configuration');
  await goToPart('items');
  await person.click(person.page.getByLabel('Filter rows'));
  await person.type('bow');
  await person.enter();
  await person.page.locator('.bulk-value input:focus').waitFor();
  await person.type('+10%');
  await person.enter();
  await toast(person.page, '13 cells changed');
  await reviewAndSave();
  const { state } = await stored();
  const raised = state.shop.items.filter(({ price }, index) => price !== before.state.shop.items[index]?.price);
  expect(raised).toHaveLength(13);
  expect(raised.every(({ id }) => id.includes('bow'))).toBe(true);
  expectWithin(20, 6);
});

it('pastes rows from a spreadsheet', async () => {
  await open('Configuration');
  await goToPart('items');
  await person.click(person.page.locator('[data-cell="0:1"]'));
  await person.paste('130\n440\n18\n');
  await toast(person.page, '3 cells changed');
  await reviewAndSave();
  const { shop } = (await stored()).state;
  expect(shop.items.slice(0, 3).map(({ price }) => price)).toEqual([130, 440, 18]);
  expectWithin(20, 6);
});

it('imports rows from a CSV file, after a look at what they change', async () => {
  await open('Configuration');
  await goToPart('items');
  const [chooser] = await Promise.all([person.page.waitForEvent('filechooser'), person.click(button('Import CSV'))]);
  const buffer = Buffer.from('id,price\nsword_iron,125\nrope_hemp,35\n');
  await chooser.setFiles({ name: 'items.csv', mimeType: 'text/csv', buffer });
  // In the window of the operating system: the file, twice.
  await person.page.getByText('Changed cells: 1, new rows: 1.').waitFor();
  await person.click(inDialog('Import'));
  await reviewAndSave();
  const { items } = (await stored()).state.shop;
  expect(items.find(({ id }) => id === 'sword_iron')?.price).toBe(125);
  expect(items.find(({ id }) => id === 'rope_hemp')?.price).toBe(35);
  expectWithin(20 - 1.35 - 2 * 1.1, 7);
});

it('fills in a translation', async () => {
  await open('Configuration');
  await person.click(part('texts'));
  await person.click(person.page.getByRole('textbox', { name: 'menu_harbour, de' }));
  await person.type('Hafen');
  await reviewAndSave();
  expect((await stored()).state.texts.de?.menu_harbour).toBe('Hafen');
  expectWithin(20, 5);
});

it('adds a flag for 10 % of a country', async () => {
  await open('Flags');
  await person.click(button('New flag'));
  await person.type('winter-sale');
  await person.click(person.page.getByText('Rollout', { exact: true }));
  await person.click(person.page.getByLabel('Only for players with an attribute'));
  await person.click(person.page.getByRole('dialog').getByLabel('Value'));
  await person.type('DE');
  await person.enter();
  await person.page.getByRole('heading', { name: 'winter-sale' }).waitFor();
  await reviewAndSave();
  expect((await stored()).state.flags['winter-sale']).toMatchObject({
    targeting: {
      if: [
        { '==': [{ var: 'country' }, 'DE'] },
        {
          fractional: [
            ['on', 10],
            ['off', 90],
          ],
        },
      ],
    },
  });
  expectWithin(30, 10);
});

it('blocks a player', async () => {
  await open('Players');
  await person.page.getByRole('searchbox').and(person.page.locator(':focus')).waitFor();
  await person.type('jemison.3@');
  await person.page.getByText('1 player', { exact: true }).waitFor();
  await person.enter();
  await person.click(button('Block player'));
  await person.type('Cheating');
  await person.enter();
  await person.page.getByText('Blocked since').waitFor();
  expectWithin(20, 5);
});

it('gives gold to a player, with a reason', async () => {
  await open('Players');
  await person.page.getByRole('searchbox').and(person.page.locator(':focus')).waitFor();
  await person.type('jemison.3@');
  await person.enter();
  await person.click(button('Give to Gold'));
  await person.page.getByRole('dialog').getByLabel('Amount').and(person.page.locator(':focus')).waitFor();
  await person.type('500');
  await person.enter();
  await person.page.getByRole('dialog').getByLabel('Reason').and(person.page.locator(':focus')).waitFor();
  await person.type('Ticket 4127');
  await person.enter();
  await toast(person.page, 'The save is now at version 2');
  expectWithin(20, 5);
});

it('finds who changed a value, and when', async () => {
  await open('Configuration');
  await person.click(part('limits'));
  await person.click(button('Changes of Inventory slots'));
  const versions = person.page.locator('.versions');
  await versions.getByText(/^\d+ changes? found · \d+ of \d+ versions searched$/).waitFor();
  const [found] = await versions.locator('.version').all();
  expect(await found?.innerText()).toMatch(/Version 103 · Mae Jemison · /);
  expectWithin(20, 3);
});

it('promotes staging to production', async () => {
  await open('Releases');
  await person.click(
    person.page
      .locator('.environment-card')
      .nth(1)
      .getByText(/Production/),
  );
  await person.page.locator('.promotion .diff-toggle').first().waitFor();
  await person.click(person.page.getByRole('checkbox', { name: 'Changes to promote' }));
  await person.click(button(/Promote \d+ changes to Production/));
  await person.click(inDialog(/^Promote/));
  await toast(person.page, 'Production');
  expect((await stored('production')).state).toEqual((await stored('staging')).state);
  expectWithin(20, 5);
});
