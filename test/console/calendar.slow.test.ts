/** The calendar of a project: lanes over time, periods, filters, and the lists of narrow windows. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { planChanges } from './planned-changes.ts';
import { openStudio, type Studio } from './studio.ts';
import { type ConsoleWorld, openConsoleWorld } from './world.ts';

let world: ConsoleWorld;
let studio: Studio;
beforeAll(async () => {
  world = await openConsoleWorld();
  studio = await openStudio(world.server);
  await planChanges(world.server, studio);
});
afterAll(() => world.stop());

const openCalendar = (query = '', options = {}): Promise<Page> =>
  world.signedIn(studio.developer, `/p/${studio.slug}/calendar${query}`, { timezoneId: 'Europe/Berlin', ...options });
const span = (page: Page, name: string) => page.locator('.calendar-span', { hasText: name });
const searchOf = (page: Page) =>
  [...new URL(page.url()).searchParams]
    .map((pair) => pair.join('='))
    .sort()
    .join('&');

it('draws changes in the lane of their environment, as long as they last, with those that overlap below each other', async () => {
  const page = await openCalendar();
  await span(page, 'Larger parties for two days').waitFor();
  await page.getByText('All times in your time zone, Europe/Berlin.').waitFor();
  expect(await page.locator('.calendar-lane h3').allInnerTexts()).toEqual(['Development', 'Staging', 'Production']);
  const inForce = span(page, 'Half off the first purchase');
  expect(await inForce.innerText()).toMatch(/Applied until .+ · /);
  const box = async (name: string) => {
    const [text, bar] = await Promise.all([
      span(page, name).boundingBox(),
      span(page, name).locator('.calendar-bar').boundingBox(),
    ]);
    return { text: text ?? expect.fail(), bar: bar ?? expect.fail() };
  };
  const [two, nine] = [await box('Larger parties for two days'), await box('Half price for nine days')];
  expect(nine.bar.x).toBeGreaterThan(two.bar.x);
  expect(nine.bar.width / two.bar.width).toBeCloseTo(4.5, 0);
  expect(nine.text.y).toBeGreaterThanOrEqual(two.text.y + two.text.height);
  const now = (await page.locator('.calendar-now').boundingBox()) ?? expect.fail();
  expect(two.bar.x).toBeGreaterThan(now.x);

  // A key opens the change that has the focus.
  await span(page, 'Larger parties for two days').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Larger parties for two days' }).waitFor();
  await page.context().close();
});

it('has its period and filters in its address', async () => {
  const page = await openCalendar();
  await span(page, 'Larger parties').waitFor();
  const range = await page.locator('.calendar-range').innerText();
  await page.getByRole('button', { name: 'Next month' }).click();
  await expect.poll(() => page.locator('.calendar-range').innerText()).not.toBe(range);
  expect(searchOf(page)).toMatch(/^from=\d{4}-\d\d-\d\d$/);
  await page.getByRole('button', { name: 'Next month' }).click();
  await page
    .locator('.calendar-outside', { hasText: /\d earlier changes/ })
    .getByText('Larger parties')
    .waitFor();
  await page.getByRole('button', { name: 'Today' }).click();
  await expect.poll(() => page.locator('.calendar-range').innerText()).toBe(range);

  await page.locator('.segments label', { hasText: 'Week' }).click();
  await page
    .locator('.calendar-outside', { hasText: /\d later changes/ })
    .getByText('Parties of eight')
    .waitFor();
  expect(await page.locator('.calendar-days i').count()).toBe(7);
  await page.getByLabel('Environment').selectOption('Production');
  await page.getByText('No changes in this period.').waitFor();
  expect(await page.locator('.calendar-lane h3').allInnerTexts()).toEqual(['Production']);
  await page.getByLabel('State').selectOption('Running');
  await page.locator('.calendar-outside').waitFor({ state: 'detached' });
  expect(searchOf(page)).toBe('by=week&env=production&state=active');
  await page.getByLabel('Environment').selectOption('All environments');
  await span(page, 'Half off the first purchase').waitFor();
  await page.reload();
  await span(page, 'Half off the first purchase').waitFor();
  expect(await page.locator('.calendar-span').count()).toBe(1);
  await page.context().close();
});

it('is a list by day in a narrow window', async () => {
  const page = await openCalendar('', { viewport: { width: 360, height: 740 } });
  const event = page.locator('.calendar-event', { hasText: 'Larger parties for two days' });
  await event.getByText('Scheduled').waitFor();
  await event.getByText('Development').waitFor();
  expect(await page.locator('.calendar-lanes').count()).toBe(0);
  await page.setViewportSize({ width: 1280, height: 800 });
  await span(page, 'Larger parties').waitFor();
  await page.context().close();
});
