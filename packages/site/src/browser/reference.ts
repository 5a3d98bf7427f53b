/** The reference page in the browser: examples in the chosen language, with the ids of the signed-in account, and requests to try. */
import { button } from './button.ts';
import type { Trial } from './trial.ts';

const storageName = 'holdfast.docs.language';

/** Adds language tabs to each request, and a button that sends it if the console's session allows that. */
export function addControls(): void {
  const blocks = [...document.querySelectorAll<HTMLElement>('.languages')];
  for (const block of blocks) addTabs(block);
  choose(stored() ?? 'curl');
  for (const block of blocks) if (block.dataset.try !== undefined) addTrial(block);
}

function stored(): string | null {
  try {
    return localStorage.getItem(storageName);
  } catch {
    return null;
  }
}

function addTabs(block: HTMLElement): void {
  const tabs = document.createElement('div');
  tabs.className = 'tabs';
  for (const { dataset } of block.querySelectorAll<HTMLElement>('pre')) {
    const { language = '' } = dataset;
    const tab = button(language, () => {
      const before = tab.getBoundingClientRect().top;
      choose(language);
      scrollBy(0, tab.getBoundingClientRect().top - before); // blocks above have other heights now
      try {
        localStorage.setItem(storageName, language);
      } catch {
        // no storage: chosen for this page only
      }
    });
    tabs.append(tab);
  }
  block.prepend(tabs);
}

function choose(language: string): void {
  for (const text of document.querySelectorAll<HTMLElement>('.languages pre'))
    text.hidden = text.dataset.language !== language;
  for (const tab of document.querySelectorAll('.tabs button')) {
    tab.setAttribute('aria-pressed', String(tab.textContent === language));
  }
}

/** The module that calls the service is loaded on first use. */
let loaded: Promise<Trial> | undefined;

function addTrial(block: HTMLElement): void {
  const open = button('Send it from here', async () => {
    open.disabled = true;
    const named = document.querySelector<HTMLMetaElement>('meta[name="holdfast-base-url"]');
    loaded ??= import('./trial.ts').then(({ openTrial }) => openTrial(named?.content ?? location.origin));
    const trial = await loaded;
    open.remove();
    trial.addTo(block);
  });
  open.className = 'button small send';
  block.after(open);
}
