/**
 * `node scripts/measure/console-speed.ts`: measures the console's speed with the maximum amount of data, on this machine, in a real
 * browser: a document of 250,000 characters (`--characters 110000` for fewer) with a hundred changes and a schema, a history of 10,000
 * versions (`--versions 2000` for fewer), and ten seconds of typing offline, after which nothing may be missing.
 */

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type JsonObject, printJson } from '@holdfast/json';
import type { Page } from 'playwright-core';
import { type ConsoleWorld, openConsoleWorld } from '../../test/console/world.ts';
import { sqlitePlace } from '../../test/support/place-sqlite.ts';
import { quantile } from '../../tooling/statistics.ts';

const { values } = parseArgs({
  options: { versions: { type: 'string', default: '10000' }, characters: { type: 'string', default: '250000' } },
});
const versionCount = Number(values.versions);
const charactersMin = Number(values.characters);
const keyCount = 200;

const place = sqlitePlace(mkdtempSync(join(tmpdir(), 'holdfast-console-')));
const settings = { SVC_RATE_LIMIT_PER_MINUTE: '0' };
const world = await openConsoleWorld({ place, settings });
const developer = await world.server.newDeveloper();
try {
  await measureLargeDocument(world);
  await measureHistory(world);
  await typeWithoutConnection(world);
} finally {
  await world.stop();
  await place.remove();
}

async function openProject(document: JsonObject): Promise<{ path: string; slug: string }> {
  const project = await world.server.newProject(developer);
  const path = `${project.path}/public-state/development`;
  const headers = { ...developer.bearer, 'If-None-Match': '*' };
  const { status, text } = await world.server.call('PUT', path, { headers, body: { state: document } });
  if (status !== 200) throw new Error(text);
  return { path, slug: project.slug };
}

/** From opening the address to an editable text; from a key to the next frame, and to the problems that a schema finds. */
async function measureLargeDocument({ server, signedIn }: ConsoleWorld): Promise<void> {
  const items: JsonObject[] = [];
  for (let size = 0; size < charactersMin; ) {
    const item = { id: `item_${items.length}`, price: items.length * 7 + 1, tags: ['weapon', 'starter'], rate: 0.25 };
    items.push(item);
    size += printJson(item).length + 1;
  }
  const { path, slug } = await openProject({ items });
  await addSchema(server, path);
  const page = await signedIn(developer, '/usage');
  await page.locator('.meters').first().waitFor();
  const opened: number[] = [];
  for (let run = 0; run < 5; run++) {
    const begun = performance.now();
    await page.goto(`${server.baseUrl}/console/p/${slug}/development/state`);
    await page.locator('.cm-line', { hasText: 'item_0' }).waitFor();
    opened.push(performance.now() - begun);
  }
  report(`a document of ${charactersMin} characters opens`, opened);
  await page.click('.cm-content');
  await page.keyboard.press('ControlOrMeta+Home');
  const keys: number[] = [];
  for (let index = 0; index < keyCount; index++) keys.push(await timeOfKey(page));
  report('a key is shown', keys);
  const problems: number[] = [];
  for (let run = 0; run < 10; run++) problems.push(await timeOfProblem(page));
  report('the problems of a schema are shown after a key', problems);
  const reviews: number[] = [];
  for (let run = 0; run < 5; run++) reviews.push(await timeOfReview(page, run));
  report('a hundred changed values are shown for review', reviews);
  await page.context().close();
}

/** Adds a schema that counts a negative price as a problem. */
async function addSchema(server: ConsoleWorld['server'], documentPath: string): Promise<void> {
  const schema = { properties: { items: { items: { required: ['id'], properties: { price: { minimum: 0 } } } } } };
  const path = documentPath.replace(/public-state\/(\w+)$/, 'schemas/$1/public-state');
  const headers = { ...developer.bearer, 'If-None-Match': '*' };
  const { status, text } = await server.call('PUT', path, { headers, body: { mode: 'report', schema } });
  if (status !== 200) throw new Error(text);
}

/** Milliseconds from the key that makes the first price negative to the message about it. The key is taken back afterwards. */
async function timeOfProblem(page: Page): Promise<number> {
  await page.locator('.status-good').waitFor();
  await page.evaluate(`(() => {
    const { view } = document.querySelector('.code-editor .cm-content').cmTile;
    view.dispatch({ selection: { anchor: view.state.doc.toString().indexOf('"price": ') + '"price": '.length } });
    view.focus();
    window.shown = new Promise((resolve) => {
      addEventListener('keydown', () => {
        const begun = performance.now();
        const observer = new MutationObserver(() => {
          if (document.querySelector('.status-fault') === null) return;
          observer.disconnect();
          resolve(performance.now() - begun);
        });
        observer.observe(document.body, { subtree: true, childList: true });
      }, { once: true, capture: true });
    });
  })()`);
  await page.keyboard.press('Minus');
  const milliseconds = (await page.evaluate('window.shown')) as number;
  await page.keyboard.press('Backspace');
  await page.locator('.status-fault').waitFor({ state: 'detached' });
  return milliseconds;
}

/** Milliseconds from the button to the list of a hundred changed values. */
async function timeOfReview(page: Page, run: number): Promise<number> {
  await page.evaluate(`(() => {
    const view = document.querySelector('.code-editor .cm-content').cmTile.view;
    const items = JSON.parse(view.state.doc.toString());
    for (let index = 0; index < 100; index++) items.items[index * 10].price += ${run} + 1;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: JSON.stringify(items, null, 2) } });
  })()`);
  const button = page.getByRole('button', { name: 'Review and save' });
  await page.locator('.badge', { hasText: 'Unsaved changes' }).waitFor();
  await page.waitForTimeout(800);
  const begun = performance.now();
  await button.click();
  await page.locator('.dialog .change-list').first().waitFor();
  const milliseconds = performance.now() - begun;
  await page.keyboard.press('Escape');
  await page.locator('.dialog').waitFor({ state: 'detached' });
  return milliseconds;
}

/** Milliseconds from a key to the frame after its change. */
async function timeOfKey(page: Page): Promise<number> {
  await page.evaluate(`window.shown = new Promise((resolve) => {
    addEventListener('keydown', () => {
      const begun = performance.now();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun)));
    }, { once: true, capture: true });
  }); undefined`);
  await page.keyboard.press('Space');
  return (await page.evaluate('window.shown')) as number;
}

/** Frame times while the list of versions is scrolled from its start to its end. */
async function measureHistory({ server, signedIn }: ConsoleWorld): Promise<void> {
  const { path, slug } = await openProject({ count: 0 });
  for (let version = 1; version < versionCount; version++) {
    const headers = { ...developer.bearer, 'If-Match': `"${version}"` };
    const body = { ops: [{ op: 'replace', path: '/count', value: version }], comment: `Count to ${version}` };
    const { status, text } = await server.call('PATCH', path, { headers, body });
    if (status !== 200) throw new Error(text);
  }
  const page = await signedIn(developer, `/p/${slug}/development/history`);
  await page.locator('.version').first().waitFor();
  const frames = (await page.evaluate(`(async () => {
    const list = document.querySelector('.timeline');
    const frames = [];
    let last = performance.now();
    for (let still = 0; still < 120; ) {
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      frames.push(now - last);
      last = now;
      const before = list.scrollTop;
      list.scrollTop += 600;
      still = list.scrollTop === before ? still + 1 : 0;
    }
    return frames;
  })()`)) as number[];
  await page.getByRole('button', { name: /^Version 1 / }).waitFor();
  const rendered = await page.locator('.version').count();
  report(`a frame while ${versionCount} versions are scrolled through, ${rendered} of them rendered`, frames);
  await page.context().close();
}

async function typeWithoutConnection({ server, signedIn }: ConsoleWorld): Promise<void> {
  const { path, slug } = await openProject({ text: '' });
  const page = await signedIn(developer, `/p/${slug}/development/state`);
  await page.locator('.cm-line', { hasText: '"text"' }).click();
  // The code of the review is loaded before the connection is lost.
  const isLoaded = `performance.getEntriesByType('resource').some(({ name }) => name.includes('/diff-view'))`;
  while (!(await page.evaluate<boolean>(isLoaded))) await page.waitForTimeout(100);
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.context().setOffline(true);
  const begun = performance.now();
  let typed = '';
  for (let index = 0; performance.now() - begun < 10_000; index++) {
    const word = `word${index} `;
    await page.keyboard.type(word, { delay: 15 });
    typed += word;
  }
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.locator('.toast', { hasText: 'Version 2 saved' }).waitFor();
  const { json } = await server.call('GET', path, { headers: developer.bearer });
  const { text } = (json as { state: { text: string } }).state;
  console.log(
    `typed without a connection for ten seconds: ${typed.length} characters, ${text === typed ? 'all' : 'NOT ALL'} saved`,
  );
  if (text !== typed) process.exitCode = 1;
  await page.context().close();
}

function report(what: string, times: readonly number[]): void {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => quantile(sorted, share).toFixed(0);
  console.log(`${what}: median ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms (${times.length} times)`);
}
