/** The page of feature flags, in a real browser against a real server. */
import type { JsonObject } from '@holdfast/json';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEditor, save, stored, toast } from './editor.ts';
import { studioEvaluators, studioFlags } from './studio.ts';
import { type ConsoleWorld, openConsoleWorld } from './world.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.stop());

async function openFlags(state: JsonObject, flag?: string) {
  const opened = await openEditor(world, state);
  const search = flag === undefined ? '' : `?flag=${encodeURIComponent(flag)}`;
  await opened.page.goto(`${world.server.baseUrl}/console/p/${opened.project.slug}/development/flags${search}`);
  return opened;
}

const document = { flags: studioFlags, $evaluators: studioEvaluators };
/** The flags in a stored document. */
const flagsIn = (text: string) => (JSON.parse(text) as { state: { flags: Record<string, object> } }).state.flags;

it('a flag for a share of one country is created, tried, and deleted', async () => {
  const { project, page } = await openFlags({ id: 1 });
  await page.getByRole('button', { name: 'New flag' }).click();
  await page.getByLabel('Name').fill('winter/sale');
  await page.getByText('Rollout').click();
  await page.getByLabel('Percentage of players').fill('100');
  await page.getByLabel('Only for players with an attribute').check();
  await page.getByRole('dialog').getByLabel('Value').fill('DE');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'winter/sale' }).waitFor();
  await page.getByText('Save the flag first.').waitFor();
  await save(page);
  await toast(page, 'Version 2 saved');
  expect(flagsIn(await stored(world, project))['winter/sale']).toMatchObject({
    targeting: {
      if: [
        { '==': [{ var: 'country' }, 'DE'] },
        {
          fractional: [
            ['on', 100],
            ['off', 0],
          ],
        },
      ],
    },
  });
  const tryAs = page.locator('.try-as');
  await tryAs.getByLabel('Player ID').fill('ada');
  await tryAs.getByText('More about the player').click();
  await tryAs.getByLabel('country').fill('DE');
  await tryAs.getByRole('button', { name: 'Try' }).click();
  await tryAs.getByText('The player is in one of the audiences.').waitFor();
  expect(await tryAs.locator('.try-result b').innerText()).toBe('on');
  await tryAs.getByLabel('country').fill('AT');
  await page.keyboard.press('Enter');
  await tryAs.getByText('The player is in no audience, so the default applies.').waitFor();
  await page.getByRole('button', { name: /^Actions: / }).click();
  await page.getByRole('menuitem', { name: 'Delete flag' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete flag' }).click();
  await page.getByText('No flags yet').waitFor();
  await save(page);
  await toast(page, 'Version 3 saved');
  expect(flagsIn(await stored(world, project))).toEqual({});
  await page.context().close();
});

it('an unknown variant is named: in the list below its audience, in the editor and a refusal with its flag', async () => {
  const { project, developer, page } = await openFlags(document);
  const sentence = 'Flag cloudReplay has no variant “evnet”';
  await page
    .getByRole('row', { name: /cloudReplay/ })
    .getByText('“evnet” is not a variant')
    .waitFor();
  await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/development/state`);
  await page.locator('.status-fault', { hasText: sentence }).waitFor();
  const setting = { headers: developer.bearer, body: { flagsCheck: 'enforce' } };
  expect((await world.server.call('PATCH', project.path, setting)).status).toBe(200);
  await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/development/flags`);
  await page.getByRole('switch', { name: 'Flag odds is on' }).click();
  await save(page);
  await page.locator('.dialog [role=alert]', { hasText: sentence }).last().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'cloudReplay' }).click();
  await page.getByLabel('Result').first().selectOption('event');
  await save(page);
  await toast(page, 'Version 2 saved');
  await page.context().close();
});

it('rows change with the keyboard, and what they cannot express stays JSON', async () => {
  const { project, page } = await openFlags(document, 'odds');
  await page.getByText('This part cannot be shown as a row.').waitFor();
  await page.getByLabel('JSON', { exact: true }).fill('{"<": [{"var": "level"}, 10');
  await page.getByText('This is not valid JSON').waitFor();
  await page.keyboard.press('End');
  await page.keyboard.type(']}');
  const row = page.locator('.condition-row');
  await row.getByLabel('Attribute').waitFor();
  expect(await row.getByLabel('Value').inputValue()).toBe('10');
  await row.getByLabel('Comparison').selectOption({ label: 'is one of' });
  await row.getByLabel('Values').fill('1, ');
  await page.keyboard.type('2, "3"');
  const join = page.getByLabel('Which conditions must match');
  expect(await join.count()).toBe(0);
  await page.getByRole('button', { name: 'Add condition' }).click();
  expect(await page.locator('.condition > :first-child').getByLabel('Which conditions must match').count()).toBe(1);
  await join.selectOption('any matches');
  expect(await page.locator('.condition-row .row-word').allInnerTexts()).toEqual(['', 'or']);
  await page.getByRole('button', { name: 'Remove condition' }).last().click();
  await join.waitFor({ state: 'detached' });
  await page.getByLabel('Name: low').fill('few');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await toast(page, 'Version 2 saved');
  expect(flagsIn(await stored(world, project)).odds).toEqual({
    state: 'ENABLED',
    variants: { few: 1, high: 2 },
    targeting: { if: [{ in: [{ var: 'level' }, [1, 2, '3']] }, 'high', 'few'] },
  });
  await page.context().close();
});
