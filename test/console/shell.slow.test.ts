/** What surrounds every page of the console, in a real browser against a real server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEditor, typeDocument } from './editor.ts';
import { type ConsoleWorld, openConsoleWorld } from './world.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.stop());

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
