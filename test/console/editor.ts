/** Actions in the console's editor, for tests. */
import type { JsonObject } from '@holdfast/json';
import type { Page } from 'playwright-core';
import type { Developer, Project } from '../support/server.ts';
import { type ConsoleWorld, writeVersions } from './world.ts';

export interface Opened {
  readonly project: Project;
  readonly developer: Developer;
  readonly page: Page;
}

/** The path of a document. */
export const stateOf = (project: Project, env = 'development') => `${project.path}/public-state/${env}`;

/** Creates a project with a document, and opens it in the editor, or as a form. */
export async function openEditor(world: ConsoleWorld, state?: JsonObject, view?: 'form'): Promise<Opened> {
  const developer = await world.server.newDeveloper();
  const project = await world.server.newProject(developer);
  if (state) await writeVersions(world.server, stateOf(project), developer.bearer, [[state, null]]);
  const page = await world.signedIn(
    developer,
    `/p/${project.slug}/development/state${view === undefined ? '' : `?view=${view}`}`,
  );
  return { project, developer, page };
}

/** Returns the stored document, as the service sends it. */
export async function stored(world: ConsoleWorld, project: Project, env = 'development'): Promise<string> {
  const { text } = await world.server.call('GET', stateOf(project, env), { headers: project.developer.bearer });
  return text;
}

/** Replaces the text of an editor with the keyboard, once it has the focus. */
export async function typeInto(page: Page, editor: string, text: string): Promise<void> {
  await page.click(`${editor} .cm-content`);
  await page.locator(`${editor} .cm-focused`).waitFor();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** Replaces the document's text with the keyboard, and waits until the page says whether it is valid. */
export async function typeDocument(page: Page, text: string): Promise<void> {
  await typeInto(page, 'main', text);
  await page.waitForSelector('.status-good, .status-fault');
}

/** Reviews and saves the changes. */
export async function save(page: Page, comment = ''): Promise<void> {
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByLabel('Comment').fill(comment);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
}

/** Number of documents with unsaved changes in this browser. */
export const draftCount = `new Promise((resolve) => {
  indexedDB.open('holdfast-console', 1).onsuccess = ({ target: { result: database } }) => {
    const { objectStoreNames: names } = database;
    if (names.length === 0) return resolve(0);
    database.transaction('drafts').objectStore('drafts').count().onsuccess = ({ target }) => resolve(target.result);
  };
})`;

/** The unsaved texts in this browser, after one another. Typing is kept a moment after it. */
export const draftTexts = `new Promise((resolve) => {
  indexedDB.open('holdfast-console', 1).onsuccess = ({ target: { result: database } }) => {
    database.transaction('drafts').objectStore('drafts').getAll().onsuccess = ({ target }) =>
      resolve(target.result.map(({ text }) => text).join());
  };
})`;

/** Waits for a message. */
export const toast = (page: Page, text: string) => page.locator('.toast', { hasText: text }).waitFor();
