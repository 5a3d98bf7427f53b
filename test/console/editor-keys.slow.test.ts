/** Keys, marks and saves of the editor, in a real browser against a real server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEditor, stateOf, stored, toast, typeDocument, typeInto } from './editor.ts';
import { type ConsoleWorld, openConsoleWorld } from './world.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.stop());

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
