/** Differences between environments, in a real browser against a real server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEditor, stateOf, stored, toast } from './editor.ts';
import { type ConsoleWorld, openConsoleWorld, writeVersions } from './world.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.stop());

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
