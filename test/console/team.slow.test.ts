/** A team in the console, in two browsers: invitations, roles and their limits, the audit trail, and removal. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Developer } from '../support/server.ts';
import { typeInto } from './editor.ts';
import { join } from './people.ts';
import { type ConsoleWorld, openConsoleWorld, writeVersions } from './world.ts';

let world: ConsoleWorld;
let studio: Developer;
let project: string;
beforeAll(async () => {
  world = await openConsoleWorld();
  studio = await world.server.newDeveloper('Lanternfish Games');
  project = `/v1/${studio.accountId}/projects/glass`;
  await world.server.call('POST', `/v1/${studio.accountId}/projects`, { headers: studio.bearer, body: { slug: 'glass' } });
  await writeVersions(world.server, `${project}/public-state/production`, studio.bearer, [[{ price: 300 }, 'First']]);
});
afterAll(() => world.stop());

const email = 'maria@example.com';

it('a member is invited, edits, is refused production, is promoted by an admin, and is signed out once removed', async () => {
  const owner = await world.signedIn(studio, '/team');
  await owner.getByRole('button', { name: 'Invite' }).click();
  await owner.getByRole('textbox', { name: 'Email address' }).fill(email);
  await owner.getByRole('radio', { name: /^Editor/ }).check();
  expect(await owner.getByRole('checkbox', { name: 'Production' }).isChecked()).toBe(false);
  await owner.getByRole('button', { name: 'Create link' }).click();
  const link = (await owner.locator('.secret code').textContent()) ?? '';
  expect(link).toMatch(/\/console\/join#[0-9A-Za-z]{43}$/);
  await owner.getByRole('button', { name: 'I have copied it' }).click();
  await owner.locator('.below tr', { hasText: email }).waitFor();

  const maria = await join(world, { link, email, facts: /Lanternfish Games[\s\S]*Editor/ });
  await owner.goto(`${world.server.baseUrl}/console/p/glass/settings`);
  await owner.locator('.sidebar .nav-title').getByText('All environments').waitFor();
  await owner.getByRole('checkbox', { name: 'Production' }).check();
  await owner.getByRole('button', { name: 'Save', exact: true }).click();
  await owner.getByText('Saved: Protected environments').waitFor();
  await maria.goto(`${world.server.baseUrl}/console/p/glass/production/state`);
  await maria.getByText('Production is protected: only owners and admins can change it').waitFor();
  await maria.goto(`${world.server.baseUrl}/console/audit`);
  await maria.getByText('Your role does not allow this').waitFor();

  await owner.goto(`${world.server.baseUrl}/console/team`);
  await owner
    .locator('tr', { hasText: email })
    .getByRole('button', { name: /^Actions: / })
    .click();
  await owner.getByRole('menuitem', { name: 'Change' }).click();
  expect(await owner.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await owner.getByRole('radio', { name: /^Admin/ }).check();
  await owner.getByRole('checkbox', { name: 'Production' }).check();
  await owner.getByRole('button', { name: 'Save' }).click();
  await owner.locator('tr', { hasText: email }).getByText('Admin').waitFor();
  await maria.reload();
  const protectedNow = maria.locator('tr', { hasText: 'changed the project' });
  expect(await protectedNow.getByText('Production').count()).toBe(0);
  await protectedNow.getByRole('button', { name: 'Details' }).click();
  await protectedNow.getByText('Production').waitFor();
  const changed = maria.locator('tr', { hasText: 'changed the access of the member' });
  expect(await changed.getByRole('link', { name: email }).getAttribute('href')).toBe('/console/team');
  await maria.locator('tr', { hasText: 'changed the project' }).getByRole('link', { name: 'glass' }).click();
  await maria.getByRole('heading', { name: 'glass', exact: true }).waitFor();
  await maria.goto(`${world.server.baseUrl}/console/p/glass/production/state`);
  await typeInto(maria, 'main', '{"price":420}');
  await maria.getByRole('button', { name: 'Review and save' }).click();
  await maria.locator('.change-list', { hasText: '300' }).getByText('420').waitFor();
  expect(await maria.getByRole('button', { name: 'Save 1 change to Production' }).isDisabled()).toBe(true);
  await maria.getByLabel('Comment').fill('Autumn prices');
  await maria.getByRole('button', { name: 'Save 1 change to Production' }).click();
  await maria.getByText('Version 2 saved', { exact: true }).waitFor();

  await maria.goto(`${world.server.baseUrl}/console/account`);
  const switchName = 'Members need a second factor';
  await maria.locator('.card', { hasText: switchName }).getByText('Only owners can change this.').waitFor();
  expect(await maria.getByRole('switch', { name: switchName }).isDisabled()).toBe(true);
  await maria.goto(`${world.server.baseUrl}/console/team`);
  await maria.locator('tr', { hasText: email }).getByText('(you)').waitFor();

  await owner
    .locator('tr', { hasText: email })
    .getByRole('button', { name: /^Actions: / })
    .click();
  await owner.getByRole('menuitem', { name: 'Remove' }).click();
  await owner.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await owner.getByText('Removed from the account').waitFor();
  await maria.reload();
  await maria.getByRole('heading', { name: /^Sign in$|You are signed out/ }).waitFor();
  await Promise.all([owner, maria].map((page) => page.context().close()));
});

it('the only owner can be neither removed nor given another role, and the menu says why', async () => {
  const page = await world.signedIn(studio, '/team');
  await page.getByRole('button', { name: 'Invite' }).click();
  const address = 'olga@example.com';
  await page.getByRole('textbox', { name: 'Email address' }).fill(address);
  await page.getByRole('radio', { name: /^Owner/ }).check();
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = (await page.locator('.secret code').textContent()) ?? '';
  await page.getByRole('button', { name: 'I have copied it' }).click();
  const olga = await join(world, { link, email: address, facts: /Owner/ });
  await page.reload();
  await page
    .locator('tr', { hasText: address })
    .getByRole('button', { name: /^Actions: / })
    .click();
  expect(await page.getByRole('menuitem', { name: 'Change role' }).isDisabled()).toBe(true);
  const remove = page.getByRole('menuitem', {
    name: /^Remove.* is the only owner\. Make another member an owner first\.$/,
  });
  await remove.waitFor();
  expect(await remove.isDisabled()).toBe(true);
  await remove.click({ force: true });
  expect(await page.getByRole('dialog').count()).toBe(0);
  await Promise.all([page, olga].map((one) => one.context().close()));
});

it('an owner requires a second factor of all members, and lifts the requirement', async () => {
  const page = await world.signedIn(studio, '/account');
  const control = page.getByRole('switch', { name: 'Members need a second factor' });
  const isRequired = async () => {
    const { json } = await world.server.call('GET', `/v1/${studio.accountId}`, { headers: studio.bearer });
    return (json as { requireSecondFactor: boolean }).requireSecondFactor;
  };
  await control.click();
  await page.getByRole('dialog', { name: 'Require a second factor?' }).getByRole('button', { name: 'Cancel' }).click();
  expect([await control.isChecked(), await isRequired()]).toEqual([false, false]);
  await control.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Require' }).click();
  await page.getByText('Members now need a second factor').waitFor();
  await expect.poll(() => control.isChecked()).toBe(true);
  expect(await isRequired()).toBe(true);
  const folder = process.env.HOLDFAST_PICTURES;
  if (folder !== undefined) await page.screenshot({ path: `${folder}/console-account.png` });
  await control.click();
  await page.getByText('A second factor is no longer required').waitFor();
  expect(await isRequired()).toBe(false);
  await page.context().close();
});

it('a second factor cannot be required with an outside identity provider, and the page says why', async () => {
  const outside = await openConsoleWorld({
    settings: { SVC_IDP_ISSUER: 'https://id.example', SVC_IDP_AUDIENCE: 'holdfast' },
  });
  const page = await outside.signedIn(await outside.server.newDeveloper(), '/account');
  const control = page.getByRole('switch', { name: 'Members need a second factor' });
  await control.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Require' }).click();
  await page.getByText('People sign in here through your own identity provider').waitFor();
  expect(await control.isChecked()).toBe(false);
  await outside.stop();
});

it('a service account is created, gets a token with its secret, is rotated, and is deleted', async () => {
  const page = await world.signedIn(studio, '/service-accounts');
  await page.getByRole('button', { name: 'New service account' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Deploy');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const shown = async () => {
    await page.locator('.secret code').nth(1).waitFor(); // `allTextContents` does not wait
    return page.locator('.secret code').allTextContents();
  };
  const [id = '', secret = ''] = await shown();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  const signIn = (clientSecret: string) =>
    world.server.call('POST', '/v1/auth/token', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: `${new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: clientSecret })}`,
    });
  expect((await signIn(secret)).status).toBe(200);
  await page.getByRole('button', { name: 'Actions: Deploy' }).click();
  await page.getByRole('menuitem', { name: 'Secrets' }).click();
  await page.getByRole('button', { name: 'Create a secret' }).click();
  const [, next = ''] = await shown();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  expect([(await signIn(secret)).status, (await signIn(next)).status]).toEqual([200, 200]);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Actions: Deploy' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No service accounts yet').waitFor();
  expect((await signIn(next)).json).toMatchObject({ error: 'invalid_client' });
  await page.context().close();
});
