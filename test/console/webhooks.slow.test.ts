/** The webhooks of a project in the console, with a receiver on loopback. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isVerified, openReceiver, type Receiver, replyWith } from '../http/webhook-receiver.ts';
import type { Developer, Project } from '../support/server.ts';
import { toast } from './editor.ts';
import { type ConsoleWorld, openConsoleWorld } from './world.ts';

let world: ConsoleWorld;
let receiver: Receiver;
beforeAll(async () => {
  [world, receiver] = await Promise.all([openConsoleWorld(), openReceiver()]);
});
afterAll(async () => {
  await world.stop();
  await receiver.close();
});

interface Opened {
  readonly page: Page;
  readonly developer: Developer;
  readonly project: Project;
}

async function openWebhooks(): Promise<Opened> {
  const developer = await world.server.newDeveloper();
  const project = await world.server.newProject(developer);
  return { developer, project, page: await world.signedIn(developer, `/p/${project.slug}/webhooks`) };
}

/** Copies the secret that is shown once, and closes its dialog. */
async function takeSecret(page: Page): Promise<string> {
  const secret = await page.locator('.dialog .secret code').innerText();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.locator('.dialog').waitFor({ state: 'detached' });
  return secret;
}

async function choose(page: Page, action: string): Promise<void> {
  await page.locator('.row-menu').first().click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

it('is made, tested, changed, given a new secret, switched off and deleted', async () => {
  const { page, project, developer } = await openWebhooks();
  await page.getByRole('button', { name: 'New webhook' }).click();
  await page.getByLabel('URL').fill(receiver.url);
  await page.getByLabel('Name', { exact: true }).fill('Release chat');
  const proposals = page.getByRole('checkbox', { name: 'Proposals', exact: true });
  await proposals.check();
  await page.locator('summary', { hasText: 'Proposals: 8 of 8' }).click();
  await page.getByLabel('Change proposed').uncheck();
  expect(await proposals.evaluate((input: { indeterminate?: boolean }) => input.indeterminate)).toBe(true);
  await proposals.check();
  await proposals.uncheck();
  await page.locator('summary', { hasText: 'Players: 0 of 6' }).click();
  await page.getByLabel('Player erased').check();
  await page.getByRole('button', { name: 'Create' }).click();
  const secret = await takeSecret(page);
  const listed = await world.server.call('GET', `${project.path}/webhooks`, { headers: developer.bearer });
  expect(listed.json).toMatchObject({
    items: [{ description: 'Release chat', events: ['public_state.changed', 'player.erased'], environments: null }],
  });

  await choose(page, 'Send a test');
  await toast(page, 'Test sent');
  expect(isVerified(secret, await receiver.next(({ event }) => event.type === 'test'))).toBe(true);
  await page.locator('tbody td[data-label="Last attempt"] time').waitFor();

  await choose(page, 'Change');
  await page.getByLabel('Name', { exact: true }).fill('Build server');
  await page.getByRole('checkbox', { name: 'Staging' }).uncheck();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await toast(page, 'Webhook saved');
  await page.locator('tbody', { hasText: 'Build server' }).waitFor();
  await page.locator('tbody .environment', { hasText: 'Production' }).waitFor();

  await choose(page, 'New secret');
  await page.getByRole('checkbox', { name: 'End the old secret now' }).check();
  await page.getByRole('button', { name: 'New secret' }).click();
  const next = await takeSecret(page);
  receiver.received.length = 0;
  await choose(page, 'Send a test');
  const second = await receiver.next();
  expect([isVerified(next, second), isVerified(secret, second)]).toEqual([true, false]);

  await choose(page, 'Switch off');
  await page.locator('.toast', { hasText: 'Webhook switched off' }).getByRole('button', { name: 'Undo' }).click();
  await toast(page, 'Webhook switched on');
  await choose(page, 'Delete');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
});

it('lists deliveries by status, tries a failed one again, and says why the service switched a webhook off', async () => {
  const { page, project, developer } = await openWebhooks();
  const body = { url: receiver.url, events: ['schema.changed'] };
  const made = await world.server.call('POST', `${project.path}/webhooks`, { headers: developer.bearer, body });
  const { id } = made.json as { id: string };
  receiver.respond = (response) => void response.writeHead(503, { 'X-Reason': 'asleep', 'Set-Cookie': 'a=b' }).end();
  await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/webhooks/${id}`);
  await page.getByRole('heading', { name: 'Nothing has been sent yet' }).waitFor();
  expect(await page.locator('.sidebar [aria-current]').allInnerTexts()).toEqual(['Settings']);
  await page.getByRole('button', { name: 'Send a test' }).click();
  const row = page.locator('tbody tr', { hasText: 'Test' });
  await row
    .filter({ hasText: /Retrying \(\d of 9\)/ })
    .filter({ hasText: '503' })
    .waitFor();
  const failing = page.locator('.notice.bad', { hasText: 'The receiver failed (status 503)' });
  await failing.getByRole('button', { name: 'Change address' }).click();
  await page.getByRole('dialog', { name: 'Change the webhook' }).getByRole('button', { name: 'Cancel' }).click();
  await page.getByLabel('Result').selectOption('Delivered');
  await page.getByText('No delivery has this result.').waitFor();
  await page.getByLabel('Result').selectOption('Not delivered yet');
  await row.getByRole('button', { name: 'Test', exact: true }).click();
  const dialog = page.locator('.dialog');
  await dialog.getByText('x-reason: asleep').waitFor();
  await dialog.getByText(`POST ${new URL(receiver.url).host}`).waitFor();
  expect(await dialog.innerText()).not.toContain('cookie');
  receiver.respond = replyWith(204);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByText('The body is deleted after delivery.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('No delivery has this result.').waitFor();
  await page.getByLabel('Result').selectOption('All');
  await row.filter({ hasText: 'Delivered' }).filter({ hasText: '204' }).waitFor();

  receiver.respond = replyWith(500);
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.locator('.notice.bad').waitFor();
  await page.route('**/retry', (route) => {
    receiver.respond = replyWith(204); // not sooner: the service tries again by itself
    return route.continue();
  });
  await page.getByRole('button', { name: 'Try all again' }).click();
  await toast(page, '1 delivery will be sent again now');
  await page.locator('.notice.bad').waitFor({ state: 'detached' });

  receiver.respond = replyWith(410);
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.locator('.notice.warn', { hasText: 'the receiver replied that it no longer exists (410)' }).waitFor();
  await choose(page, 'Switch on');
  await page.locator('.notice.warn').waitFor({ state: 'detached' });
});
