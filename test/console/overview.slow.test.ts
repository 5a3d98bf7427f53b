/** First steps, overview and usage in the console, in a real browser against a real server. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endWithThis, outputOf } from '../../tooling/child-processes.ts';
import { until } from '../../tooling/until.ts';
import { openEditor, stateOf } from './editor.ts';
import { type ConsoleWorld, openConsoleWorld, writeVersions } from './world.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.stop());

/** Runs a program with its command in an empty folder, until it has printed a text and a guest's id. */
async function runProgram(program: string, command: string, text: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-program-'));
  writeFileSync(join(folder, 'game.mjs'), program);
  const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };
  const running = endWithThis(spawn('bash', ['-c', command], { cwd: folder, env, detached: true }));
  const output = outputOf(running);
  const isDone = () => output().includes(text) && /guest_\w+ 1\n/.test(output());
  await until(isDone, { withinMilliseconds: 60_000, otherwise: () => `the program printed ${output()}` });
  if (running.pid !== undefined) process.kill(-running.pid);
  rmSync(folder, { recursive: true });
}

describe('the first steps', () => {
  it('lead to a game with the key of the project, which is shown again later, and guests', async () => {
    const { project, developer, page } = await openEditor(world, { title: 'Tides' });
    const connect = `${world.server.baseUrl}/console/p/${project.slug}/connect`;
    await page.goto(connect);
    const snippet = page.locator('pre.snippet');
    await page.getByRole('button', { name: 'Create a key for this snippet' }).click();
    await page.getByText('The key in the snippet is publishable').waitFor();
    await page.getByRole('button', { name: 'Let guests in' }).click();
    await page.getByText('This project does not let guests in yet.').waitFor({ state: 'detached' });
    const program = (await snippet.textContent()) ?? '';
    expect(program).toMatch(/'svcp_\w+',\n {4}\{ environment: 'development'/);
    expect(await snippet.locator('.code-word').allInnerTexts()).toEqual(
      expect.arrayContaining(['import', 'from', 'const']),
    );
    expect(await snippet.locator('.code-comment').first().innerText()).toBe(
      '// The configuration: again after every change.',
    );

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('game.html');
    const file = join(mkdtempSync(join(tmpdir(), 'holdfast-game-')), 'game.html');
    await download.saveAs(file);
    const game = await world.browser.newPage();
    await game.goto(pathToFileURL(file).href);
    await game.locator('#configuration', { hasText: '"title": "Tides"' }).waitFor();
    await game.click('#dig:text-is("Dig (0)")');
    await game.locator('#dig', { hasText: 'Dig (1)' }).waitFor();
    await game.close();
    rmSync(dirname(file), { recursive: true });

    await page.getByText('Node.js', { exact: true }).click();
    await page.getByRole('heading', { name: 'Play from a program' }).waitFor();
    await runProgram((await snippet.textContent()) ?? '', await page.locator('.snippet-command pre').innerText(), 'Tides');
    await page.locator('.segments').getByText('curl', { exact: true }).click();
    await page.getByRole('heading', { name: 'Read the configuration' }).waitFor();

    await page.goto(connect);
    await page.getByText('The key in the snippet is publishable').waitFor();
    expect(await snippet.textContent()).toBe(program);
    const { json } = await world.server.call('GET', `${project.path}/api-keys`, { headers: developer.bearer });
    expect(json).toMatchObject({ items: [{ kind: 'publishable', environments: ['development'] }] });
    await page.context().close();
  });

  it('are the chosen tab in a narrow window, in full', async () => {
    const { project, page } = await openEditor(world, { a: 1 });
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/connect`);
    const tab = await page.locator('.section-tabs [aria-current="page"]').boundingBox();
    expect((tab?.x ?? 0) + (tab?.width ?? 390)).toBeLessThanOrEqual(390);
    await page.context().close();
  });

  it('say why the document beside them cannot be shown', async () => {
    const { project, page } = await openEditor(world, { a: 1 });
    const suspended = { error: 'forbidden', message: 'the account is suspended: ask the operator of the service' };
    await page.route(`**${stateOf(project)}`, (route) => route.fulfill({ status: 403, json: suspended }));
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/connect`);
    await page.getByText('The account is suspended. Contact the operator of this service.').waitFor();
    await page.context().close();
  });
});

describe('the overview', () => {
  it('lists the first steps of a project, and which are done, until it has a configuration and a key', async () => {
    const developer = await world.server.newDeveloper();
    const project = await world.server.newProject(developer);
    const page = await world.signedIn(developer, `/p/${project.slug}/development/overview`);
    const steps = page.locator('.first-steps li');
    await steps.filter({ hasText: 'Save a configuration' }).getByRole('link').waitFor();
    expect(await page.locator('.overview-requests .overview-figures').count()).toBe(0);
    await writeVersions(world.server, stateOf(project), developer.bearer, [[{ a: 1 }, null]]);
    await page.reload();
    await page.locator('.first-steps li[data-done]', { hasText: 'Save a configuration' }).waitFor();
    await page.locator('.overview-requests .overview-figures').waitFor();
    await steps.getByRole('link', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('Game');
    await page.locator('.dialog [type=submit]').click();
    await page.getByRole('button', { name: /copied it/ }).click();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.locator('.overview-requests .overview-figures').waitFor();
    await steps.first().waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('of a project that does not exist is the account’s page that says so', async () => {
    const page = await world.signedIn(await world.server.newDeveloper(), '/p/atlantis/production/environments');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.locator('.project-button', { hasText: 'All projects' }).waitFor();
    expect(await page.getByRole('link', { name: 'Configuration' }).count()).toBe(0);
    await page.context().close();
  });

  it('counts refused requests apart from failed ones', async () => {
    const { project, developer, page } = await openEditor(world, { a: 1 });
    const path = stateOf(project);
    for (let time = 0; time < 3; time++) {
      const headers = { ...developer.bearer, 'If-Match': '"7"' };
      expect((await world.server.call('PUT', path, { headers, body: { state: {} } })).status).toBe(412);
    }
    await page.goto(`${world.server.baseUrl}/console/p/${project.slug}/development/overview`);
    const today = page.locator('.overview-requests .overview-figures > div').first();
    await today.getByText('3 refused', { exact: true }).waitFor();
    expect(await today.locator('.fault').count()).toBe(0);
    await page.goto(`${world.server.baseUrl}/console/usage?project=${project.slug}`);
    await page.getByText('3 refused (4xx), 0 failed (5xx)').waitFor();
    await page.context().close();
  });
});

describe('usage', () => {
  it('shows requests and errors, by project and key, and open connections', async () => {
    const { project, page } = await openEditor(world, { a: 1 });
    const { server } = world;
    const { apiKey } = await server.newApiKey(project, { name: 'Build server' });
    const headers = { Authorization: `ApiKey ${apiKey}` };
    const path = `${project.path}/public-state/development`;
    await server.call('GET', path, { headers });
    await server.call('PUT', path, { headers: { ...headers, 'If-Match': '"77"' }, body: { state: {} } });
    await page.goto(`${server.baseUrl}/console/usage`);
    const row = page.locator('.figures-table tr', { hasText: 'Build server' });
    await row.waitFor();
    expect((await row.locator('td').allInnerTexts()).slice(0, 4)).toEqual([project.slug, '2', '1', 'version_conflict']);
    expect(await page.locator('.figures .daily tbody tr').count()).toBe(30);
    await page.locator('.figures .segments label', { hasText: '7 days' }).click();
    await page.waitForURL(/days=7/);
    await expect.poll(() => page.locator('.figures .daily tbody tr').count()).toBe(7);
    await page.getByLabel('Project', { exact: true }).selectOption({ index: 1 });
    await page.waitForURL(/project=/);
    await expect.poll(() => page.locator('.figures-table tbody tr', { hasText: 'No project' }).count()).toBe(0);
    await page.context().close();
  });

  it('shows no forecast for an account that is minutes old', async () => {
    const { page } = await openEditor(world, { a: 1 });
    await page.goto(`${world.server.baseUrl}/console/usage`);
    await page.locator('.counter .daily').first().waitFor();
    expect(await page.locator('body').innerText()).not.toContain('at this pace');
    await page.context().close();
  });
});
