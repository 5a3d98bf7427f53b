/** The reference in a browser: languages, and requests with the console's session. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ConsoleWorld, openConsoleWorld, writeVersions } from '../console/world.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.stop());

it('sends a request as the developer signed in to the console, with the ids of that account', async () => {
  const developer = await world.server.newDeveloper();
  const project = await world.server.newProject(developer);
  await writeVersions(world.server, `${project.path}/public-state/development`, developer.bearer, [[{ gold: 7 }, null]]);
  const page = await world.signedIn(developer, `/p/${project.slug}/development/state`);
  await page.waitForSelector('.cm-content');
  await page.goto(`${world.server.baseUrl}/docs/reference/public-state#readPublicState`);
  await page.click('#readPublicState .send');
  await page.click('#readPublicState .trial button');
  await page.waitForSelector('#readPublicState .trial pre:has-text("\\"gold\\": 7")');
  expect(await page.textContent('#readPublicState .trial pre')).toMatch(/^200 {2}ETag: "1"\n/);
  expect(await page.textContent('#patchPublicState pre[data-language=curl]')).toContain(
    `/v1/${developer.accountId}/projects/${project.slug}/public-state/`,
  );
  await page.context().close();
});

it('shows all requests in the chosen language, and remembers it', async () => {
  const developer = await world.server.newDeveloper();
  const page = await world.signedIn(developer, '/');
  await page.goto(`${world.server.baseUrl}/docs/reference/public-state`);
  await page.click('#readPublicState .tabs button:text-is("Python")');
  await page.reload();
  await page.waitForSelector('#patchPublicState pre[data-language=Python]:visible');
  expect(await page.locator('pre[data-language=curl]:visible').count()).toBe(0);
  await page.context().close();
});

it('a link to an operation on the first page leads to its subject', async () => {
  const page = await world.browser.newPage();
  await page.goto(`${world.server.baseUrl}/docs/reference#createProject`);
  await page.waitForURL('**/docs/reference/projects#createProject');
  await page.waitForSelector('[data-outline] a[href="#createProject"][aria-current]');
  await page.close();
});
