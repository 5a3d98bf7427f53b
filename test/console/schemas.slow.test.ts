/** Schemas in the console, in a real browser against a real server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEditor, stateOf, toast, typeInto } from './editor.ts';
import { type ConsoleWorld, openConsoleWorld } from './world.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.stop());

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
    await page.getByRole('row', { name: 'Price Must be at least 1' }).waitFor();
    await tabs.getByRole('link', { name: 'Problems' }).click();
    expect(await tabs.locator('[aria-current=page]').allInnerTexts()).toEqual(['Problems']);
    await page.getByText('The current configuration has 1 problem').waitFor();
    const counted = page.locator('section', { hasText: 'Changes that broke a rule since version 1' });
    await expect
      .poll(() => counted.locator('tbody tr').allInnerTexts())
      .toEqual([expect.stringMatching(/Price[\s\S]*Must be at least 1[\s\S]*1/)]);
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
