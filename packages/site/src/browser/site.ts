/** Features of every page: colours, menu, copying, the current heading, and opening the search. */
import '@holdfast/kit/fonts.css';
import '@holdfast/kit/tokens.css';
import '@holdfast/kit/base.css';
import '@holdfast/kit/controls.css';
import './style.css';
import './content.css';
import './reference.css';

const root = document.documentElement;

const themes = ['system', 'light', 'dark'] as const;
const themeButton = buttonOf('theme-button');
showTheme();
themeButton.addEventListener('click', () => {
  const next = themes[(themes.indexOf(currentTheme()) + 1) % themes.length] ?? 'system';
  if (next === 'system') delete root.dataset.theme;
  else root.dataset.theme = next;
  try {
    localStorage.setItem('holdfast.docs.theme', next);
  } catch {
    // no storage: chosen for this page only
  }
  showTheme();
});

function buttonOf(id: string): HTMLButtonElement {
  const found = document.getElementById(id);
  if (!(found instanceof HTMLButtonElement)) throw new Error(`the page has no button ${id}`);
  return found;
}

function currentTheme(): (typeof themes)[number] {
  return themes.find((theme) => theme === root.dataset.theme) ?? 'system';
}

function showTheme(): void {
  themeButton.textContent = { system: 'Auto', light: 'Light', dark: 'Dark' }[currentTheme()];
  themeButton.setAttribute('aria-label', `Colours: ${themeButton.textContent}`);
}

const menuButton = buttonOf('menu-button');
menuButton.addEventListener('click', () => {
  const isOpen = menuButton.getAttribute('aria-expanded') !== 'true';
  menuButton.setAttribute('aria-expanded', String(isOpen));
  root.toggleAttribute('data-menu', isOpen);
});
const menu = document.getElementById('menu');
const current = menu?.querySelector<HTMLElement>('[aria-current]');
if (menu && current) menu.scrollTop = current.offsetTop - menu.clientHeight / 3;

/** A link to an operation on the reference's first page leads on to its description. */
const named =
  location.hash === '' ? null : document.querySelector(`.operations a[id="${CSS.escape(location.hash.slice(1))}"]`);
if (named instanceof HTMLAnchorElement) location.replace(named.href);

if (document.querySelector('.languages') !== null) void import('./reference.ts').then(({ addControls }) => addControls());

for (const block of document.querySelectorAll('.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button small copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    const text = block.querySelector('pre:not([hidden])')?.textContent ?? '';
    button.textContent = await copied(text);
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1_500);
  });
  block.append(button);
}

/** Copies a text and reports the outcome. A page outside HTTPS and loopback may not write to the clipboard. */
async function copied(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return 'Copied';
  } catch {
    return 'Not allowed';
  }
}

/** Marks the current section: the last heading above the upper third of the window. */
const links = new Map<string, Element>();
for (const link of document.querySelectorAll('[data-outline] a'))
  links.set(link.getAttribute('href')?.slice(1) ?? '', link);
const headings = [...links.keys()].flatMap((id) => document.getElementById(id) ?? []);
if (headings.length > 0) {
  const mark = () => {
    const above = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight / 3);
    const current = above.at(-1)?.id;
    for (const [id, link] of links) {
      if (id === current) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  };
  let isAsked = false;
  const ask = () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      mark();
    });
  };
  addEventListener('scroll', ask, { passive: true });
  mark();
}

/** The text typed while the search is loading. */
let typed: string | undefined;
const openSearch = async () => {
  typed ??= '';
  try {
    const { openSearch: open } = await import('./search.ts');
    open(new URL(root.dataset.docs ?? './', location.href), typed ?? '');
  } finally {
    typed = undefined;
  }
};
buttonOf('search-button').addEventListener('click', openSearch);
addEventListener('keydown', (event) => {
  if (typed !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
    if (event.key === 'Backspace') typed = typed.slice(0, -1);
    else if ([...event.key].length === 1) typed += event.key;
    else return;
    event.preventDefault();
    return;
  }
  const isTyping = event.target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
  const isCommand = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
  if (!isSlash && !isCommand) return;
  event.preventDefault();
  void openSearch();
});
