/** The filters of the audit trail, which the address keeps. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Developer } from '../support/server.ts';
import { type ConsoleWorld, openConsoleWorld } from './world.ts';

let world: ConsoleWorld;
let developer: Developer;
beforeAll(async () => {
  world = await openConsoleWorld();
  developer = await world.server.newDeveloper('Lanternfish Games');
  const projects = `/v1/${developer.accountId}/projects`;
  const post = (path: string, body: object) => world.server.call('POST', path, { headers: developer.bearer, body });
  for (const [slug, name] of Object.entries({ sea: 'Sea', 'sea-of-glass': 'Sea of Glass' })) {
    await post(projects, { slug, name });
    await post(`${projects}/${slug}/api-keys`, { name: `Server of ${name}` });
  }
});
afterAll(() => world.stop());

const done = (page: Page) => page.locator('.audit-done');
const searchOf = (page: Page) =>
  [...new URL(page.url()).searchParams]
    .map((pair) => pair.join('='))
    .sort()
    .join('&');
const isoDay = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

it('is filtered by project and day, also in its export, and after a reload', async () => {
  const page = await world.signedIn(developer, '/audit', { timezoneId: 'UTC' });
  await expect.poll(() => done(page).count()).toBe(4);
  await page.getByLabel('Project', { exact: true }).selectOption('Sea');
  await expect.poll(() => done(page).count()).toBe(2);
  expect((await done(page).allInnerTexts()).join()).not.toContain('Glass');
  await page.getByLabel('Action').selectOption('Created an API key');
  await expect.poll(() => done(page).count()).toBe(1);
  await page.getByLabel('Time').selectOption('Last 7 days');
  expect(searchOf(page)).toBe('action=api_key.create&last=7d&project=sea');
  await page.reload();
  await expect.poll(() => done(page).count()).toBe(1);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
  expect(lines.map((line) => JSON.parse(line).detail.name.to)).toEqual(['Server of Sea']);

  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => done(page).count()).toBe(4);
  expect(searchOf(page)).toBe('');
  await page.context().close();
});

it('shows the records from one day to another', async () => {
  const page = await world.signedIn(developer, `/audit?from=${isoDay(-9)}&to=${isoDay(-2)}`, { timezoneId: 'UTC' });
  await page.getByText('No record matches these filters.').waitFor();
  const from = page.getByLabel('From', { exact: true });
  const to = page.getByLabel('To', { exact: true });
  await to.fill('2');
  expect([await to.inputValue(), searchOf(page)]).toEqual(['2', `from=${isoDay(-9)}&to=${isoDay(-2)}`]);
  await to.fill(isoDay(0));
  await to.press('Enter');
  await expect.poll(() => done(page).count()).toBe(4);
  await from.fill(isoDay(0));
  await from.blur();
  await expect.poll(() => searchOf(page)).toBe(`from=${isoDay(0)}&to=${isoDay(0)}`);
  await expect.poll(() => done(page).count()).toBe(4);
  await page.context().close();
});

it('reads on until enough records match, and says how far it has searched', async () => {
  const page = await world.signedIn(developer, '/usage');
  let asked = 0;
  await page.route(/\/v1\/[^/]+\/audit\b/, async (route) => {
    const at = new Date(Date.now() - ++asked * 86_400_000).toISOString();
    const answer = await route.fetch({
      url: route
        .request()
        .url()
        .replace(/cursor=[^&]*/, ''),
    });
    const items = (await answer.json()).items.map((item: object, index: number) => ({
      ...item,
      at,
      id: `${asked}-${index}`,
    }));
    await route.fulfill({ json: { items, cursor: 'more', hasMore: true } });
  });
  await page.goto(`${world.server.baseUrl}/console/audit?project=none`);
  await page.getByText(/^Searched back to /).waitFor();
  expect(asked).toBe(10);
  await page.getByRole('button', { name: 'Search further back' }).click();
  await expect.poll(() => asked).toBe(20);
  await page.goto(`${world.server.baseUrl}/console/audit?project=sea`);
  await expect.poll(() => done(page).count()).toBe(20);
  expect(asked).toBe(30);
  await page.context().close();
});
