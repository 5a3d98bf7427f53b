/** What people do with documents in the console, from the first minute on, in a real browser against a real server. */
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
    await page.locator('.dialog .cm-content').first().waitFor();
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
