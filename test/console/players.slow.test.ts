/** Player support in the console, against a real server: finding, viewing, editing, blocking and erasing a player. */
import type { Environment } from '@holdfast/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EventReader, readEvents } from '../support/events.ts';
import type { Developer, Project } from '../support/server.ts';
import { toast, typeInto } from './editor.ts';
import { join } from './people.ts';
import { type ConsoleWorld, openConsoleWorld } from './world.ts';

let world: ConsoleWorld;
let developer: Developer;
let project: Project;
let page: Page;
beforeAll(async () => {
  world = await openConsoleWorld();
  developer = await world.server.newDeveloper();
  project = await world.server.newProject(developer);
  page = await world.signedIn(developer, `/p/${project.slug}/development/players`);
});
afterAll(() => world.stop());

/** Creates a player in an environment, with a token as on the player's device. */
async function newPlayer(userId: string, environment: Environment = 'development') {
  const options = { accountId: developer.accountId, slug: project.slug, environment, userId };
  const token = await world.server.running.accessTokens.signPlayerToken({ ...options, seconds: 900 });
  const path = `${project.path}/user-state/${environment}`;
  const headers = { Authorization: `Bearer ${token}` };
  return {
    read: () => world.server.call('GET', path, { headers }),
    async save(version: number, name: string, value: unknown): Promise<void> {
      const condition = version === 0 ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` };
      const body = { ops: [{ op: 'add', path: `/${name}`, value }] };
      const answer = await world.server.call('PATCH', path, { headers: { ...headers, ...condition }, body });
      expect(answer.status, answer.text).toBe(200);
    },
    watch: (): Promise<EventReader> => readEvents(world.server.baseUrl, `${path}/changes`, headers),
  };
}

/** Signs a player in to a project. */
async function admit(slug: string, subject: string, name: string, email: string | null): Promise<void> {
  const { store } = world.server.running;
  const player = { subject, provider: 'password', email, name };
  const admitted = await store.admitPlayer({ accountId: developer.accountId, slug }, player, Date.now());
  expect(admitted.kind).toBe('admitted');
}

const open = (path = '') => page.goto(`${world.server.baseUrl}/console/p/${project.slug}/development/players${path}`);
const dialog = () => page.locator('.dialog');
/** Replaces the text of a save in its dialog. */
async function typeSave(text: string): Promise<void> {
  await dialog().getByText('JSON', { exact: true }).click();
  await typeInto(page, '.dialog', text);
  await dialog().getByRole('button', { name: 'Review' }).click();
}
async function answerDialog(name: string): Promise<void> {
  await dialog().getByRole('button', { name, exact: true }).click();
}

describe('players', () => {
  it('are found by the beginning of their id, with a count; an unknown id is reported', async () => {
    await (await newPlayer('ada')).save(0, 'level', 7);
    await (await newPlayer('grace')).save(0, 'level', 9);
    await open();
    await page.getByText('2 players', { exact: true }).waitFor();
    expect(await page.locator('tbody th').allInnerTexts()).toEqual(['grace', 'ada']);
    await page.getByRole('searchbox').fill('AD');
    await page.getByText('1 player', { exact: true }).waitFor();
    expect(await page.locator('tbody th').allInnerTexts()).toEqual(['ada']);
    await page.keyboard.press('Enter');
    await page.locator('.save-fields div', { hasText: /^Level7$/ }).waitFor();
    const identity = page.getByRole('region', { name: 'Identity' });
    expect(await identity.innerText()).toMatch(/^This player has never signed in; only the ID is known\.$/m);
    await page.locator('.player-state').getByText('JSON', { exact: true }).click();
    await page.locator('pre', { hasText: '"level": 7' }).waitFor();
    await open();
    await page.getByRole('searchbox').fill('da');
    await page.getByText('No player found for “da”').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Player not found' }).waitFor();
  });

  it('chosen while what was typed waits to be searched open nevertheless', async () => {
    await (await newPlayer('lovelace')).save(0, 'level', 7);
    await open();
    await page.getByRole('link', { name: 'lovelace' }).waitFor();
    let goOn = () => {};
    const isHeld = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route(/\/assets\/player-[^/]+\.js$/, async (route) => {
      await isHeld;
      await route.continue();
    });
    await page.clock.install();
    await page.getByRole('searchbox').fill('love');
    await page.getByRole('link', { name: 'lovelace' }).click();
    await page.clock.runFor(1_000);
    goOn();
    await page.getByRole('region', { name: 'Identity' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/\/players\/lovelace$/);
  });

  it('are found by any word of name or email, this project first, and stay found on the way back', async () => {
    const other = await world.server.newProject(developer);
    await admit(project.slug, 'usr_hof', 'Marlene Hofstätter', 'marlene.lost@example.com');
    await admit(other.slug, 'usr_far', 'Anton Hofstetter', null);
    await open();
    const search = page.getByRole('searchbox');
    await search.fill('hofst');
    await page.getByText('1 player', { exact: true }).waitFor();
    await search.fill('lost');
    await page.getByRole('link', { name: 'Marlene Hofstätter' }).waitFor();
    await search.fill('hofst');
    await page.getByLabel('Players of').selectOption('Whole account');
    await page.getByText('2 players', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Anton Hofstetter' }).click();
    await page.getByRole('heading', { name: 'Anton Hofstetter' }).waitFor();
    await page.goBack();
    await page.getByText('2 players', { exact: true }).waitFor();
    expect(await search.inputValue()).toBe('hofst');
  });

  it('that signed up as guests keep their id, and the page says so', async () => {
    const id = `guest_${'a'.repeat(43)}`;
    await admit(project.slug, id, 'Former Guest', null);
    await open(`/${id}`);
    await page.getByText('This player began as a guest and signed up later. The ID has stayed the same.').waitFor();
  });

  it('get an amount and an entry within the limits of the schema, on top of what they saved meanwhile', async () => {
    const kit = await newPlayer('kit');
    await kit.save(0, 'gold', 950);
    await kit.save(1, 'bag', [{ id: 'rope', count: 2 }]);
    const schema = { type: 'object', properties: { gold: { type: 'integer', maximum: 2000 } } };
    const rules = await world.server.call('PUT', `${project.path}/schemas/development/user-state`, {
      headers: { ...developer.bearer, 'If-None-Match': '*' },
      body: { mode: 'enforce', schema, comment: null },
    });
    expect(rules.status, rules.text).toBe(200);
    await open('/kit');
    await page.getByRole('button', { name: 'Give …' }).click();
    await page.getByRole('dialog', { name: 'Give to kit Development' }).getByText('Choose what to give.').waitFor();
    await dialog().getByLabel('What').selectOption('Gold (950)');
    await dialog().getByText('Gold must be at most 2000.').waitFor();
    const give = dialog().getByRole('button', { name: /^(?:Give(?: 3 × torch)?|Add (?:1051|50) to Gold)$/ });
    await dialog().getByLabel('Amount').fill('1051');
    await dialog().locator('.notice', { hasText: 'gold must be at most 2000' }).waitFor();
    await dialog().getByLabel('Reason').fill('Lost in the storm');
    expect(await give.isDisabled()).toBe(true);
    await dialog().getByLabel('Amount').fill('50');
    await dialog().locator('.change-list', { hasText: '1000' }).waitFor();
    await kit.save(2, 'gold', 960);
    await give.click();
    await dialog().getByText('The player saved version 3 in the meantime').waitFor();
    await dialog().locator('.change-list', { hasText: '1010' }).waitFor();
    await give.click();
    await toast(page, 'The save is now at version 4');
    expect((await kit.read()).json).toMatchObject({ version: 4, state: { gold: 1010 } });
    await page.getByRole('button', { name: 'Give …' }).click();
    await dialog().getByLabel('What').selectOption('Bag (1 entry)');
    await dialog().getByLabel('id').fill('torch');
    await dialog().getByLabel('count').fill('3');
    await dialog().getByLabel('Reason').fill('Lost in the storm');
    await give.click();
    await toast(page, 'The save is now at version 5');
    const bag = [
      { id: 'rope', count: 2 },
      { id: 'torch', count: 3 },
    ];
    expect((await kit.read()).json).toMatchObject({ state: { bag } });
    await world.server.call('DELETE', `${project.path}/schemas/development/user-state`, {
      headers: { ...developer.bearer, 'If-Match': '"1"' },
    });
  });

  it('are shown with the environments of their saves, and open on the last save; the sidebar names the environment shown', async () => {
    await (await newPlayer('olga')).save(0, 'gold', 5);
    await (await newPlayer('olga', 'production')).save(0, 'gold', 70);
    await open();
    await page.getByRole('searchbox').fill('olga');
    const row = page.locator('tbody tr', { hasText: 'olga' });
    expect(await row.locator('.environment').allInnerTexts()).toEqual(['Development', 'Production']);
    await page.getByRole('button', { name: 'Clear search' }).click();
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
    await row.getByRole('link').click();
    const [save, heading] = [page.locator('.save-fields div'), page.locator('.sidebar .nav-title')];
    await save.filter({ hasText: 'gold70' }).waitFor();
    await heading.getByText('Production').waitFor();
    const history = page.locator('.player-bar').getByRole('link', { name: 'History' });
    await history.click();
    await page.getByRole('radio', { name: 'Production', checked: true }).waitFor();
    await page.locator('.change-values', { hasText: '70' }).waitFor();
    await page.goBack();
    await page.locator('.player-bar').getByText('Staging').click();
    await page.getByRole('button', { name: 'Last save: Production' }).click();
    await save.filter({ hasText: 'gold70' }).waitFor();
    await page.locator('.player-bar').getByText('Development').click();
    await heading.getByText('Development').waitFor();
    await history.click();
    await page.getByRole('link', { name: 'Back to the player' }).click();
    await page.locator('.save-fields div', { hasText: /^Gold5/ }).waitFor();
  });

  it('get a change made in a form, with undo, even if configuration was last shown as JSON', async () => {
    await page.evaluate(`localStorage.setItem('holdfast.view', 'json')`);
    const lise = await newPlayer('lise');
    await lise.save(0, 'gold', 5);
    await lise.save(1, 'isTutorialDone', false);
    await open('/lise');
    await page.getByRole('button', { name: 'Change save' }).click();
    const review = dialog().getByRole('button', { name: 'Review' });
    expect(await review.isDisabled()).toBe(true);
    await dialog().getByRole('switch', { name: 'Is tutorial done' }).click();
    await expect.poll(() => review.isEnabled()).toBe(true);
    await dialog().getByRole('textbox', { name: 'gold' }).fill('9');
    await page.waitForTimeout(700); // the next change is a step of its own
    await dialog().getByRole('textbox', { name: 'gold' }).fill('99');
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => dialog().getByRole('textbox', { name: 'gold' }).inputValue()).toBe('9');
    await dialog().getByText('JSON', { exact: true }).click();
    await dialog().locator('.cm-content', { hasText: '"gold": 9' }).waitFor();
    await dialog().getByRole('button', { name: 'Review' }).click();
    await dialog().getByLabel('Reason').fill('A stuck tutorial');
    await answerDialog('Change save in Development');
    await toast(page, 'The save is now at version 3');
    expect((await lise.read()).json).toEqual({ version: 3, state: { gold: 9, isTutorialDone: true } });
  });

  it('cannot be blocked by support of some environments, as the invitation and the page say', async () => {
    await (await newPlayer('ida')).save(0, 'gold', 5);
    await page.goto(`${world.server.baseUrl}/console/team`);
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('textbox', { name: 'Email address' }).fill('sofia@example.com');
    await page.getByRole('radio', { name: /^Support/ }).check();
    for (const env of ['Development', 'Staging']) await page.getByRole('checkbox', { name: env }).uncheck();
    await page.getByText('Without access to all environments, support can’t block, sign out or erase players.').waitFor();
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = (await page.locator('.secret code').textContent()) ?? '';
    const sofia = await join(world, { link, email: 'sofia@example.com', facts: /Support/ });
    await sofia.goto(`${world.server.baseUrl}/console/p/${project.slug}/development/players/ida`);
    await sofia.getByText('With the role “Support” in Production you can’t block, sign out or erase players').waitFor();
    await sofia.getByText('you can view saves in Development, but not change them. You can in Production.').waitFor();
    expect(await sofia.getByRole('button', { name: /Block|Give|Change|Erase/ }).count()).toBe(0);
    await sofia.goto(`${world.server.baseUrl}/console/p/${project.slug}/keys`);
    await sofia.getByText('Your role is “Support”. Ask an admin or an owner').waitFor();
    expect(await sofia.getByRole('button', { name: 'New key' }).count()).toBe(0);
    await sofia.goto(`${world.server.baseUrl}/console/p/${project.slug}/settings`);
    await sofia.getByText('You can view this page, but not change anything on it.').waitFor();
    expect(await sofia.getByRole('button', { name: 'Delete the project' }).isDisabled()).toBe(true);
    await sofia.context().close();
  });

  it('get a change by support with a reason, merged with newer saves, on the open device', async () => {
    const hedy = await newPlayer('hedy');
    await hedy.save(0, 'gold', 5);
    const stream = await hedy.watch();
    expect((await stream.next()).type).toBe('snapshot');
    await open('/hedy');
    await page.getByRole('button', { name: 'Change save' }).click();
    await typeSave('{"gold":5');
    await dialog().getByRole('alert').getByText('The { in line 1 is never closed').waitFor();
    await typeSave('{"gold":5,"gift":1}');
    await dialog().getByRole('button', { name: 'Change save in Development', exact: true }).waitFor();
    expect(await dialog().getByRole('button', { name: 'Change save in Development', exact: true }).isDisabled()).toBe(true);
    await hedy.save(1, 'level', 2);
    expect(await stream.next()).toMatchObject({ type: 'change', data: { version: 2 } });
    await dialog().getByLabel('Reason').fill('Lost by a crash');
    await answerDialog('Change save in Development');
    await dialog().getByText('The player saved version 2 in the meantime').waitFor();
    await answerDialog('Change save in Development');
    await toast(page, 'The save is now at version 3');
    expect(await stream.next()).toMatchObject({ type: 'change', data: { version: 3 } });
    expect((await hedy.read()).json).toEqual({ version: 3, state: { gold: 5, level: 2, gift: 1 } });
    stream.close();
  });

  it('keep or lose overlapping changes as the developer chooses', async () => {
    const mae = await newPlayer('mae');
    await mae.save(0, 'gold', 5);
    await open('/mae');
    await page.getByRole('button', { name: 'Change save' }).click();
    await dialog().getByRole('textbox', { name: 'gold' }).waitFor();
    await mae.save(1, 'gold', 6);
    await typeSave('{"gold":100}');
    await dialog().locator('.conflict-side', { hasText: '100' }).getByRole('radio').check();
    await answerDialog('Continue to review');
    await dialog().getByLabel('Reason').fill('Gold that was paid for');
    await answerDialog('Change save in Development');
    await toast(page, 'The save is now at version 3');
    expect((await mae.read()).json).toEqual({ version: 3, state: { gold: 100 } });
  });

  it('get an earlier save restored with their newer saves merged in, and see it immediately', async () => {
    const kay = await newPlayer('kay');
    await kay.save(0, 'sword', 'iron');
    await kay.save(1, 'sword', 'none');
    const stream = await kay.watch();
    expect((await stream.next()).type).toBe('snapshot');
    await open('/kay');
    await page.locator('.player-bar').getByRole('link', { name: 'History' }).click();
    await page.getByRole('button', { name: /Version 1/ }).click();
    await page.getByRole('button', { name: /^Go back to version/ }).waitFor();
    await kay.save(2, 'level', 8);
    expect(await stream.next()).toMatchObject({ type: 'change', data: { version: 3 } });
    await page.getByRole('button', { name: /^Go back to version/ }).click();
    await answerDialog('Go back to version 1');
    await dialog().getByText('The player saved version 3 in the meantime').waitFor();
    expect(await dialog().getByLabel('Reason').inputValue()).toBe('Restored version 1');
    await answerDialog('Go back to version 1');
    await toast(page, 'The save is now at version 4');
    expect(await stream.next()).toMatchObject({ type: 'change', data: { version: 4 } });
    expect((await kay.read()).json).toEqual({ version: 4, state: { sword: 'iron', level: 8 } });
    const row = page.locator('.version', { hasText: 'Version 4' });
    await row.getByText('Restored version 1').waitFor();
    expect(await row.innerText()).toContain('You');
    expect(await page.locator('.version', { hasText: 'Version 3' }).innerText()).toContain('The player');
    stream.close();
  });

  it('get a lost item back, and keep what they earned since', async () => {
    const rhea = await newPlayer('rhea');
    await rhea.save(0, 'gold', 1000);
    await rhea.save(1, 'bag', ['sword', 'rope']);
    await rhea.save(2, 'bag', ['rope']);
    await rhea.save(3, 'gold', 1950);
    await open('/rhea/history?version=3');
    await page.locator('.change-list', { hasText: 'sword' }).waitFor();
    await page.getByRole('button', { name: 'Undo this change' }).click();
    await answerDialog('Undo this change');
    await toast(page, 'The save is now at version 5');
    expect((await rhea.read()).json).toEqual({ version: 5, state: { gold: 1950, bag: ['sword', 'rope'] } });
  });

  it('are signed out, blocked with a reason and an end, unblocked, exported and erased', async () => {
    const joan = await newPlayer('joan');
    await joan.save(0, 'level', 3);
    const stream = await joan.watch();
    expect((await stream.next()).type).toBe('snapshot');
    await open('/joan');
    await page.getByRole('button', { name: 'Actions', exact: true }).click();
    const [downloaded] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export' }).click(),
    ]);
    expect(downloaded.suggestedFilename()).toBe('player-joan.json');
    await page.getByRole('button', { name: 'Block player' }).click();
    await dialog().getByLabel('Reason').fill('Sells gold');
    await dialog().getByLabel('Until').selectOption('For 7 days');
    await answerDialog('Block player');
    await toast(page, 'Player blocked');
    expect((await stream.next()).data).toMatchObject({ reason: 'revoked' });
    expect((await joan.read()).status).toBe(401);
    await page.locator('.facts', { hasText: 'Sells gold' }).waitFor();
    const path = `${project.path}/players/joan`;
    const player = () => world.server.call('GET', path, { headers: developer.bearer });
    expect((await player()).json).toMatchObject({ blocked: { reason: 'Sells gold', until: expect.any(String) } });
    await page.getByRole('button', { name: 'Unblock player' }).click();
    await answerDialog('Unblock player');
    await toast(page, 'Player unblocked');
    expect((await player()).json).toMatchObject({ blocked: null });
    const again = await newPlayer('joan');
    await page.getByRole('button', { name: 'End all sessions' }).click();
    await answerDialog('End all sessions');
    await toast(page, 'All sessions ended');
    expect((await again.read()).status).toBe(401);
    await page.getByRole('button', { name: 'Erase player' }).click();
    expect(await dialog().getByRole('button', { name: 'Erase player' }).isDisabled()).toBe(true);
    await dialog().locator('input').fill('joan');
    await answerDialog('Erase player');
    await toast(page, 'Player erased');
    await page.getByRole('heading', { name: 'Players', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'joan' }).count()).toBe(0);
    expect((await player()).status).toBe(404);
  });
});
