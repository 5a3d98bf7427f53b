/** Editing documents in the console, from the first minute on, in a real browser against a real server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEditor, save, stateOf, stored, toast, typeDocument } from './editor.ts';
import { type ConsoleWorld, openConsoleWorld } from './world.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.stop());

describe('the document', () => {
  it('is shown and saved digit for digit, after a review and with a comment', async () => {
    const { project, page } = await openEditor(world, { id: 1 });
    await typeDocument(page, '{"id":1,"exact":9007199254740993,"long":0.10000000000000000555}');
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.locator('.dialog .change-list').first().waitFor();
    await page.getByLabel('Comment').fill('Two numbers');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await toast(page, 'Version 2 saved');
    expect(await stored(world, project)).toContain('"exact":9007199254740993,"long":0.10000000000000000555');
    await page.reload();
    await page.locator('.cm-line', { hasText: '9007199254740993' }).waitFor();
    const history = await world.server.call('GET', `${stateOf(project)}/history`, { headers: project.developer.bearer });
    expect((history.json as { items: unknown[] }).items[0]).toMatchObject({ version: 2, comment: 'Two numbers' });
    await page.context().close();
  });

  it('is changed as a form digit for digit, and shares undo and cursor with its JSON', async () => {
    const quests = [1, 2, 3].map((gold) => ({ id: `quest_${gold}`, reward: { gold } }));
    const { project, page } = await openEditor(world, { long: 1, quests }, 'form');
    await page.getByRole('textbox', { name: 'long' }).fill('0.10000000000000000555');
    await page.getByRole('button', { name: 'Quests' }).click();
    await page.getByRole('textbox', { name: 'quest_1, reward › gold' }).fill('7');
    await page.getByRole('textbox', { name: 'quest_2, reward › gold' }).fill('8');
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => page.getByRole('textbox', { name: 'quest_2, reward › gold' }).inputValue()).toBe('2');
    await page.locator('.toolbar').getByText('JSON').click();
    await page.locator('.cm-activeLine', { hasText: '"gold": 2' }).waitFor();
    await save(page);
    await toast(page, 'Version 2 saved');
    expect(await stored(world, project)).toMatch(/"long":0\.10000000000000000555,.*"gold":7.*"gold":2.*"gold":3/);
    await page.context().close();
  });
});

it('a flag is changed in rows, and saved as a patch that keeps everything else', async () => {
  const { project, page } = await openEditor(world, {
    exact: 1,
    flags: {
      shop: {
        state: 'ENABLED',
        variants: { on: true, off: false },
        defaultVariant: 'off',
        targeting: {
          fractional: [
            ['on', 10],
            ['off', 90],
          ],
        },
      },
    },
  });
  await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/development/flags`);
  await page.getByText('Everyone: 10% on, 90% off').waitFor();
  await page.getByRole('link', { name: 'shop' }).click();
  await page.getByLabel('Share of on').fill('25');
  await save(page, 'More players');
  await toast(page, 'Version 2 saved');
  expect(await stored(world, project)).toContain('"fractional":[["on",25],["off",75]]');
  await page.context().close();
});
