/** Editing documents in the console, from the first minute on, in a real browser against a real server. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCommandSandbox } from '../../packages/server/src/cli/command.fixture.ts';
import { draftCount, openEditor, save, stateOf, stored, toast, typeDocument, typeInto } from './editor.ts';
import { type ConsoleWorld, openConsoleWorld, writeVersions } from './world.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.stop());

describe('the first minute', () => {
  it('signs in to the live demo by one link, with a working snippet', async () => {
    const place = await createCommandSandbox();
    const demo = await place.serve();
    const variables = parseEnv(readFileSync(join(place.dataDir, 'dev.env'), 'utf8'));
    const { HOLDFAST_URL: url, HOLDFAST_ACCOUNT_ID: accountId, HOLDFAST_API_KEY: key } = variables;
    const link = variables.HOLDFAST_CONSOLE_URL ?? '';
    const page = await world.browser.newPage({ locale: 'en-US' });
    await page.goto(link);
    await page.getByRole('heading', { name: 'Connect your game' }).waitFor();
    const address = `${url}/v1/${accountId}/projects/hello/public-state/development`;
    const headers = { Authorization: `ApiKey ${key}`, 'Content-Type': 'application/json', 'If-Match': '"1"' };
    const body = JSON.stringify({ ops: [{ op: 'add', path: '/seen', value: 'as it happens' }] });
    expect((await fetch(address, { method: 'PATCH', headers, body })).status).toBe(200);
    await page.locator('.live-document', { hasText: 'as it happens' }).waitFor();
    await page.getByText('The key in the snippet is publishable').waitFor();
    const snippets: string[] = [];
    for (const language of ['curl', 'Node.js', 'Unity C#']) {
      await page.getByText(language, { exact: true }).click();
      snippets.push(await page.locator('.snippet').innerText());
    }
    const [, created = ''] = /ApiKey (svcp_\w+)/.exec(snippets[0] ?? '') ?? [];
    expect(snippets[0]).toContain(address);
    for (const snippet of snippets) expect([snippet.includes(url ?? '-'), snippet.includes(created)]).toEqual([true, true]);
    expect((await fetch(address, { headers: { Authorization: `ApiKey ${created}` } })).status).toBe(200);
    const second = await world.browser.newPage({ locale: 'en-US' });
    await second.goto(link);
    await second.getByText('This link was already used').waitFor();
    await Promise.all([page, second].map((one) => one.context().close()));
    await demo.stop();
    await place.remove();
  });
});

describe('the document', () => {
  it('is created if there is none', async () => {
    const { project, page } = await openEditor(world);
    await page.getByRole('button', { name: 'Create configuration' }).click();
    await typeDocument(page, '{"hello":"world"}');
    await save(page);
    await toast(page, 'Version 1 saved');
    expect(await stored(world, project)).toContain('{"hello":"world"}');
    await page.context().close();
  });

  it.each([
    ['the script of its page', '**/assets/state-page-*.js'],
    ['its text', '**/public-state/development*'],
  ])('keeps its title and environments when %s cannot be loaded', async (_, lost) => {
    const { page } = await openEditor(world, { a: 1 });
    let isLost = true;
    // A lost request takes its time, so that the one of the button is answered.
    await page.route(lost, async (route) => {
      if (isLost) await page.waitForTimeout(500);
      await (isLost ? route.abort() : route.fallback());
    });
    await page.reload();
    await page.getByRole('alert').getByText('The service cannot be reached. Try again later.').waitFor();
    await page.getByRole('heading', { name: 'Configuration', level: 1 }).waitFor();
    expect(await page.locator('.page-header').getByLabel('Development').isChecked()).toBe(true);
    expect(await page.getByRole('alert').innerText()).not.toContain('kept');
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    isLost = false;
    await page.locator('.cm-line', { hasText: '"a": 1' }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.context().close();
  });

  it('shows where a text is invalid JSON, and refuses to save it', async () => {
    const { page } = await openEditor(world, { a: 1 });
    await typeInto(page, 'main', '{\n  "a": 1,\n}');
    await page.locator('.status-fault', { hasText: 'Remove the comma in line 2: nothing follows it' }).waitFor();
    const review = page.getByRole('button', { name: 'Review and save' });
    expect(await review.isDisabled()).toBe(true);
    const reason = page.locator('.page-actions .editor-reason');
    expect(await reason.textContent()).toBe('Remove the comma in line 2: nothing follows it');
    expect(await reason.isVisible()).toBe(false);
    expect(await review.getAttribute('aria-describedby')).toBe(await reason.getAttribute('id'));
    const line = page.locator('.cm-line', { hasText: '"a": 1,' });
    await line.getByText('Remove the comma in line 2: nothing follows it').waitFor();
    await page.context().close();
  });

  it('is restored with one click after a save', async () => {
    const { project, page } = await openEditor(world, { a: 1 });
    await typeDocument(page, '{"a":2}');
    await save(page);
    await page.locator('.toast', { hasText: 'Version 2 saved' }).getByRole('button', { name: 'Undo' }).click();
    await page.locator('.cm-line', { hasText: '"a": 1' }).waitFor();
    expect(await stored(world, project)).toMatch(/"version":3,"state":\{"a":1\}/);
    await page.context().close();
  });

  it('keeps its draft after a reload, until it is saved', async () => {
    const { project, page } = await openEditor(world, { a: 1 });
    await typeDocument(page, '{"a":2}');
    await expect.poll(() => page.evaluate(draftCount)).toBe(1);
    await page.reload();
    await page.getByText('are restored').waitFor();
    expect(await page.locator('.cm-content').innerText()).toContain('"a":2');
    await save(page);
    await toast(page, 'Version 2 saved');
    await page.reload();
    await page.locator('.cm-content').waitFor();
    expect(await page.getByText('are restored').count()).toBe(0);
    expect(await stored(world, project)).toContain('"a":2');
    await page.context().close();
  });
});

describe('a review', () => {
  it('opens with all its code loaded, so that its buttons do not move', async () => {
    const { page } = await openEditor(world, { a: 1 });
    const loaded = async (name: string) => {
      const response = await page.waitForResponse((one) => one.url().includes(`/${name}-`));
      await response.finished();
    };
    // The frame loads the palette shortly after the page has opened, independently of the user.
    await Promise.all([loaded('diff-view'), loaded('palette'), typeDocument(page, '{"a":2}')]);
    const scripts: string[] = [];
    page.on('request', (request) => void (request.resourceType() === 'script' && scripts.push(request.url())));
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('button', { name: 'Show as JSON' }).click();
    await page.locator('.dialog .cm-content').first().waitFor();
    expect(scripts).toEqual([]);
    await page.context().close();
  });
});

describe('two people editing one document', () => {
  it('resolve only the overlapping changes', async () => {
    const { project, developer, page } = await openEditor(world, { price: 10, name: 'bow', tags: 1 });
    await typeDocument(page, '{"price":12,"name":"bow","tags":2}');
    await writeVersions(world.server, stateOf(project), developer.bearer, [
      [{ price: 15, name: 'longbow', tags: 1 }, null],
    ]);
    await save(page);
    await page.getByText('One change overlaps').waitFor();
    const goOn = page.getByRole('button', { name: 'Continue to review' });
    await page.locator('.dialog-text', { hasText: 'You saved version 2 while you were editing.' }).waitFor();
    expect(await goOn.isDisabled()).toBe(true);
    await page.getByLabel('Saved version 2').waitFor();
    await writeVersions(world.server, stateOf(project), developer.bearer, [
      [{ price: 16, name: 'longbow', tags: 1 }, null],
    ]);
    await page.getByLabel('Saved version 3').check();
    await goOn.click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await toast(page, 'Version 4 saved');
    expect(await stored(world, project)).toContain('{"price":16,"name":"longbow","tags":2}');
    await page.context().close();
  });

  it('see each other’s changes immediately, or an offer to merge beside own changes', async () => {
    const { project, developer, page } = await openEditor(world, { a: 1, b: 1 });
    await page.locator('.cm-content').waitFor();
    await writeVersions(world.server, stateOf(project), developer.bearer, [[{ a: 2, b: 1 }, null]]);
    await page.locator('.cm-line', { hasText: '"a": 2' }).waitFor();
    await typeDocument(page, '{"a":2,"b":5}');
    await writeVersions(world.server, stateOf(project), developer.bearer, [[{ a: 3, b: 1 }, null]]);
    await page.getByRole('button', { name: 'Combine now' }).click();
    await page.locator('.cm-line', { hasText: '"a": 3' }).waitFor();
    expect(await page.locator('.cm-content').innerText()).toContain('"b": 5');
    await page.context().close();
  });

  it('see a lost connection, and later what others wrote meanwhile', async () => {
    const { project, developer, page } = await openEditor(world, { a: 1, seed: 1 });
    await page.locator('.cm-content').waitFor();
    await page.locator('.status-live[data-on]').waitFor();
    await page.context().setOffline(true);
    await page.locator('.status-live:not([data-on])').waitFor();
    const path = stateOf(project);
    const headers = { ...developer.bearer, 'If-Match': '"1"', 'Content-Type': 'application/json' };
    const body = '{"state":{"a":2,"seed":12345678901234567890}}';
    expect((await fetch(`${world.server.baseUrl}${path}`, { method: 'PUT', headers, body })).status).toBe(200);
    await page.context().setOffline(false);
    await page.locator('.cm-line', { hasText: '12345678901234567890' }).waitFor();
    await page.locator('.status-live[data-on]').waitFor();
    await page.context().close();
  });

  it('share one stream of changes between two tabs of a browser', async () => {
    const { project, developer, page } = await openEditor(world, { a: 1 });
    await page.locator('.cm-content').waitFor();
    const streams: string[] = [];
    const isStream = (url: string) => /\/changes(?:\?|$)/.test(url);
    page.context().on('request', (request) => isStream(request.url()) && streams.push(request.url()));
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.locator('.cm-content').waitFor();
    await writeVersions(world.server, stateOf(project), developer.bearer, [[{ a: 2 }, null]]);
    for (const tab of [page, other]) await tab.locator('.cm-line', { hasText: '"a": 2' }).waitFor();
    expect(streams).toEqual([]);
    await page.context().close();
  });

  it('keep what they typed offline, and save it once they are online', async () => {
    const { project, page } = await openEditor(world, { a: 1 });
    await page.locator('.cm-content').waitFor();
    await page.locator('.status-good').waitFor();
    await typeDocument(page, '{"a":5}');
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('button', { name: 'Show as JSON' }).click();
    await page.locator('.dialog .cm-content').first().waitFor();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await page.context().setOffline(true);
    await typeDocument(page, '{"a":2}');
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The service cannot be reached').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await toast(page, 'Version 2 saved');
    expect(await stored(world, project)).toContain('"a":2');
    await page.context().close();
  });
});

describe('two people editing one document', () => {
  it('keep both edits if these do not overlap', async () => {
    const { project, developer, page } = await openEditor(world, { gold: 1, gems: 1, big: 'x'.repeat(200) });
    const other = await world.signedIn(developer, `/p/${project.slug}/development/state`);
    await typeDocument(page, JSON.stringify({ gold: 2, gems: 1, big: 'x'.repeat(200) }));
    await typeDocument(other, JSON.stringify({ gold: 1, gems: 7, big: 'x'.repeat(200) }));
    await save(page);
    await toast(page, 'Version 2 saved');
    await save(other);
    await other.getByText('Version 2 was saved in the meantime').waitFor();
    await other.getByRole('button', { name: 'Save', exact: true }).click();
    await toast(other, 'Version 3 saved');
    expect(await stored(world, project)).toContain('"gold":2,"gems":7');
    await Promise.all([page, other].map((one) => one.context().close()));
  });
});
