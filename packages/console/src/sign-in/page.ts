/** The frame of the visitor pages, and their common parts. */

import { type Language, languageNow, onAppearance, readerOf, setLanguage, textsLoaded } from '../texts/language.ts';
import { subjects } from '../texts/subjects.ts';
import type { VisitorTexts } from '../texts/visitor-en.ts';
import { faultText } from '../ui/fault-text.ts';
import { plain } from '../ui/plain-text.ts';
import { type Child, element, icon } from './dom.ts';
import './page.css';

/** Draws the content of a page's frame, in these texts. */
export type Draw = (t: VisitorTexts) => readonly Child[];

const texts = readerOf(subjects.visitor);
let shown: { readonly root: HTMLElement; readonly draw: Draw } | undefined;

/** Shows a page in `root`, and again after each change of language, until `hide`. */
export async function show(root: HTMLElement, draw: Draw): Promise<void> {
  shown = { root, draw };
  await paint();
}

/** Leaves the root to other pages. */
export function hide(): void {
  shown?.root.replaceChildren();
  shown = undefined;
}

async function paint(): Promise<void> {
  await textsLoaded();
  if (shown === undefined) return;
  const focused = document.activeElement?.closest('.languages') !== null && document.activeElement !== null;
  const main = element('main', {}, ...shown.draw(texts()), languages());
  shown.root.replaceChildren(element('div', { class: 'service' }, element('header', {}, wordmark()), main));
  const title = main.querySelector('h1')?.textContent ?? main.querySelector('[role=status]')?.textContent;
  document.title = `${title} – Holdfast`;
  if (focused) main.querySelector<HTMLElement>('.languages [aria-pressed=true]')?.focus();
}
onAppearance(() => void paint());

const wordmark = () => element('p', { class: 'wordmark' }, icon('mark'), 'Holdfast');

function languages(): HTMLElement {
  const choice = (lang: Language, name: string) => {
    const button = element('button', { type: 'button', lang, 'aria-pressed': String(lang === languageNow()) }, name);
    button.addEventListener('click', () => void setLanguage(lang));
    return button;
  };
  return element('p', { class: 'languages' }, choice('en', 'English'), choice('de', 'Deutsch'));
}

/** A text that others chose, isolated from its surroundings. */
const foreign = (text: string) => element('bdi', {}, plain(text));

/** Names and values, one pair per line. */
export const facts = (...pairs: readonly (readonly [string, string] | false)[]): HTMLElement =>
  element(
    'dl',
    { class: 'facts' },
    ...pairs.map((pair) => pair && element('div', {}, element('dt', {}, pair[0]), element('dd', {}, foreign(pair[1])))),
  );

export const lead = (text: string): HTMLElement => element('p', { class: 'lead' }, text);

/** A link that looks like a button. */
export const linkButton = (text: string, href: string, kind = 'primary'): HTMLElement =>
  element('a', { class: `button ${kind} large`, href }, element('span', {}, text));

/** A message; `bad` is announced immediately. */
export const notice = (kind: 'bad' | 'warn', text: string, title?: string): HTMLElement =>
  element(
    'div',
    { class: `notice ${kind}`, role: kind === 'bad' ? 'alert' : 'status' },
    icon('triangle-alert'),
    element('div', { class: 'notice-text' }, title !== undefined && element('strong', {}, title), element('div', {}, text)),
  );

/** Shown while work is in progress. */
export const working = (text: string): HTMLElement => element('p', { class: 'lead', role: 'status' }, text);

/**
 * A button with the fault of its work above it. While the work is in progress, it can be focused but does nothing. `faultTextOf` describes
 * faults; by default like the rest of the console.
 */
export function actionButton(
  t: VisitorTexts,
  text: string,
  run: () => Promise<unknown>,
  { kind = 'primary', title = t.errors.title, faultTextOf = (error: unknown) => faultText(t, error) } = {},
): HTMLElement {
  const button = element(
    'button',
    { class: `button ${kind} large`, type: 'button' },
    icon('arrow-right'),
    element('span', {}, text),
  );
  const faults = element('div');
  const setBusy = (isBusy: boolean) => {
    button.toggleAttribute('data-busy', isBusy);
    if (isBusy) button.setAttribute('aria-disabled', 'true');
    else button.removeAttribute('aria-disabled');
  };
  button.addEventListener('click', () => {
    if (button.hasAttribute('data-busy')) return;
    setBusy(true);
    faults.replaceChildren();
    run()
      .catch((error: unknown) => faults.replaceChildren(notice('bad', faultTextOf(error), title)))
      .finally(() => setBusy(false));
  });
  return element('div', { class: 'action' }, faults, button);
}
