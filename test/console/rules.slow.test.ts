/** Rules made, changed and removed in the console without a word of JSON. */
import type { JsonObject } from '@holdfast/json';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { draftTexts, openEditor, stateOf, toast, typeInto } from './editor.ts';
import { type ConsoleWorld, openConsoleWorld } from './world.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.stop());

/** Opens the rules of a new project with a configuration, and a schema if given. */
async function openRules(state: JsonObject, schema?: JsonObject, kind = 'public-state') {
  const opened = await openEditor(world, state);
  const { project, developer, page } = opened;
  const at = `${project.path}/schemas/development/${kind}`;
  if (schema !== undefined) {
    const headers = { ...developer.bearer, 'If-None-Match': '*' };
    const answer = await world.server.call('PUT', at, { headers, body: { mode: 'report', schema } });
    expect(answer.status, answer.text).toBe(200);
  }
  await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/development/schemas?kind=${kind}`);
  const read = async () => (await world.server.call('GET', at, { headers: developer.bearer })).json;
  return { ...opened, read };
}

/** The rules that the page lists. */
const listed = (page: Page) =>
  page.locator('.rules-list tbody tr').evaluateAll((rows) =>
    rows.map((row) => {
      const cells = (row as unknown as { cells: Iterable<{ innerText: string }> }).cells;
      return [...cells]
        .map(({ innerText }) => innerText.replace(/\s+/g, ' ').trim())
        .slice(0, 2)
        .join(': ');
    }),
  );

it('a rule of every price is added, finds a wrong one, and blocks it', async () => {
  const items = [
    { id: 'bow', price: 0 },
    { id: 'axe', price: 40 },
  ];
  const { project, developer, page, read } = await openRules({ shop: { items } });
  await page.getByRole('button', { name: 'Add rule' }).click();
  const dialog = page.locator('.dialog');
  await dialog.getByRole('searchbox', { name: 'Find a field' }).fill('shop price');
  await dialog.getByRole('button', { name: 'Shop › Items › each entry › Price' }).click();
  await dialog.getByText('Now: 0, 40').waitFor();
  await dialog.getByLabel('At least').fill('one');
  await dialog.getByText('Enter a number.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Add rule' }).isDisabled()).toBe(true);
  await dialog.getByLabel('At least').fill('1');
  await dialog.getByRole('button', { name: 'Add rule' }).click();
  await expect.poll(() => listed(page)).toEqual(['Shop › Items › each entry › Price: Must be a number, at least 1']);

  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByRole('radio', { name: /^Block bad changes/ }).check();
  await page.getByText('The current configuration breaks the rules').waitFor();
  await dialog.getByRole('row', { name: /Shop › Items › each entry › Price.*Must be at least 1/ }).waitFor();
  await dialog.getByRole('button', { name: 'Save 1 change to Development' }).click();
  await toast(page, 'The rules are now at version 1');
  expect(await page.getByRole('button', { name: 'Review and save' }).isVisible()).toBe(false);
  const price = { type: 'number', minimum: 1 };
  expect(await read()).toMatchObject({
    mode: 'enforce',
    schema: { properties: { shop: { properties: { items: { items: { properties: { price } } } } } } },
  });
  const refused = await world.server.call('PATCH', stateOf(project), {
    headers: { ...developer.bearer, 'If-Match': '"1"' },
    body: { ops: [{ op: 'replace', path: '/shop/items/1/price', value: -1 }] },
  });
  expect(refused.status).toBe(400);

  await page.getByRole('link', { name: 'Try' }).click();
  const check = page.getByRole('button', { name: 'Check' });
  await check.click();
  await page.locator('.verdict', { hasText: 'Breaks one rule' }).waitFor();
  expect(await check.isDisabled()).toBe(true);
  const [form, json] = ['Form', 'JSON'].map((name) => page.locator('.check-view').getByText(name, { exact: true }));
  await json?.click();
  await typeInto(page, '.check-editor', '[]');
  await check.click();
  await page.locator('.notice').waitFor();
  await typeInto(page, '.check-editor', '{"shop":{"items":[{"price":3}]},"season":1}');
  await form?.click();
  await page.getByRole('textbox', { name: 'season' }).fill('2');
  await json?.click();
  const kept = page.locator('.check-editor .cm-line', { hasText: '"season": 2' });
  await kept.waitFor();
  await page.locator('.check-view').getByText('Only changed fields', { exact: true }).click();
  await page.locator('.check-editor .cm-line', { hasText: '"op"' }).first().waitFor();
  await json?.click();
  await kept.waitFor();
  await typeInto(page, '.check-editor', '{"shop":{"items":[{"price":2}]}}');
  await check.click();
  await page.locator('.verdict', { hasText: 'Breaks no rule' }).waitFor();
  await typeInto(page, '.check-editor', '{"shop":{"items":[{"price":0}]}}');
  await check.click();
  await page.locator('.broken li', { hasText: 'must be at least 1' }).getByRole('link', { name: 'Show the rule' }).click();
  await page.locator('tr:has([data-marked])', { hasText: 'number, at least 1' }).waitFor();
  await page.context().close();
});

it('rules are changed and removed over the same text as the JSON, with one undo', async () => {
  const gold = { type: 'integer', multipleOf: 5 };
  const schema = { title: 'Game', properties: { gold, name: { minLength: 1 } }, required: ['name'] };
  const { page, read } = await openRules({ gold: 5, name: 'Ada' }, schema);
  const first = [
    'Gold: Must be a whole number, a multiple of 5 edited as JSON',
    'Name: Must have at least 1 character, and must be present',
  ];
  await expect.poll(() => listed(page)).toEqual(first);
  await page.getByRole('button', { name: 'Change the rules of gold' }).click();
  await page.locator('.dialog').getByText('More rules of this field are edited as JSON.').waitFor();
  await page.locator('.dialog').getByText('Nothing changed yet').waitFor();
  await page.locator('.dialog').getByLabel('At most').fill('500');
  await page.locator('.dialog').getByRole('button', { name: 'Change rule' }).click();
  const tabs = page.locator('.view-bar .tabs');
  await tabs.getByRole('link', { name: 'JSON' }).click();
  await page.locator('.cm-activeLine', { hasText: '"gold": {' }).waitFor();
  await tabs.getByRole('link', { name: 'Rules' }).click();
  await page.getByRole('button', { name: 'Remove the rules of name' }).click();
  const changed = ['Gold: Must be a whole number, at most 500, a multiple of 5 edited as JSON'];
  await expect.poll(() => listed(page)).toEqual(changed);
  // Each message restores its own rules, whatever was changed after them.
  await page.getByRole('button', { name: 'Remove the rules of gold' }).click();
  await page.getByText('There are no rules yet: every change is accepted.').waitFor();
  const undo = (field: string) =>
    page.locator('.toast', { hasText: `Rules for ${field} removed` }).getByRole('button', { name: 'Undo' });
  await undo('name').click();
  await expect.poll(() => listed(page)).toEqual(first.slice(1));
  await undo('gold').click();
  await expect.poll(() => listed(page)).toEqual([...first.slice(1), ...changed]);
  await page.getByRole('button', { name: 'Remove the rules of name' }).click();
  await expect.poll(() => listed(page)).toEqual(changed);

  await page.getByRole('button', { name: 'edited as JSON' }).click();
  await page.locator('.cm-activeLine', { hasText: '"gold": {' }).waitFor();
  await page.locator('.status-good', { hasText: 'Rules are valid' }).waitFor();
  await tabs.getByRole('link', { name: 'Rules' }).click();
  await expect.poll(() => listed(page)).toEqual(changed);
  await page.locator('.rules-bar').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => listed(page)).toHaveLength(2);
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect.poll(() => listed(page)).toEqual(changed);
  await expect.poll(() => page.evaluate(draftTexts)).not.toContain('"name"');
  await page.reload();
  await expect.poll(() => listed(page)).toEqual(changed);
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.locator('.dialog .rules-changed').getByText('removed').waitFor();
  await page.locator('.dialog').getByRole('button', { name: 'Save 2 changes to Development' }).click();
  await toast(page, 'The rules are now at version 2');
  expect(await read()).toMatchObject({ schema: { title: 'Game', properties: { gold: { ...gold, maximum: 500 } } } });
  expect(JSON.stringify(await read())).not.toContain('name');
  await page.context().close();
});

it('a dialog warns that players can write a field, and no message lies over it', async () => {
  const gold = { type: 'integer', 'x-write': 'server' };
  const { page } = await openRules({}, { properties: { gold, level: { type: 'integer' } } }, 'user-state');
  const dialog = page.locator('.dialog');
  await page.getByRole('button', { name: 'Remove the rules of level' }).click();
  await page.getByRole('button', { name: 'Review and save' }).click();
  await dialog.getByRole('button', { name: 'Save 1 change to Development' }).waitFor();
  expect(await dialog.getByText('Players can then change').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Remove the rules of gold' }).click();
  await toast(page, 'Rules for gold removed. Not saved yet.');
  await page.getByRole('button', { name: 'Review and save' }).click();
  await dialog.getByText('Players can then change Gold themselves.').waitFor();
  expect(await dialog.getByRole('heading').first().innerText()).toMatch(/^Save the rules\s*Development$/);
  expect(await page.locator('.toast').count()).toBe(0);
  await page.context().close();
});

it('a broken rule of a tried value stands once: beside its field, or else in the list below the form', async () => {
  const { page } = await openRules({}, { properties: { gold: { type: 'integer' } }, required: ['hero'] }, 'user-state');
  await page.getByRole('link', { name: 'Try' }).click();
  const gold = page.locator('.check-form').getByRole('textbox', { name: 'Gold' });
  await gold.fill('1.5');
  await page.getByRole('button', { name: 'Check' }).click();
  await page.locator('.broken li', { hasText: /^Gold\s*Show the value\s*Show the rule$/ }).waitFor();
  await page.locator('.broken li', { hasText: 'must contain "hero"' }).waitFor();
  expect(await page.locator('.check-view').getByText('must be a whole number').count()).toBe(1);
  expect(await gold.getAttribute('aria-invalid')).toBe('true');
  const reason = page.locator(`[id="${await gold.getAttribute('aria-describedby')}"]`);
  expect(await reason.innerText()).toMatch(/^must be a whole number$/i);
  await page.locator('.check-view').getByText('JSON', { exact: true }).click();
  await page.locator('.broken li', { hasText: /^Gold\s*Must be a whole number/ }).waitFor();
  await page.locator('.check-view').getByText('Form', { exact: true }).click();
  await gold.fill('many');
  await page.locator('.check-form .fault').filter({ hasText: /./ }).waitFor();
  await page.context().close();
});
