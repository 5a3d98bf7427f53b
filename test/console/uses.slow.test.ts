/** Tasks in the console other than editing, in a real browser against a real server. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endWithThis, outputOf } from '../../tooling/child-processes.ts';
import { until } from '../../tooling/until.ts';
import { draftCount, openEditor, stateOf, stored, toast, typeDocument, typeInto } from './editor.ts';
import { type ConsoleWorld, openConsoleWorld, writeVersions } from './world.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.stop());

/** Runs a program with its command in an empty folder, until it has printed a text and a guest's id. */
async function runProgram(program: string, command: string, text: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-program-'));
  writeFileSync(join(folder, 'game.mjs'), program);
  const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };
  const running = endWithThis(spawn('bash', ['-c', command], { cwd: folder, env, detached: true }));
  const output = outputOf(running);
  const isDone = () => output().includes(text) && /guest_\w+ 1\n/.test(output());
  await until(isDone, { withinMilliseconds: 60_000, otherwise: () => `the program printed ${output()}` });
  if (running.pid !== undefined) process.kill(-running.pid);
  rmSync(folder, { recursive: true });
}

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

describe('the keys and marks of the editor', () => {
  it('find, review and save from anywhere, and show what is easily missed', async () => {
    const flag = { state: 'ENABLED', variants: { on: true }, defaultVariant: 'on' };
    const rows = Array.from({ length: 200 }, (_, index) => ({ id: `row_${index}`, n: index }));
    const { project, page } = await openEditor(world, { rows, flags: { storm: flag } });
    await page.locator('.cm-content').waitFor();
    await page.getByRole('heading', { name: 'Configuration' }).focus();
    await page.keyboard.press('ControlOrMeta+f');
    await page.locator('.cm-search input:focus').waitFor();
    await page.keyboard.type('"row_19');
    await page.keyboard.press('Enter');
    await page.locator('.cm-count', { hasText: '1 of 11' }).waitFor();
    await page.keyboard.press('Escape');
    await typeDocument(page, '{"a":1,"a":"x\u202ey","flags":{}}');
    await page.locator('.cm-specialChar').waitFor();
    await page.locator('.cm-lintRange-warning').waitFor();
    await page.getByRole('heading', { name: 'Configuration' }).focus();
    await page.keyboard.press('ControlOrMeta+s');
    await page.locator('.dialog .change-list').getByText('Flag storm is removed').waitFor();
    await page.locator('.dialog').getByRole('button', { name: 'Show as JSON' }).click();
    await page.locator('.dialog .cm-content').first().waitFor();
    await page.locator('.dialog .cm-content').first().focus();
    await page.keyboard.press('ControlOrMeta+Enter');
    await toast(page, 'Version 2 saved');
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/development/history?version=1&from=2`);
    await page.locator('.comparison .diff-labels span').first().getByText('Version 1').waitFor();
    await page.context().close();
  });

  it('keep problems that were there before apart from new ones', async () => {
    const { project, developer, page } = await openEditor(world, { old: -1, price: 5 });
    const minimum = { minimum: 0 };
    const body = { mode: 'report', schema: { properties: { old: minimum, price: minimum } }, comment: null };
    const headers = { ...developer.bearer, 'If-None-Match': '*' };
    await world.server.call('PUT', `${project.path}/schemas/development/public-state`, { headers, body });
    await page.reload();
    await typeInto(page, 'main', '{"old":-1,"price":-5}');
    await page.getByText(/^2 problems/).waitFor();
    await page.keyboard.press('ControlOrMeta+s');
    await page.locator('.dialog .notice', { hasText: 'New with your changes' }).getByText('price').waitFor();
    const earlier = page.locator('.dialog details', { hasText: 'One problem was there before' });
    expect(await earlier.getByText('old').isVisible()).toBe(false);
    await earlier.locator('summary').click();
    await earlier.getByText('old').waitFor();
    await page.context().close();
  });
});

describe('a save', () => {
  it('with a lost response counts once when it is repeated', async () => {
    const { project, page } = await openEditor(world, { a: 1 });
    await typeDocument(page, '{"a":2}');
    await page.getByRole('button', { name: 'Review and save' }).click();
    const path = `**${stateOf(project)}`;
    await page.route(path, async (route) => {
      if (route.request().method() === 'GET') return route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The service cannot be reached').waitFor();
    expect(await stored(world, project)).toContain('"version":2');
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await toast(page, 'Version 2 saved');
    expect(await stored(world, project)).toContain('"version":2');
    await page.context().close();
  });

  it('with an error explains it in the reader’s language', async () => {
    const { project, developer, page } = await openEditor(world, { price: 5 });
    await page.evaluate(`localStorage.setItem('holdfast.language', 'de')`);
    await page.reload();
    await page.getByRole('heading', { name: 'Konfiguration' }).waitFor();
    await typeDocument(page, '{"price":0}');
    await page.getByRole('button', { name: 'Prüfen und speichern' }).click();
    await page.locator('.dialog [type=submit]:enabled').waitFor();
    const schema = { mode: 'enforce', schema: { properties: { price: { minimum: 1 } } } };
    const headers = { ...developer.bearer, 'If-None-Match': '*' };
    const put = await world.server.call('PUT', `${project.path}/schemas/development/public-state`, {
      headers,
      body: schema,
    });
    expect(put.status, put.text).toBe(200);
    await page.locator('.dialog [type=submit]').click();
    await page.getByText('Das verstößt gegen eine Regel: price muss mindestens 1 sein').waitFor();
    await page.context().close();
  });
});

describe('the first steps', () => {
  it('lead to a game with the key of the project, which is shown again later, and guests', async () => {
    const { project, developer, page } = await openEditor(world, { title: 'Tides' });
    const connect = `${world.server.baseUrl}/console/p/${project.slug}/connect`;
    await page.goto(connect);
    const snippet = page.locator('pre.snippet');
    await page.getByRole('button', { name: 'Create a key for this snippet' }).click();
    await page.getByText('The key in the snippet is publishable').waitFor();
    await page.getByRole('button', { name: 'Let guests in' }).click();
    await page.getByText('This project does not let guests in yet.').waitFor({ state: 'detached' });
    const program = (await snippet.textContent()) ?? '';
    expect(program).toMatch(/'svcp_\w+',\n {4}\{ environment: 'development'/);
    expect(await snippet.locator('.code-word').allInnerTexts()).toEqual(
      expect.arrayContaining(['import', 'from', 'const']),
    );
    expect(await snippet.locator('.code-comment').first().innerText()).toBe(
      '// The configuration: again after every change.',
    );

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('game.html');
    const file = join(mkdtempSync(join(tmpdir(), 'holdfast-game-')), 'game.html');
    await download.saveAs(file);
    const game = await world.browser.newPage();
    await game.goto(pathToFileURL(file).href);
    await game.locator('#configuration', { hasText: '"title": "Tides"' }).waitFor();
    await game.click('#dig:text-is("Dig (0)")');
    await game.locator('#dig', { hasText: 'Dig (1)' }).waitFor();
    await game.close();
    rmSync(dirname(file), { recursive: true });

    await page.getByText('Node.js', { exact: true }).click();
    await page.getByRole('heading', { name: 'Play from a program' }).waitFor();
    await runProgram((await snippet.textContent()) ?? '', await page.locator('.snippet-command pre').innerText(), 'Tides');
    await page.locator('.segments').getByText('curl', { exact: true }).click();
    await page.getByRole('heading', { name: 'Read the configuration' }).waitFor();

    await page.goto(connect);
    await page.getByText('The key in the snippet is publishable').waitFor();
    expect(await snippet.textContent()).toBe(program);
    const { json } = await world.server.call('GET', `${project.path}/api-keys`, { headers: developer.bearer });
    expect(json).toMatchObject({ items: [{ kind: 'publishable', environments: ['development'] }] });
    await page.context().close();
  });

  it('are the chosen tab in a narrow window, in full', async () => {
    const { project, page } = await openEditor(world, { a: 1 });
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/connect`);
    const tab = await page.locator('.section-tabs [aria-current="page"]').boundingBox();
    expect((tab?.x ?? 0) + (tab?.width ?? 390)).toBeLessThanOrEqual(390);
    await page.context().close();
  });

  it('say why the document beside them cannot be shown', async () => {
    const { project, page } = await openEditor(world, { a: 1 });
    const suspended = { error: 'forbidden', message: 'the account is suspended: ask the operator of the service' };
    await page.route(`**${stateOf(project)}`, (route) => route.fulfill({ status: 403, json: suspended }));
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/connect`);
    await page.getByText('The account is suspended. Contact the operator of this service.').waitFor();
    await page.context().close();
  });
});

describe('the overview', () => {
  it('lists the first steps of a project, and which are done, until it has a configuration and a key', async () => {
    const developer = await world.server.newDeveloper();
    const project = await world.server.newProject(developer);
    const page = await world.signedIn(developer, `/p/${project.slug}/development/overview`);
    const steps = page.locator('.first-steps li');
    await steps.filter({ hasText: 'Save a configuration' }).getByRole('link').waitFor();
    expect(await page.locator('.overview-requests .overview-figures').count()).toBe(0);
    await writeVersions(world.server, stateOf(project), developer.bearer, [[{ a: 1 }, null]]);
    await page.reload();
    await page.locator('.first-steps li[data-done]', { hasText: 'Save a configuration' }).waitFor();
    await page.locator('.overview-requests .overview-figures').waitFor();
    await steps.getByRole('link', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('Game');
    await page.locator('.dialog [type=submit]').click();
    await page.getByRole('button', { name: /copied it/ }).click();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.locator('.overview-requests .overview-figures').waitFor();
    await steps.first().waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('of a project that does not exist is the account’s page that says so', async () => {
    const page = await world.signedIn(await world.server.newDeveloper(), '/p/atlantis/production/environments');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.locator('.project-button', { hasText: 'All projects' }).waitFor();
    expect(await page.getByRole('link', { name: 'Configuration' }).count()).toBe(0);
    await page.context().close();
  });

  it('counts refused requests apart from failed ones', async () => {
    const { project, developer, page } = await openEditor(world, { a: 1 });
    const path = stateOf(project);
    for (let time = 0; time < 3; time++) {
      const headers = { ...developer.bearer, 'If-Match': '"7"' };
      expect((await world.server.call('PUT', path, { headers, body: { state: {} } })).status).toBe(412);
    }
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/development/overview`);
    const today = page.locator('.overview-requests .overview-figures > div').first();
    await today.getByText('3 refused', { exact: true }).waitFor();
    expect(await today.locator('.fault').count()).toBe(0);
    await page.goto(`${world.server.baseUrl}/console/usage?project=${project.slug}`);
    await page.getByText('3 refused (4xx), 0 failed (5xx)').waitFor();
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

describe('environments', () => {
  it('copy chosen parts to another one, guarded by the target’s version', async () => {
    const { project, developer, page } = await openEditor(world, { a: 2, b: 2, long: 'x'.repeat(300) });
    const before = { a: 1, b: 1, long: 'x'.repeat(300) };
    await writeVersions(world.server, stateOf(project, 'staging'), developer.bearer, [[before, null]]);
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/environments?from=development&to=staging`);
    await page.getByRole('checkbox', { name: /^b/ }).uncheck();
    await page.getByRole('button', { name: 'Promote 1 change to Staging' }).click();
    await toast(page, 'Staging is now at version 2');
    expect(await stored(world, project, 'staging')).toContain('"a":2,"b":1');
    await page.getByRole('checkbox', { name: /^b/ }).check();
    await writeVersions(world.server, stateOf(project, 'staging'), developer.bearer, [[{ ...before, a: 9 }, null]]);
    await page.getByRole('button', { name: 'Promote 1 change to Staging' }).click();
    await page.getByText('Somebody changed Staging in the meantime').waitFor();
    expect(await stored(world, project, 'staging')).toContain('"version":3');
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/environments?from=staging&to=production`);
    expect(await page.getByRole('button', { name: 'Promote to Production' }).isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'Changes to promote' }).check();
    await page.getByRole('button', { name: 'Promote 3 changes to Production' }).click();
    await page.getByRole('heading', { name: 'Promote 3 changes to Production?' }).waitFor();
    await page.getByRole('button', { name: 'Promote 3 changes to Production', exact: true }).click();
    await toast(page, 'Production is now at version 1');
    await page.context().close();
  });
});

it('a document is compared with another environment, a proposal and an earlier version, and promoted from each', async () => {
  const { project, developer, page } = await openEditor(world, { price: 1 });
  const headers = developer.bearer;
  await writeVersions(world.server, stateOf(project), headers, [[{ price: 2 }, 'Dearer']]);
  await writeVersions(world.server, stateOf(project, 'staging'), headers, [[{ price: 7 }, null]]);
  const ops = [{ op: 'replace', path: '/price', value: 5 }];
  const body = { baseVersion: 2, ops, comment: 'Festival prices' };
  const proposed = await world.server.call('POST', `${stateOf(project)}/proposals`, { headers, body });
  expect(proposed.status, proposed.text).toBe(201);
  const differences = page.locator('.change-list');
  await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/development/history`);
  await differences.getByText('2', { exact: true }).waitFor();
  const picker = page.getByLabel('Compare with', { exact: true });
  await picker.selectOption('Staging');
  await differences.getByText('7').waitFor();
  await picker.selectOption('Festival prices');
  await differences.getByText('5').waitFor();
  await page.reload();
  await differences.getByText('5').waitFor();
  await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/environments?from=development&to=production`);
  const source = page.getByLabel('From', { exact: true });
  for (const [option, price] of [
    ['Festival prices', 5],
    [/^Version 1 /, 1],
  ] as const) {
    const name = await source.locator('option', { hasText: option }).innerText();
    await source.selectOption(name);
    await page.getByRole('checkbox', { name: 'Changes to promote' }).check();
    await page.getByRole('button', { name: /^Promote/ }).click();
    await page
      .locator('.dialog')
      .getByRole('button', { name: /^Promote/ })
      .click();
    await expect.poll(() => stored(world, project, 'production')).toContain(`"price":${price}`);
  }
  await page.context().close();
});

describe('schemas', () => {
  it('are written with suggestions, and enforced after a scan; the editor marks violations', async () => {
    const { project, developer, page } = await openEditor(world, { price: 0 });
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/development/schemas`);
    await page.getByRole('button', { name: 'Write JSON' }).click();
    await page.locator('.cm-line', { hasText: '"properties": {}' }).click();
    await page.keyboard.press('End');
    await page.keyboard.type(', "requ');
    await page.getByRole('option', { name: /^required/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('price');
    await page.locator('.cm-line', { hasText: '"required": ["price"]' }).waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('{"properties":{"price":{"minimum":"1"}}}');
    await page.getByText(/^1 problem · properties › price › minimum/).waitFor();
    await typeInto(page, 'main', '{"properties":{"price":{"minimum":1}}}');
    await page.locator('.status-good').waitFor();
    await page.getByRole('button', { name: 'Review and save' }).click();
    // While another scan runs in the account, the service refuses this one.
    const refusal = { error: 'limit_reached', message: 'the account has a scan under way already' };
    await page.route('**/check', (route) => route.fulfill({ status: 409, json: refusal }));
    await page.getByRole('radio', { name: /^Block bad changes/ }).check();
    await page.getByText('Another check is running in this account.').waitFor();
    const write = page.locator('.dialog').getByRole('button', { name: 'Save 1 change to Development' });
    expect([await write.isDisabled(), await page.locator('.dialog').getByText(refusal.message).count()]).toEqual([true, 0]);
    await page.getByText('Waiting for the other check.').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByText('The current configuration breaks the rules').waitFor();
    await write.click();
    await toast(page, 'The rules are now at version 1');
    const schema = `${project.path}/schemas/development/public-state`;
    expect((await world.server.call('GET', schema, { headers: developer.bearer })).json).toMatchObject({
      mode: 'enforce',
      schema: { properties: { price: { minimum: 1 } } },
    });
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/development/state`);
    await page.getByText('1 problem · price · must be at least 1').waitFor();
    await page.context().close();
  });

  it('show problems of the document and of writes in words, below one row of tabs', async () => {
    const { project, developer, page } = await openEditor(world, { price: 0 });
    const body = { mode: 'report', schema: { properties: { price: { minimum: 1 } } }, comment: null };
    const headers = { ...developer.bearer, 'If-None-Match': '*' };
    await world.server.call('PUT', `${project.path}/schemas/development/public-state`, { headers, body });
    await world.server.call('PATCH', stateOf(project), {
      headers: { ...developer.bearer, 'If-Match': '"1"' },
      body: { ops: [{ op: 'add', path: '/note', value: 'storm' }] },
    });
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/development/schemas`);
    const tabs = page.getByRole('navigation', { name: 'View' });
    await tabs.getByRole('link', { name: 'Try' }).waitFor();
    expect(await tabs.getByRole('link').allInnerTexts()).toEqual(['Rules', 'JSON', 'Problems', 'Try', 'History']);
    await page.getByRole('row', { name: 'price at least 1' }).waitFor();
    await tabs.getByRole('link', { name: 'Problems' }).click();
    expect(await tabs.locator('[aria-current=page]').allInnerTexts()).toEqual(['Problems']);
    await page.getByText('The current configuration has 1 problem').waitFor();
    const counted = page.locator('section', { hasText: 'Changes that broke a rule since version 1' });
    await expect
      .poll(() => counted.locator('tbody tr').allInnerTexts())
      .toEqual([expect.stringMatching(/price[\s\S]*must be at least 1[\s\S]*1/)]);
    await page.getByText('Saves', { exact: true }).click();
    await page.getByText('Saves in this environment have no rules').waitFor();
    expect(new URL(page.url()).search).toBe('?kind=user-state&view=report');
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/development/schemas?view=report`);
    await page.getByRole('link', { name: 'price' }).first().click();
    const line = page.locator('.cm-activeLine');
    await expect.poll(() => line.allInnerTexts()).toEqual([expect.stringContaining('"price": 0')]);
    await page.context().close();
  });

  it('open with saves if only saves have a schema', async () => {
    const { project, developer, page } = await openEditor(world, {});
    const body = { mode: 'report', schema: { properties: { gold: { minimum: 0 } } } };
    const headers = { ...developer.bearer, 'If-None-Match': '*' };
    const answer = await world.server.call('PUT', `${project.path}/schemas/development/user-state`, { headers, body });
    expect(answer.status, answer.text).toBe(200);
    const schemas = `${world.server.baseUrl}/console/p/${project.slug}/development/schemas`;
    await page.goto(schemas);
    await page.getByRole('radio', { name: 'Saves', checked: true }).waitFor();
    await page.goto(`${schemas}?kind=public-state`);
    await page.getByRole('radio', { name: 'Configuration', checked: true }).waitFor();
    await page.context().close();
  });

  it('are changed, undone with one click, restored from history, and deleted', async () => {
    const { project, developer, page } = await openEditor(world, { price: 5 });
    const schema = `${project.path}/schemas/development/public-state`;
    const put = async (version: number, minimum: number, mode: string) => {
      const condition = version === 0 ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` };
      const body = { mode, schema: { properties: { price: { minimum } } }, comment: `At least ${minimum}` };
      const answer = await world.server.call('PUT', schema, { headers: { ...developer.bearer, ...condition }, body });
      expect(answer.status, answer.text).toBe(200);
    };
    const read = () => world.server.call('GET', schema, { headers: developer.bearer });
    await put(0, 1, 'enforce');
    await put(1, 3, 'report');
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/development/schemas`);
    await page.getByRole('button', { name: 'Start blocking bad changes' }).click();
    await page.getByRole('radio', { name: /^Off/ }).check();
    await page.locator('.dialog').getByRole('button', { name: 'Save 1 change to Development' }).click();
    await page.locator('.toast', { hasText: 'now at version 3' }).getByRole('button', { name: 'Undo' }).click();
    await toast(page, 'Restored the previous content as version 4');
    expect((await read()).json).toMatchObject({ version: 4, mode: 'report', comment: 'Undid version 3' });
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/development/schemas?view=history`);
    await page.getByRole('button', { name: /Version 1 / }).click();
    await page.getByRole('button', { name: /^Go back to version/ }).click();
    await page.locator('.dialog .change-list', { hasText: 'Mode' }).getByText('Block bad changes').waitFor();
    await page.locator('.dialog .change-list', { hasText: 'price' }).getByText('at least 1').waitFor();
    await page.getByText('The current configuration breaks no rule').waitFor();
    expect(await page.locator('.dialog').getByLabel('Comment').inputValue()).toBe('Restored version 1');
    await page
      .locator('.dialog')
      .getByRole('button', { name: /^Go back to version/ })
      .click();
    await toast(page, 'The rules are now at version 5');
    expect((await read()).json).toMatchObject({ mode: 'enforce', schema: { properties: { price: { minimum: 1 } } } });
    await page.getByRole('button', { name: /Version 5 / }).waitFor();
    await page.locator('.view-bar').getByText('JSON', { exact: true }).click();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete the rules' }).click();
    await page.locator('.dialog').getByRole('button', { name: 'Delete the rules' }).click();
    await toast(page, 'Rules deleted');
    expect((await read()).status).toBe(204);
    await page.getByRole('button', { name: 'Write JSON' }).waitFor();
    await page.context().close();
  });
});

describe('keys', () => {
  it('are created, shown once, and revoked', async () => {
    const { project, page } = await openEditor(world, { a: 1 });
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/keys`);
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('Build');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const apiKey = (await page.locator('.secret code').innerText()).trim();
    const read = () => world.server.call('GET', stateOf(project), { headers: { Authorization: `ApiKey ${apiKey}` } });
    expect((await read()).status).toBe(200);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.locator('tr', { hasText: 'Build' }).getByText('Read', { exact: true }).waitFor();
    expect(await page.locator('tr', { hasText: 'Build' }).locator('.environment').allInnerTexts()).toEqual(['Development']);
    await page.getByRole('button', { name: 'Actions: Build' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.locator('.dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await toast(page, 'Key revoked');
    expect((await read()).status).toBe(401);
    expect(await page.content()).not.toContain(apiKey);
    await page.context().close();
  });
});

describe('sign-in settings', () => {
  it('are changed, after a preview', async () => {
    const { project, page } = await openEditor(world);
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/sign-in`);
    await page.getByRole('switch').check();
    await page.getByLabel('Email and password').check();
    await page.getByLabel('Return addresses').fill('https://game.example/done');
    await page.getByLabel('Main color').fill('#7a2e8e');
    const button = `document.querySelector('.login-preview-page').shadowRoot.querySelector('.primary')`;
    const colour = () => page.evaluate(`getComputedStyle(${button}).backgroundColor`);
    await expect.poll(colour).toBe('rgb(122, 46, 142)');
    await expect.poll(() => page.evaluate(draftCount)).toBe(1);
    await page.reload();
    await page.getByText(/^Your unsaved changes from .* are restored/).waitFor();
    await page.getByRole('button', { name: 'Another provider' }).click();
    const copy = page.locator('.callback').getByRole('button', { name: 'Copy' });
    expect(await copy.count()).toBe(0);
    await page.getByLabel('Short name').fill('acme');
    await page.locator('.callback code', { hasText: `/callback/${project.developer.accountId}/oidc.acme` }).waitFor();
    await copy.waitFor();
    await page.getByLabel('Name on the button').fill('Acme');
    await page.getByLabel('Issuer').fill('https://login.acme.invalid');
    await page.getByLabel('Client ID').fill('game');
    await page.keyboard.press('Enter');
    await toast(page, 'Provider saved');
    const preview = `document.querySelector('.login-preview-page').shadowRoot.querySelector('main').innerText`;
    await expect
      .poll(() => page.evaluate(preview))
      .toMatch(/Continue with Acme[\s\S]*Forgot password\?[\s\S]*Create account/);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await toast(page, 'Settings saved');
    const settings = `${project.path}/auth/end-user/config`;
    expect((await world.server.call('GET', settings, { headers: project.developer.bearer })).json).toMatchObject({
      enabled: true,
      allowedIdps: ['password', 'oidc.acme'],
      redirectUris: ['https://game.example/done'],
      primaryColor: '#7a2e8e',
    });
    // An app on this computer asks to return to an address that is not registered.
    const uri = 'http://localhost:5173/signed-in';
    const query = new URLSearchParams({ client_id: `${project.developer.accountId}.${project.slug}`, redirect_uri: uri });
    await world.server.call('GET', `/v1/auth/authorize/context?${query}`);
    await page.reload();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    expect(await page.getByLabel('Return addresses').inputValue()).toBe(`https://game.example/done\n${uri}`);
    await page.getByText('Mail', { exact: true }).click();
    await page.getByLabel('Greeting').fill('Ahoy!');
    const mail = `document.querySelector('.mail-preview [role=img]').shadowRoot.textContent`;
    await expect.poll(() => page.evaluate(mail)).toMatch(/Ahoy![\s\S]*482913/);
    await page.context().close();
  });
});

describe('projects and the account', () => {
  it('are created, renamed, and deleted after typing the slug', async () => {
    const { developer, page } = await openEditor(world);
    await page.goto(`${world.server.baseUrl}/console/`);
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Käpt’n Ølaf');
    expect(await page.getByLabel('Short name in addresses').inputValue()).toBe('kapt-n-laf');
    await page.locator('.dialog code', { hasText: /\/projects\/kapt-n-laf$/ }).waitFor();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForURL(/kapt-n-laf\/connect/);
    await page.goto(`${world.server.baseUrl}/console/p/kapt-n-laf/settings`);
    await page.getByLabel('Name', { exact: true }).fill('Olaf');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await toast(page, 'Saved: Name');
    await page.locator('.sidebar .project-button').click();
    await page
      .locator('.project-menu .palette-item')
      .first()
      .and(page.locator('[aria-current]', { hasText: 'Olaf' }))
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Delete the project' }).click();
    const button = page.locator('.dialog').getByRole('button', { name: 'Delete the project' });
    expect(await button.isDisabled()).toBe(true);
    await page.locator('.dialog input').fill('kapt-n-laf');
    await button.click();
    await toast(page, 'Project deleted');
    const projects = await world.server.call('GET', `/v1/${developer.accountId}/projects`, { headers: developer.bearer });
    expect((projects.json as { items: unknown[] }).items).toHaveLength(1);
    await page.context().close();
  });

  it('keep fewer versions of public state, after a warning about lost ones', async () => {
    const { project, developer, page } = await openEditor(world, { a: 1 });
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/settings`);
    const card = page.locator('.public-history');
    const fewer = page.getByRole('button', { name: 'Keep fewer versions …' });
    expect(await page.locator('.save-bar').count()).toBe(0);
    await card.getByText('Only the latest').click();
    await page.getByText('Not saved yet: History of the configuration').waitFor();
    await card.getByLabel('Versions', { exact: true }).fill('1001');
    await card.getByText('Enter a whole number from 0 to 1000.').waitFor();
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    await card.getByLabel('Versions', { exact: true }).fill('20');
    await fewer.click();
    await page.locator('.dialog').getByText('all before the latest 20,').waitFor();
    const exporting = page.locator('.dialog').getByRole('link', { name: 'How to export them first' });
    expect(await exporting.getAttribute('href')).toMatch(/\/docs\/backup#export-and-import$/);
    await page.locator('.dialog').getByRole('button', { name: 'Delete older versions' }).click();
    await toast(page, 'Saved: History of the configuration');
    const setting = async () => {
      return (await world.server.call('GET', project.path, { headers: developer.bearer })).json;
    };
    expect(await setting()).toMatchObject({ publicStateHistory: { versions: 20, days: 90 } });
    await card.getByText('All versions').click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(setting).toMatchObject({ publicStateHistory: null });
    await page.context().close();
  });

  it('switch the check of flags immediately, and save everything else together, each with undo', async () => {
    const { project, developer, page } = await openEditor(world, { a: 1 });
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/settings`);
    const setting = async () => {
      return (await world.server.call('GET', project.path, { headers: developer.bearer })).json;
    };
    const first = (await setting()) as { name: string };
    await page.getByLabel('Name', { exact: true }).fill('');
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    await page.getByLabel('Name', { exact: true }).fill('Olaf');
    await page.getByRole('checkbox', { name: 'Production' }).check();
    await page.getByText('Not saved yet: Name, Protected environments').waitFor();

    // The switch leaves what is not saved as it is.
    await page.getByRole('switch', { name: 'Refuse faulty flags' }).click();
    await toast(page, 'Faulty flags are now refused');
    expect(await setting()).toMatchObject({ ...first, flagsCheck: 'enforce' });
    await page.locator('.toast', { hasText: 'now refused' }).getByRole('button', { name: 'Undo' }).click();
    await toast(page, 'Faulty flags are no longer refused');
    expect(await setting()).toEqual(first);

    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await toast(page, 'Saved: Name, Protected environments');
    const changed = { name: 'Olaf', protectedEnvironments: ['production'] };
    expect(await setting()).toEqual({ ...first, ...changed });
    expect(await page.locator('.save-bar').count()).toBe(0);
    await page.locator('.toast', { hasText: 'Saved:' }).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(setting).toEqual(first);

    await page.getByLabel('Name', { exact: true }).fill('Hilda');
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(first.name);
    await page.context().close();
  });

  it('show usage, and rename the account', async () => {
    const { developer, page } = await openEditor(world, { a: 1 });
    await page.goto(`${world.server.baseUrl}/console/usage`);
    await page.getByRole('heading', { name: 'API requests this month' }).waitFor();
    expect(await page.locator('.meters .daily tbody tr').count()).toBe(30);
    expect(Number(await page.locator('.meters .daily tbody tr').last().locator('td').textContent())).toBeGreaterThan(0);
    await page.goto(`${world.server.baseUrl}/console/account`);
    await page.getByLabel('Name', { exact: true }).fill('Lanternfish');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await toast(page, 'Saved: Name');
    const account = await world.server.call('GET', `/v1/${developer.accountId}`, { headers: developer.bearer });
    expect(account.json).toMatchObject({ name: 'Lanternfish' });
    await page.context().close();
  });
});

describe('the session', () => {
  it('leaves the page and unsaved text when it expires, and says so', async () => {
    const { developer, page } = await openEditor(world, { a: 1 });
    await typeDocument(page, '{"a":2}');
    await world.server.running.store.deleteAccount(developer.accountId);
    // The change stream ends with the access, so the page notices without a request.
    await page.getByText('You are signed out').first().waitFor();
    expect(await page.locator('.code-editor .cm-content').innerText()).toContain('"a":2');
    await page.context().close();
  });

  it('is shared with another tab, and ends in both', async () => {
    const { project, page } = await openEditor(world, { a: 1 });
    const tab = await page.context().newPage();
    await tab.goto(`${world.server.baseUrl}/console/p/${project.slug}/development/history`);
    await tab.getByRole('button', { name: /Version 1/ }).waitFor();
    await tab.keyboard.press('Escape');
    await tab.locator('.account-button').click();
    await tab.getByRole('menuitem', { name: 'Sign out' }).click();
    await tab.getByText('You are signed out').waitFor();
    await page.getByText('You are signed out').first().waitFor();
    await page.context().close();
  });

  it('stores no token in localStorage', async () => {
    const { page } = await openEditor(world, { a: 1 });
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toMatch(/svcr_|eyJ/);
    await page.context().close();
  });
});

it('the command palette reaches every page with the keyboard', async () => {
  const { project, page } = await openEditor(world, { a: 1 });
  await page.locator('.cm-content').waitFor();
  await page.keyboard.press('ControlOrMeta+k');
  await page.locator('.palette [role=combobox]:focus').waitFor();
  await page.keyboard.type('history');
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/p/${project.slug}/development/history`));
  await page.keyboard.press('ControlOrMeta+k');
  await page.locator('.palette [role=combobox]:focus').waitFor();
  await page.keyboard.type('switch to prod');
  await page.keyboard.press('Enter');
  await page.waitForURL(/production\/history/);
  await page.keyboard.press('ControlOrMeta+k');
  await page.locator('.palette-group', { hasText: 'Recent' }).waitFor();
  await page.getByRole('option', { name: `History · Development · ${project.slug}` }).click();
  await page.waitForURL(/development\/history/);
  await page.context().close();
});

it('the links of a project stay beside the pages of the account, but not beside the list of projects', async () => {
  const { project, page } = await openEditor(world, { a: 1 });
  const flags = page.locator('.sidebar nav').getByRole('link', { name: 'Flags' });
  await page.locator('.sidebar nav').getByRole('link', { name: 'Team' }).click();
  await page.waitForURL(/console\/team/);
  expect(await flags.getAttribute('href')).toContain(`/p/${project.slug}/development/flags`);
  await page.locator('.sidebar .wordmark').click();
  await page.getByRole('heading', { name: 'Projects' }).waitFor();
  expect(await flags.count()).toBe(0);
  await page.context().close();
});

it('the console speaks German to browsers that prefer it', async () => {
  const developer = await world.server.newDeveloper();
  const page = await world.signedIn(developer, '/', { locale: 'de-DE' });
  await page.getByRole('heading', { name: 'Projekte' }).waitFor();
  expect(await page.evaluate('document.documentElement.lang')).toBe('de');
  await page.context().close();
});

it('the console changes its language at once, on the open page and on later ones', async () => {
  const page = await world.signedIn(await world.server.newDeveloper(), '/service-accounts');
  await page.getByText('No service accounts yet').waitFor();
  // The texts of the page and those of the console, whenever something changes.
  await page.evaluate(`(() => {
    const look = () => seen.add(document.querySelector('main h1').textContent + ' / ' + document.querySelector('.skip').textContent);
    const seen = new Set();
    look();
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    window.seen = seen;
  })()`);
  await page.keyboard.press('ControlOrMeta+k');
  await page.locator('.palette [role=combobox]:focus').waitFor();
  await page.keyboard.type('Deutsch');
  await page.keyboard.press('Enter');
  await page.getByText('Noch keine Dienstkonten').waitFor();
  expect(await page.evaluate('[...window.seen]')).toEqual([
    'Team: Service accounts / Skip to content',
    'Team: Dienstkonten / Zum Inhalt',
  ]);
  await page.keyboard.press('ControlOrMeta+k');
  await page.locator('.palette [role=combobox]:focus').waitFor();
  await page.keyboard.type('Nutzung');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Anfragen' }).first().waitFor();
  await page.context().close();
});

describe('texts from outside', () => {
  it('show their direction marks, in lists, titles and dialogs', async () => {
    const { project, developer, page } = await openEditor(world, { a: 1 });
    const playerId = 'ada\u202etfel';
    const token = await world.server.running.accessTokens.signPlayerToken({
      accountId: developer.accountId,
      slug: project.slug,
      environment: 'development' as const,
      userId: playerId,
      seconds: 60,
    });
    const headers = { Authorization: `Bearer ${token}`, 'If-None-Match': '*' };
    const body = { ops: [{ op: 'add', path: '/level', value: 7 }] };
    const written = await world.server.call('PATCH', `${project.path}/user-state/development`, { headers, body });
    expect(written.status, written.text).toBe(200);
    const name = 'Build\u2067\u200e';
    await world.server.call('POST', `${project.path}/api-keys`, { headers: developer.bearer, body: { name } });
    const at = `${world.server.baseUrl}/console/p/${project.slug}`;
    await page.goto(`${at}/development/players`);
    await page.getByRole('link', { name: 'ada[U+202E]tfel' }).click();
    await page.getByRole('heading', { name: 'ada[U+202E]tfel' }).waitFor();
    expect(await page.title()).toContain('ada[U+202E]tfel');
    expect(await page.locator('body').innerText()).not.toMatch(/\p{Bidi_Control}/u);
    await page.goto(`${at}/keys`);
    await page.getByRole('button', { name: 'Actions: Build[U+2067][U+200E]' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    expect(await page.locator('.dialog-title').innerText()).toContain('Build[U+2067][U+200E]');
    expect(await page.locator('body').innerText()).not.toMatch(/\p{Bidi_Control}/u);
    await world.server.call('PATCH', project.path, { headers: developer.bearer, body: { name: '\u202epong' } });
    await page.goto(`${world.server.baseUrl}/console/`);
    await page.getByRole('link', { name: '[U+202E]pong' }).waitFor();
    expect(await page.locator('main .monogram').innerText()).toBe('P');
    expect(await page.locator('body').innerText()).not.toMatch(/\p{Bidi_Control}/u);
    await page.context().close();
  });
});

describe('usage', () => {
  it('shows requests and errors, by project and key, and open connections', async () => {
    const { project, page } = await openEditor(world, { a: 1 });
    const { server } = world;
    const { apiKey } = await server.newApiKey(project, { name: 'Build server' });
    const headers = { Authorization: `ApiKey ${apiKey}` };
    const path = `${project.path}/public-state/development`;
    await server.call('GET', path, { headers });
    await server.call('PUT', path, { headers: { ...headers, 'If-Match': '"77"' }, body: { state: {} } });
    await page.goto(`${server.baseUrl}/console/usage`);
    const row = page.locator('.figures-table tr', { hasText: 'Build server' });
    await row.waitFor();
    expect((await row.locator('td').allInnerTexts()).slice(0, 4)).toEqual([project.slug, '2', '1', 'version_conflict']);
    expect(await page.locator('.figures .daily tbody tr').count()).toBe(30);
    await page.locator('.figures .segments label', { hasText: '7 days' }).click();
    await page.waitForURL(/days=7/);
    await expect.poll(() => page.locator('.figures .daily tbody tr').count()).toBe(7);
    await page.getByLabel('Project', { exact: true }).selectOption({ index: 1 });
    await page.waitForURL(/project=/);
    await expect.poll(() => page.locator('.figures-table tbody tr', { hasText: 'No project' }).count()).toBe(0);
    await page.context().close();
  });

  it('shows no forecast for an account that is minutes old', async () => {
    const { page } = await openEditor(world, { a: 1 });
    await page.goto(`${world.server.baseUrl}/console/usage`);
    await page.locator('.counter .daily').first().waitFor();
    expect(await page.locator('body').innerText()).not.toContain('at this pace');
    await page.context().close();
  });
});
