/** Settings of projects, keys and the account, in a real browser against a real server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { draftCount, openEditor, stateOf, toast } from './editor.ts';
import { type ConsoleWorld, openConsoleWorld } from './world.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.stop());

describe('keys', () => {
  it('are created, shown once, and revoked', async () => {
    const { project, page } = await openEditor(world, { a: 1 });
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/keys`);
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('Build');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const apiKey = (await page.locator('.secret code').innerText()).trim();
    const read = () => world.server.call('GET', stateOf(project), { headers: { Authorization: `ApiKey ${apiKey}` } });
    expect((await read()).status).toBe(200);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.locator('tr', { hasText: 'Build' }).getByText('Read', { exact: true }).waitFor();
    expect(await page.locator('tr', { hasText: 'Build' }).locator('.environment').allInnerTexts()).toEqual(['Development']);
    await page.getByRole('button', { name: 'Actions: Build' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.locator('.dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await toast(page, 'Key revoked');
    expect((await read()).status).toBe(401);
    expect(await page.content()).not.toContain(apiKey);
    await page.context().close();
  });
});

describe('sign-in settings', () => {
  it('are changed, after a preview', async () => {
    const { project, page } = await openEditor(world);
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/sign-in`);
    await page.getByRole('switch').check();
    await page.getByLabel('Email and password').check();
    await page.getByLabel('Return addresses').fill('https://game.example/done');
    await page.getByLabel('Main color').fill('#7a2e8e');
    const button = `document.querySelector('.login-preview-page').shadowRoot.querySelector('.primary')`;
    const colour = () => page.evaluate(`getComputedStyle(${button}).backgroundColor`);
    await expect.poll(colour).toBe('rgb(122, 46, 142)');
    await expect.poll(() => page.evaluate(draftCount)).toBe(1);
    await page.reload();
    await page.getByText(/^Your unsaved changes from .* are restored/).waitFor();
    await page.getByRole('button', { name: 'Another provider' }).click();
    const copy = page.locator('.callback').getByRole('button', { name: 'Copy' });
    expect(await copy.count()).toBe(0);
    await page.getByLabel('Short name').fill('acme');
    await page.locator('.callback code', { hasText: `/callback/${project.developer.accountId}/oidc.acme` }).waitFor();
    await copy.waitFor();
    await page.getByLabel('Name on the button').fill('Acme');
    await page.getByLabel('Issuer').fill('https://login.acme.invalid');
    await page.getByLabel('Client ID').fill('game');
    await page.keyboard.press('Enter');
    await toast(page, 'Provider saved');
    const preview = `document.querySelector('.login-preview-page').shadowRoot.querySelector('main').innerText`;
    await expect
      .poll(() => page.evaluate(preview))
      .toMatch(/Continue with Acme[\s\S]*Forgot password\?[\s\S]*Create account/);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await toast(page, 'Settings saved');
    const settings = `${project.path}/auth/end-user/config`;
    expect((await world.server.call('GET', settings, { headers: project.developer.bearer })).json).toMatchObject({
      enabled: true,
      allowedIdps: ['password', 'oidc.acme'],
      redirectUris: ['https://game.example/done'],
      primaryColor: '#7a2e8e',
    });
    // An app on this computer asks to return to an address that is not registered.
    const uri = 'http://localhost:5173/signed-in';
    const query = new URLSearchParams({ client_id: `${project.developer.accountId}.${project.slug}`, redirect_uri: uri });
    await world.server.call('GET', `/v1/auth/authorize/context?${query}`);
    await page.reload();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    expect(await page.getByLabel('Return addresses').inputValue()).toBe(`https://game.example/done\n${uri}`);
    await page.getByText('Mail', { exact: true }).click();
    await page.getByLabel('Greeting').fill('Ahoy!');
    const mail = `document.querySelector('.mail-preview [role=img]').shadowRoot.textContent`;
    await expect.poll(() => page.evaluate(mail)).toMatch(/Ahoy![\s\S]*482913/);
    await page.context().close();
  });
});

describe('projects and the account', () => {
  it('are created, renamed, and deleted after typing the slug', async () => {
    const { developer, page } = await openEditor(world);
    await page.goto(`${world.server.baseUrl}/console/`);
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Käpt’n Ølaf');
    expect(await page.getByLabel('Short name in addresses').inputValue()).toBe('kapt-n-laf');
    await page.locator('.dialog code', { hasText: /\/projects\/kapt-n-laf$/ }).waitFor();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForURL(/kapt-n-laf\/connect/);
    await page.goto(`${world.server.baseUrl}/console/p/kapt-n-laf/settings`);
    await page.getByLabel('Name', { exact: true }).fill('Olaf');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await toast(page, 'Saved: Name');
    await page.locator('.sidebar .project-button').click();
    await page
      .locator('.project-menu .palette-item')
      .first()
      .and(page.locator('[aria-current]', { hasText: 'Olaf' }))
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Delete the project' }).click();
    const button = page.locator('.dialog').getByRole('button', { name: 'Delete the project' });
    expect(await button.isDisabled()).toBe(true);
    await page.locator('.dialog input').fill('kapt-n-laf');
    await button.click();
    await toast(page, 'Project deleted');
    const projects = await world.server.call('GET', `/v1/${developer.accountId}/projects`, { headers: developer.bearer });
    expect((projects.json as { items: unknown[] }).items).toHaveLength(1);
    await page.context().close();
  });

  it('keep fewer versions of public state, after a warning about lost ones', async () => {
    const { project, developer, page } = await openEditor(world, { a: 1 });
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/settings`);
    const card = page.locator('.public-history');
    const fewer = page.getByRole('button', { name: 'Keep fewer versions …' });
    expect(await page.locator('.save-bar').count()).toBe(0);
    await card.getByText('Only the latest').click();
    await page.getByText('Not saved yet: History of the configuration').waitFor();
    await card.getByLabel('Versions', { exact: true }).fill('1001');
    await card.getByText('Enter a whole number from 0 to 1000.').waitFor();
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    await card.getByLabel('Versions', { exact: true }).fill('20');
    await fewer.click();
    await page.locator('.dialog').getByText('all before the latest 20,').waitFor();
    const exporting = page.locator('.dialog').getByRole('link', { name: 'How to export them first' });
    expect(await exporting.getAttribute('href')).toMatch(/\/docs\/backup#export-and-import$/);
    await page.locator('.dialog').getByRole('button', { name: 'Delete older versions' }).click();
    await toast(page, 'Saved: History of the configuration');
    const setting = async () => {
      return (await world.server.call('GET', project.path, { headers: developer.bearer })).json;
    };
    expect(await setting()).toMatchObject({ publicStateHistory: { versions: 20, days: 90 } });
    await card.getByText('All versions').click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(setting).toMatchObject({ publicStateHistory: null });
    await page.context().close();
  });

  it('switch the check of flags immediately, and save everything else together, each with undo', async () => {
    const { project, developer, page } = await openEditor(world, { a: 1 });
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/settings`);
    const setting = async () => {
      return (await world.server.call('GET', project.path, { headers: developer.bearer })).json;
    };
    const first = (await setting()) as { name: string };
    await page.getByLabel('Name', { exact: true }).fill('');
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    await page.getByLabel('Name', { exact: true }).fill('Olaf');
    await page.getByRole('checkbox', { name: 'Production' }).check();
    await page.getByText('Not saved yet: Name, Protected environments').waitFor();

    // The switch leaves what is not saved as it is.
    await page.getByRole('switch', { name: 'Refuse faulty flags' }).click();
    await toast(page, 'Faulty flags are now refused');
    expect(await setting()).toMatchObject({ ...first, flagsCheck: 'enforce' });
    await page.locator('.toast', { hasText: 'now refused' }).getByRole('button', { name: 'Undo' }).click();
    await toast(page, 'Faulty flags are no longer refused');
    expect(await setting()).toEqual(first);

    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await toast(page, 'Saved: Name, Protected environments');
    const changed = { name: 'Olaf', protectedEnvironments: ['production'] };
    expect(await setting()).toEqual({ ...first, ...changed });
    expect(await page.locator('.save-bar').count()).toBe(0);
    await page.locator('.toast', { hasText: 'Saved:' }).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(setting).toEqual(first);

    await page.getByLabel('Name', { exact: true }).fill('Hilda');
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(first.name);
    await page.context().close();
  });

  it('show usage, and rename the account', async () => {
    const { developer, page } = await openEditor(world, { a: 1 });
    await page.goto(`${world.server.baseUrl}/console/usage`);
    await page.getByRole('heading', { name: 'API requests this month' }).waitFor();
    expect(await page.locator('.meters .daily tbody tr').count()).toBe(30);
    expect(Number(await page.locator('.meters .daily tbody tr').last().locator('td').textContent())).toBeGreaterThan(0);
    await page.goto(`${world.server.baseUrl}/console/account`);
    await page.getByLabel('Name', { exact: true }).fill('Lanternfish');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await toast(page, 'Saved: Name');
    const account = await world.server.call('GET', `/v1/${developer.accountId}`, { headers: developer.bearer });
    expect(account.json).toMatchObject({ name: 'Lanternfish' });
    await page.context().close();
  });
});
