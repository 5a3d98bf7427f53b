/** The history in the console, in a real browser against a real server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEditor, stateOf, stored, toast, typeDocument } from './editor.ts';
import { type ConsoleWorld, openConsoleWorld, writeVersions } from './world.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.stop());

describe('the history', () => {
  it('compares any two versions, and restores one as a new version with a comment', async () => {
    const { project, developer, page } = await openEditor(world, { a: 1 });
    await writeVersions(world.server, stateOf(project), developer.bearer, [
      [{ a: 2 }, 'Two'],
      [{ a: 3 }, 'Three'],
    ]);
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/development/history`);
    await page.getByRole('button', { name: /Version 1/ }).click();
    await page.getByRole('button', { name: /^Go back to version/ }).click();
    await page.locator('.dialog .parts').waitFor();
    expect(await page.getByLabel('Comment').inputValue()).toBe('Restored version 1');
    await page
      .locator('.dialog')
      .getByRole('button', { name: /^Go back to version/ })
      .click();
    await toast(page, 'Restored as version 4');
    expect(await stored(world, project)).toMatch(/"version":4,"state":\{"a":1\}/);
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/development/history?version=3&from=1`);
    await page.getByRole('button', { name: 'Show as JSON' }).click();
    await page.locator('.comparison .cm-line', { hasText: '"a": 3' }).first().waitFor();
    await page.locator('.comparison .cm-line, .comparison .cm-deletedChunk', { hasText: '"a": 1' }).first().waitFor();
    await page.context().close();
  });
});

describe('the history beside the configuration', () => {
  it('leaves it at least half of a wide window, and usable; a narrow one is covered', async () => {
    const { project, page } = await openEditor(world, { a: 1 });
    await page.setViewportSize({ width: 1440, height: 900 });
    const link = page.getByRole('link', { name: 'History' });
    await link.click();
    const drawer = page.getByRole('complementary', { name: 'History' });
    await drawer.getByRole('heading', { name: 'Version 1' }).waitFor();
    const configuration = await page.locator('.editor-page').boundingBox();
    expect(configuration?.width).toBeGreaterThanOrEqual(720);
    await typeDocument(page, '{"a":2}');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByLabel('Comment').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await drawer.getByRole('button', { name: /Version 2/ }).waitFor();
    expect(await stored(world, project)).toContain('"a":2');
    await drawer.getByRole('button', { name: /Version 1/ }).click();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 999, height: 900 });
    await link.click();
    await page.getByRole('dialog', { name: 'History' }).getByRole('heading', { name: 'Version 2' }).waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    const [close, undo] = ['Close', 'Undo this change'].map((name) => page.getByRole('button', { name }));
    expect((await undo?.boundingBox())?.height).toBe((await close?.boundingBox())?.height); // one line
    await page.context().close();
  });
});

describe('the versions in the history', () => {
  it('have their differences below them, and scroll as one', async () => {
    const { project, developer, page } = await openEditor(world, { a: 0 });
    const versions = Array.from({ length: 30 }, (_, index) => [{ a: index + 1 }, `Change ${index}`] as const);
    await writeVersions(world.server, stateOf(project), developer.bearer, versions);
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/development/history?version=20`);
    const row = (version: number) => page.locator('.timeline > ol > li').nth(31 - version);
    const changes = (version: number) => row(version).locator('.change-list');
    await changes(20).waitFor();
    await row(20).getByRole('button', { name: 'Show as JSON' }).click();
    await row(20).locator('.cm-line', { hasText: '"a": 19' }).waitFor();
    const scrolling = `[...document.querySelectorAll('.side-drawer, .side-drawer *')]
      .filter((element) => /auto|scroll/.test(getComputedStyle(element).overflowY))
      .filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight).map(({ tagName }) => tagName).join()`;
    expect(await page.evaluate(scrolling)).toBe('ASIDE');
    await row(20).getByRole('button', { name: 'Undo this change' }).waitFor();
    await row(19).locator('.version').click();
    await changes(19).locator('ins', { hasText: '18' }).waitFor();
    expect(await changes(20).count()).toBe(0);
    await page.keyboard.press('ArrowUp');
    await row(20).locator('.version:focus').waitFor();
    await changes(20).waitFor();
    await page.keyboard.press('Enter');
    await changes(20).waitFor({ state: 'detached' });
    await page.context().close();
  });
});

describe('a version without a comment', () => {
  it('says what it changed, at the cost of one document for all', async () => {
    const items = (price: number) => [{ id: 'bow', basePrice: price }];
    const { project, developer, page } = await openEditor(world, { items: items(3), motd: 'Calm' });
    await writeVersions(world.server, stateOf(project), developer.bearer, [
      [{ items: items(4), motd: 'Calm' }, null],
      [{ items: items(5), motd: 'Storms at sea', on: true }, null],
      [{ items: items(5), motd: 'Storms', on: true }, null],
      [{ items: items(5), motd: 'Storms', on: false }, 'Off again'],
    ]);
    const read: string[] = [];
    page.on('request', (request) => read.push(new URL(request.url()).pathname));
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/development/overview`);
    const changes = page.locator('.overview-list a[href*="version="]');
    await changes.filter({ hasText: '3→becomes4' }).waitFor();
    expect(await changes.allInnerTexts()).toEqual([
      'Off again',
      expect.stringMatching(/^MOTD Storms at sea\s*→\s*becomes\s*Storms$/),
      expect.stringMatching(/^bow › Base price 4\s*→\s*becomes\s*5 and 2 more$/),
      expect.stringMatching(/^bow › Base price 3\s*→\s*becomes\s*4$/),
    ]);
    expect(read.filter((path) => /\/versions\/\d+$/.test(path)).length).toBe(1);
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/development/history`);
    await page.locator('.version-comment', { hasText: 'bow › Base price 3' }).waitFor();
    await page.locator('.version-comment', { hasText: 'First version' }).waitFor();
    await page.context().close();
  });
});

describe('a change', () => {
  it('is taken back value by value, and keeps what changed since', async () => {
    const { project, developer, page } = await openEditor(world, { gold: 100, inventory: ['sword', 'shield'], level: 3 });
    await writeVersions(world.server, stateOf(project), developer.bearer, [
      [{ gold: 50, inventory: ['shield'], level: 3 }, 'Sold'],
      [{ gold: 1050, inventory: ['shield', 'potion'], level: 9 }, 'Found'],
    ]);
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/development/history?version=2`);
    await page.getByRole('button', { name: 'Undo this change' }).click();
    const dialog = page.locator('.dialog');
    await dialog.getByText('2 values have changed again since').waitFor();
    await dialog.getByRole('button', { name: 'Undo 1 change' }).waitFor();
    await dialog.locator('.save-form [type=submit]:enabled').click();
    await toast(page, 'Restored as version 4');
    expect(await stored(world, project)).toContain('{"gold":1050,"inventory":["sword","shield","potion"],"level":9}');
    await page.context().close();
  });

  it('is taken back on a phone in one screen, with its JSON when asked', async () => {
    const { project, developer, page } = await openEditor(world, { gold: 100 });
    await writeVersions(world.server, stateOf(project), developer.bearer, [[{ gold: 50 }, 'Sold']]);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/development/history?version=2`);
    await page.getByRole('button', { name: 'Undo this change' }).click();
    const dialog = page.locator('.dialog');
    await dialog.locator('.part', { hasText: 'gold' }).getByText('100').waitFor();
    const save = await dialog.locator('.save-form [type=submit]:enabled').boundingBox();
    expect((save?.y ?? 740) + (save?.height ?? 0)).toBeLessThan(740);
    await dialog.getByRole('button', { name: 'Show as JSON' }).click();
    await dialog.locator('.cm-content', { hasText: '"gold": 100' }).waitFor();
    await page.context().close();
  });
});

describe('the search for the last change to a field', () => {
  it('finds all, with their values, and can be stopped', async () => {
    const { project, developer, page } = await openEditor(world, { limits: { party: 4 }, count: 0 });
    const versions = Array.from(
      { length: 60 },
      (_, index) => [{ limits: { party: index < 2 ? 5 : 6 }, count: index + 1 }, null] as const,
    );
    await writeVersions(world.server, stateOf(project), developer.bearer, versions);
    const read: string[] = [];
    page.on('request', (request) => read.push(new URL(request.url()).pathname));
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/development/history`);
    await page.locator('.comparison .change-list').first().waitFor();
    read.length = 0;
    const documents = () => read.filter((path) => /\/versions\/\d+$/.test(path));
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel(/^Changes to a field/).fill('count');
    await page.getByText('61 changes found · 61 of 61 versions searched').waitFor();
    expect(documents().length, documents().join()).toBeLessThanOrEqual(12);
    await page.getByLabel(/^Changes to a field/).fill('Limits › Party');
    await page.getByText('3 changes found · 61 of 61 versions searched').waitFor();
    const rows = page.locator('.version');
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringMatching(/^5\s*→\s*(?:becomes\s*)?6\b[\s\S]*Version 4/),
      expect.stringMatching(/^4\s*→\s*(?:becomes\s*)?5\b[\s\S]*Version 2/),
      expect.stringMatching(/4[\s\S]*Version 1/),
    ]);
    await page.getByRole('heading', { name: 'Version 4' }).waitFor();
    const undo = page.getByRole('button', { name: 'Undo this change' });
    await undo.waitFor();
    await page.getByLabel(/^Changes to a field/).fill('nothing');
    await page.getByText('No version changed this field.').waitFor();
    // What the filter does not leave is not there to be undone either.
    expect([await undo.count(), await page.locator('.comparison .skeleton').count()]).toEqual([0, 0]);
    await page.route(/\/versions\/\d+$/, () => undefined); // no response
    await page.getByLabel(/^Changes to a field/).fill('limits');
    await page.getByText('No changes found · 50 of 61 versions searched').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.unroute(/\/versions\/\d+$/);
    await page.getByRole('button', { name: 'Search older versions' }).click();
    await page.getByText('3 changes found · 61 of 61 versions searched').waitFor();
    await page.context().close();
  });
});
