/** The search: a dialog over the page. Its texts are fetched when it is first opened, and nothing leaves the browser. */
import type MiniSearch from 'minisearch';
import { indexOf, type Place, placesFor } from './search-index.ts';

const resultsMax = 20;
/** How much of a text is shown around the first match. */
const excerptCharacters = 160;

let dialog: HTMLDialogElement | undefined;

/** Opens the search with these words, or else with the last ones; `docs` is the base address of the pages. */
export function openSearch(docs: URL, words: string): void {
  dialog ??= createDialog(docs);
  if (!dialog.open) dialog.showModal();
  const input = dialog.querySelector('input');
  if (input === null) return;
  if (words === '') {
    input.select();
    return;
  }
  input.value = words;
  input.dispatchEvent(new Event('input'));
}

async function createIndex(docs: URL): Promise<MiniSearch<Place>> {
  const response = await fetch(new URL('search.json', docs));
  if (!response.ok) throw new Error(`${response.status}`);
  return indexOf(await response.json());
}

function createDialog(docs: URL): HTMLDialogElement {
  const made = document.createElement('dialog');
  made.className = 'dialog finder';
  made.setAttribute('aria-label', 'Search the documentation');
  const input = document.createElement('input');
  input.type = 'search';
  input.placeholder = 'Search pages, settings, routes, errors';
  input.setAttribute('aria-label', 'Search');
  input.setAttribute('aria-controls', 'found');
  const status = document.createElement('p');
  status.setAttribute('role', 'status');
  const list = document.createElement('ul');
  list.id = 'found';
  made.append(input, status, list);
  document.body.append(made);

  const index = createIndex(docs);
  const show = async () => {
    const words = input.value.trim();
    try {
      const results = words === '' ? [] : placesFor(await index, words).slice(0, resultsMax);
      if (words !== input.value.trim()) return; // a later search has taken over
      list.replaceChildren(
        ...results.map((one) => itemOf(docs, one as unknown as Place, [...longestFirst(one.queryTerms), ...one.terms])),
      );
      status.textContent = words === '' ? '' : results.length === 0 ? `Nothing has “${words}”.` : `${results.length} found`;
    } catch {
      status.textContent = 'The texts could not be loaded. Reload the page to try again.';
    }
  };
  input.addEventListener('input', show);
  made.addEventListener('keydown', (event) => move(event, made));
  made.addEventListener('click', (event) => {
    if (event.target === made || (event.target instanceof Element && event.target.closest('a') !== null)) made.close();
  });
  return made;
}

/** The up and down keys move through the results; Enter in the field opens the first. */
function move(event: KeyboardEvent, dialog: HTMLDialogElement): void {
  const stops = [...dialog.querySelectorAll<HTMLElement>('input, a')];
  const here = stops.findIndex((stop) => stop.matches(':focus'));
  if (event.key === 'Enter' && here === 0) stops[1]?.click();
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  stops[Math.min(Math.max(here + step, 0), stops.length - 1)]?.focus();
}

function itemOf(docs: URL, { slug, anchor, title, heading, text }: Place, words: readonly string[]): HTMLLIElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  const page = slug === 'index' ? new URL('../docs', docs) : new URL(slug, docs);
  link.href = `${page}${anchor === '' ? '' : `#${anchor}`}`;
  const name = document.createElement('strong');
  name.append(...marked(heading, words));
  const place = document.createElement('small');
  place.textContent = heading === title ? '' : title;
  const excerpt = document.createElement('span');
  excerpt.append(...marked(excerptOf(text, words), words));
  link.append(name, place, excerpt);
  item.append(link);
  return item;
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word));
  const first = places.find((at) => at >= 0) ?? 0;
  const start = Math.max(0, text.lastIndexOf(' ', Math.max(0, first - 40)));
  const part = text.slice(start, start + excerptCharacters).trim();
  return `${start > 0 ? '… ' : ''}${part}${start + excerptCharacters < text.length ? ' …' : ''}`;
}

const longestFirst = (words: readonly string[]) => [...words].sort((one, two) => two.length - one.length);

/** The text with the matches marked. */
function marked(text: string, words: readonly string[]): (Node | string)[] {
  if (words.length === 0) return [text];
  const pattern = new RegExp(
    `(${[...words]
      .sort((one, two) => two.length - one.length)
      .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
      .join('|')})`,
    'giu',
  );
  return text.split(pattern).map((part, index) => {
    if (index % 2 === 0) return part;
    const mark = document.createElement('mark');
    mark.textContent = part;
    return mark;
  });
}
