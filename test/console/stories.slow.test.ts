/** Two working days with the console: one without a mouse, and a release by two people in two browsers. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mailTo } from '../../tooling/outbox.ts';
import { readEvents } from '../support/events.ts';
import type { Developer } from '../support/server.ts';
import { toast, typeDocument, typeInto } from './editor.ts';
import { join } from './people.ts';
import { type ConsoleWorld, openConsoleWorld, preferJson, writeVersions } from './world.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.stop());

interface Window {
  readonly document: { readonly activeElement: unknown };
}

/** Presses Tab until an element has the focus. */
async function tabTo(target: Locator): Promise<void> {
  await target.first().waitFor({ state: 'attached' });
  const page = target.page();
  for (let steps = 0; steps < 120; steps++) {
    if (await target.first().evaluate((element) => element === (globalThis as unknown as Window).document.activeElement))
      return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the Tab key does not lead to ${target}`);
}

/** Tabs to a button and presses it. */
async function press(page: Page, name: string | RegExp, key = 'Enter'): Promise<void> {
  await tabTo(page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name }));
  await page.keyboard.press(key);
}

/** Tabs to a field and replaces its text. */
async function type(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(field);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** Waits for a dialog with the focus in it. */
async function dialog(page: Page): Promise<Locator> {
  const opened = page.locator('.dialog:focus-within');
  await opened.waitFor();
  return opened;
}

/** Types into the field of a dialog that has the focus, and presses Enter. */
async function answer(page: Page, text: string): Promise<void> {
  await page.locator('.dialog :is(input, textarea):focus').waitFor();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

async function goTo(page: Page, name: string, address: RegExp): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await page.locator('.palette [role=combobox]:focus').waitFor();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await page.waitForURL(address);
  await page.locator('.palette').waitFor({ state: 'detached' }); // the next keys must not go to the palette
}

it('every task can be done with the keyboard alone, from the first sign-in on', async () => {
  const page = await world.browser.newPage({ locale: 'en-US', viewport: { width: 1280, height: 860 } });
  await page.addInitScript(preferJson);
  await page.goto(`${world.server.baseUrl}/console/`);
  await tabTo(page.getByRole('link', { name: 'Create account' }));
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Create account' }).waitFor();
  await type(page, page.getByLabel('Email'), 'keys@example.com');
  await type(page, page.getByLabel('Password', { exact: true }), 'four random words of mine');
  await page.keyboard.press('Enter');
  const { code = '' } = await mailTo(world.server.place.dataDir, 'keys@example.com');
  await type(page, page.getByLabel('Code'), code);
  const [asked] = await Promise.all([page.waitForRequest(/\/v1\/acc_[^/]+\/projects/), page.keyboard.press('Enter')]);
  const accountId = /acc_[^/]+/.exec(asked.url())?.[0] ?? '';

  await page.getByRole('heading', { name: 'Projects' }).waitFor();
  await press(page, 'New project');
  await answer(page, 'Tides');
  await page.waitForURL(/\/p\/tides\/connect/);

  await goTo(page, 'configuration', /\/p\/tides\/\w+\/state/);
  await press(page, 'Create configuration');
  await tabTo(page.locator('.cm-content'));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText('{"gold":1}');
  await page.locator('.status-good').waitFor();
  await page.keyboard.press('ControlOrMeta+s');
  await answer(page, 'By keyboard');
  await toast(page, 'Version 1 saved');
  await page.locator('.dialog').waitFor({ state: 'detached' });
  await type(page, page.locator('.cm-content'), '{"gold":2}');
  await page.locator('.status-good').waitFor();
  await press(page, 'Review and save');
  await (await dialog(page)).locator('[type=submit]:enabled').waitFor();
  await page.keyboard.press('Enter');
  await toast(page, 'Version 2 saved');
  await page.locator('.dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('F6');
  await page.locator('.toast button:focus', { hasText: 'Undo' }).waitFor();
  await page.keyboard.press('Enter');
  await toast(page, 'Restored the previous content as version 3');

  await goTo(page, 'history', /\/history/);
  await tabTo(page.locator('.version[tabindex="0"]'));
  await page.keyboard.press('ArrowDown');
  await page.waitForURL(/version=2/);
  await press(page, /^Go back to version 2/);
  await (await dialog(page)).locator('[type=submit]:enabled').waitFor();
  await page.keyboard.press('Enter');
  await toast(page, 'Restored as version 4');
  await page.locator('.dialog').waitFor({ state: 'detached' });
  await tabTo(page.getByLabel('Compare with', { exact: true }));
  await page.keyboard.press('End');
  await page.waitForURL(/from=1/);
  await tabTo(page.locator('.change-list li button'));

  await goTo(page, 'compare', /\/environments/);
  await press(page, 'Promote 1 change to Staging');
  await toast(page, 'Staging is now at version 1');

  await goTo(page, 'team', /\/team/);
  await press(page, 'Invite');
  await answer(page, 'second@example.com');
  await page.locator('.secret').waitFor();
  await press(page, 'I have copied it');
  await page.locator('tr', { hasText: 'second@example.com' }).waitFor();

  const player = { accountId, slug: 'tides', environment: 'development' as const, userId: 'ada' };
  const token = await world.server.running.accessTokens.signPlayerToken({ ...player, seconds: 900 });
  const userState = await world.server.call('PATCH', `/v1/${accountId}/projects/tides/user-state/development`, {
    headers: { Authorization: `Bearer ${token}`, 'If-None-Match': '*' },
    body: { ops: [{ op: 'add', path: '/level', value: 7 }] },
  });
  expect(userState.status, userState.text).toBe(200);
  await goTo(page, 'all projects', /\/console\/$/);
  await goTo(page, 'tides', /\/p\/tides/);
  await page.locator('.sidebar').getByRole('link', { name: 'Players' }).waitFor();
  await goTo(page, 'players', /\/players/);
  await type(page, page.getByRole('searchbox', { name: 'Find a player' }), 'ada');
  await page.keyboard.press('Enter');
  await page.locator('.save-fields', { hasText: /Level\s*7/ }).waitFor();

  await goTo(page, 'api keys', /\/keys/);
  await press(page, 'New key');
  await answer(page, 'Build');
  await page.locator('.secret').waitFor();
  await press(page, 'I have copied it');
  await press(page, 'Actions: Build');
  await page.locator('.menu-item:focus', { hasText: 'Revoke' }).waitFor();
  await page.keyboard.press('Enter');
  await dialog(page);
  await page.locator('.dialog button:focus', { hasText: 'Cancel' }).waitFor();
  await press(page, 'Revoke', 'Space');
  await toast(page, 'Key revoked');

  await goTo(page, 'player sign-in', /\/sign-in/);
  await tabTo(page.getByRole('switch', { name: /^Players can sign in/ }));
  await page.keyboard.press('Space');
  await type(page, page.getByLabel('Return addresses'), 'https://game.example/done');
  await tabTo(page.getByRole('checkbox', { name: 'Email and password' }));
  await page.keyboard.press('Space');
  await press(page, 'Save');
  await toast(page, 'Settings saved');

  await goTo(page, 'settings', /\/settings/);
  await type(page, page.getByLabel('Name', { exact: true }), 'Tides of Autumn');
  await page.keyboard.press('Enter');
  await toast(page, 'Saved: Name');
  await page.context().close();
}, 240_000); // about a hundred keys and two dozen pages

/** A game's document for the story. */
const game = (bow: number, storms: boolean, partySize = 4) => ({
  features: { seaStorms: storms, crossPlay: true },
  limits: { partySize },
  shop: { items: ['sword', 'bow', 'potion'].map((id) => ({ id, price: id === 'bow' ? bow : 120 })) },
});

/** Creates a project with a schema in development, a protected production, and a signed-in player. */
async function openGame(studio: Developer) {
  const { server } = world;
  const project = `/v1/${studio.accountId}/projects/glass`;
  const send = async (method: 'POST' | 'PUT' | 'PATCH', path: string, body: object, headers = {}) => {
    const answer = await server.call(method, path, { headers: { ...studio.bearer, ...headers }, body });
    expect(answer.status, answer.text).toBeLessThan(300);
  };
  await send('POST', `/v1/${studio.accountId}/projects`, { slug: 'glass', name: 'Sea of Glass' });
  for (const env of ['development', 'staging', 'production']) {
    await writeVersions(server, `${project}/public-state/${env}`, studio.bearer, [[game(300, false), 'Summer']]);
  }
  const items = { items: { properties: { price: { type: 'integer', minimum: 1 } } } };
  const schema = { properties: { shop: { properties: { items } } } };
  await send('PUT', `${project}/schemas/development/public-state`, { mode: 'enforce', schema }, { 'If-None-Match': '*' });
  await send('PATCH', project, { protectedEnvironments: ['production'] });
  const player = { accountId: studio.accountId, slug: 'glass', environment: 'production' as const, userId: 'hedy' };
  const token = await server.running.accessTokens.signPlayerToken({ ...player, seconds: 900 });
  const headers = { Authorization: `Bearer ${token}` };
  const userState = `${project}/user-state/production`;
  await send('PATCH', userState, { ops: [{ op: 'add', path: '/gold', value: 5 }] }, { ...headers, 'If-None-Match': '*' });
  return {
    read: async (env: string) =>
      (await server.call('GET', `${project}/public-state/${env}`, { headers: studio.bearer })).json as {
        version: number;
        state: ReturnType<typeof game>;
      },
    readUserState: async () => (await server.call('GET', userState, { headers })).json,
    watchUserState: () => readEvents(server.baseUrl, `${userState}/changes`, headers),
  };
}

it('a release day: edit, check, review, promote to a protected production, fix with one click, help a player', async () => {
  const studio = await world.server.newDeveloper('Lanternfish Games');
  const { read, readUserState, watchUserState } = await openGame(studio);
  const at = `${world.server.baseUrl}/console/p/glass`;
  const email = 'mara@example.com';
  const ada = await world.signedIn(studio, '/team?invite=true');
  await ada.getByRole('textbox', { name: 'Email address' }).fill(email);
  await ada.getByRole('radio', { name: /^Editor/ }).check();
  await ada.getByRole('checkbox', { name: 'Production' }).check();
  await ada.getByRole('button', { name: 'Create link' }).click();
  const link = (await ada.locator('.secret code').textContent()) ?? '';
  const mara = await join(world, { link, email, facts: /Lanternfish Games[\s\S]*Editor/ });

  // Mara edits. The editor shows schema violations before she saves.
  await mara.goto(`${at}/development/state`);
  await typeDocument(mara, JSON.stringify(game(0, true, 6)));
  await mara.getByText(/1 problem · shop › items › 1 › price · must be at least 1/).waitFor();
  await typeDocument(mara, JSON.stringify(game(420, true, 6)));
  await mara.getByText(/must be at least 1/).waitFor({ state: 'detached' });
  await mara.getByRole('button', { name: 'Review and save' }).click();
  await mara.locator('.change-list li', { hasText: 'shop › items › bow › price' }).getByText('420').waitFor();
  await mara.getByLabel('Comment').fill('Autumn: storms, larger parties, a dearer bow');
  await mara.getByRole('button', { name: 'Save', exact: true }).click();
  await toast(mara, 'Version 2 saved');
  await mara.goto(`${at}/environments?from=development&to=staging`);
  await mara.getByRole('button', { name: /^Promote .*to Staging$/ }).click();
  await toast(mara, 'Staging is now at version 2');
  await mara.goto(`${at}/environments?from=staging&to=production`);
  await mara.getByText('Production is protected: only owners and admins can change it').waitFor();
  await mara.getByRole('checkbox', { name: 'Changes to promote' }).check();
  expect(await mara.getByRole('button', { name: 'Propose for Production' }).isEnabled()).toBe(true);
  expect(await mara.getByRole('button', { name: /^Promote .*to Production$/ }).count()).toBe(0);
  await mara.goto(`${at}/production/state`);
  await mara.locator('.status-live[data-on]').waitFor();

  // Ada reviews, and leaves one change for later.
  await ada.goto(`${at}/development/history`);
  await ada.locator('.version[aria-expanded="true"]', { hasText: 'Autumn: storms, larger parties' }).waitFor();
  await ada.locator('.comparison .change-list li', { hasText: 'Limits › Party size' }).getByText('6').waitFor();
  await ada.goto(`${at}/environments?from=staging&to=production`);
  await ada.getByRole('checkbox', { name: 'Changes to promote' }).check();
  await ada.getByRole('checkbox', { name: /Party size/ }).uncheck();
  await ada.getByRole('button', { name: 'Promote 2 changes to Production' }).click();
  await ada.getByRole('heading', { name: 'Promote 2 changes to Production?' }).waitFor();
  await ada.getByRole('textbox', { name: 'Comment' }).fill('Autumn');
  await ada.getByRole('button', { name: 'Promote 2 changes to Production', exact: true }).click();
  await toast(ada, 'Production is now at version 2');
  expect((await read('production')).state).toEqual(game(420, true, 4));
  await mara.locator('.cm-line', { hasText: '"price": 420' }).waitFor();

  // A wrong value reaches production, and is undone with one click.
  await ada.goto(`${at}/production/state`);
  await typeDocument(ada, JSON.stringify(game(42, true)));
  await ada.getByRole('button', { name: 'Review and save' }).click();
  await ada.getByLabel('Comment').fill('A typing mistake');
  await ada.getByRole('button', { name: 'Save 1 change to Production' }).click();
  await ada.locator('.toast', { hasText: 'Version 3 saved' }).getByRole('button', { name: 'Undo' }).click();
  await toast(ada, 'Restored the previous content as version 4');
  expect(await read('production')).toMatchObject({ version: 4, state: game(420, true) });
  await mara.locator('.cm-line', { hasText: '"price": 420' }).waitFor();

  // Mara helps a player. The change reaches the player immediately.
  const stream = await watchUserState();
  expect((await stream.next()).type).toBe('snapshot');
  await mara.goto(`${at}/production/players`);
  await mara.getByRole('searchbox').fill('hedy');
  await mara.getByRole('link', { name: 'hedy' }).click();
  await mara.getByRole('button', { name: 'Change save' }).click();
  const saving = mara.getByRole('dialog', { name: 'Change the save of hedy Production' });
  await saving.getByText('JSON', { exact: true }).click();
  await typeInto(mara, '.dialog', '{"gold":505}');
  await saving.getByRole('button', { name: 'Review' }).click();
  await saving.getByLabel('Reason').fill('Lost in last night’s storm');
  await saving.getByRole('button', { name: 'Change save in Production', exact: true }).click();
  await toast(mara, 'The save is now at version 2');
  expect(await stream.next()).toMatchObject({ type: 'change', data: { version: 2 } });
  expect(await readUserState()).toEqual({ version: 2, state: { gold: 505 } });
  stream.close();

  await ada.goto(`${world.server.baseUrl}/console/audit`);
  await ada.locator('tr', { hasText: 'changed the save of the player' }).getByText('mara').waitFor();
  await ada.locator('tr', { hasText: 'changed the protected configuration' }).first().waitFor();
  await Promise.all([ada, mara].map((page) => page.context().close()));
});
