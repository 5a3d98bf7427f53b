/**
 * The language and theme of the console, its texts in that language, and numbers and times. The visitor pages import this file, and no
 * part of React.
 */
export type Language = 'en' | 'de';
export type Theme = 'system' | 'light' | 'dark';

/** The texts about one subject. Only those of the current language are loaded, once some module reads them. */
export interface Subject<Texts> {
  /** Loads the texts in a language, unless they are loaded. */
  readonly load: (wanted: Language) => Promise<void>;
  readonly has: (wanted: Language) => boolean;
  /** The texts in the current language; throws an `Error` before they are loaded. */
  readonly now: () => Texts;
}

const listeners = new Set<() => void>();
const readSubjects = new Set<Subject<unknown>>();

function stored<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
  try {
    const text = localStorage.getItem(name);
    return words.find((word) => word === text);
  } catch {
    return undefined; // a browser without storage
  }
}

const languages = ['en', 'de'] as const;
/** Chosen here, otherwise on the login page, otherwise the browser's. */
let language: Language =
  stored('holdfast.language', languages) ??
  stored('holdfast.login-language', languages) ??
  (/^de\b/i.test(navigator.language) ? 'de' : 'en');
let theme: Theme = stored('holdfast.theme', ['system', 'light', 'dark']) ?? 'system';
apply();

function apply(): void {
  document.documentElement.lang = language;
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // It lasts until the page is closed.
  }
  apply();
  for (const listener of listeners) listener();
}

type Modules<Texts> = Readonly<Record<Language, () => Promise<{ readonly texts: Texts }>>>;

/** A subject from the modules of its texts. */
export function subject<Texts>(modules: Modules<Texts>): Subject<Texts> {
  const loaded = new Map<Language, Texts>();
  const load = async (wanted: Language) => {
    if (!loaded.has(wanted)) loaded.set(wanted, (await modules[wanted]()).texts);
  };
  const now = () => {
    const texts = loaded.get(language);
    if (texts === undefined) throw new Error('texts are read before they are loaded');
    return texts;
  };
  return { load, has: (wanted) => loaded.has(wanted), now };
}

/** Starts to load a subject. Returns a function that reads it in the current language once `textsLoaded` or `withTexts` is fulfilled. */
export function readerOf<Texts>(of: Subject<Texts>): () => Texts {
  readSubjects.add(of);
  of.load(language).catch(() => undefined); // loaded again by those who wait for it
  return of.now;
}

/** Loads subjects until all that are in the set have texts in a language. Both may change meanwhile. */
async function load(subjects: Iterable<Subject<unknown>>, wanted: () => Language): Promise<void> {
  const missing = () => [...subjects].filter((one) => !one.has(wanted()));
  for (let some = missing(); some.length > 0; some = missing()) {
    await Promise.all(some.map((one) => one.load(wanted())));
  }
}

/** Waits for the subjects that have a reader now, in the current language. Rejects if one can't be loaded. */
export const textsLoaded = (): Promise<void> => load([...readSubjects], languageNow);

/** Waits for modules, and for the texts that they read. */
export async function withTexts<Module>(modules: Promise<Module>): Promise<Module> {
  const loaded = await modules;
  await textsLoaded();
  return loaded;
}

/** Loads the texts of the next language, then shows them. If loading fails, nothing changes. */
export async function setLanguage(next: Language): Promise<void> {
  try {
    await load(readSubjects, () => next);
  } catch {
    return;
  }
  language = next;
  keep('holdfast.language', next);
}

export function setTheme(next: Theme): void {
  theme = next;
  keep('holdfast.theme', next);
}

export const languageNow = (): Language => language;
export const themeNow = (): Theme => theme;

/** Calls the listener when language or theme changes. Returns a function that removes it. */
export function onAppearance(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const formatNumber = (value: number): string => new Intl.NumberFormat(language).format(value);

/** `12.5%`, of a share from 0 to 1. */
export const formatPercent = (share: number): string =>
  new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 }).format(share);

/** Keeps the day of a German date on one line with its month. */
export const withWholeDays = (date: string): string => date.replace(/(?<=\d\.) /g, '\u00a0');

/** A time in the language of the page. */
export const formatted = (time: string | number, format: Intl.DateTimeFormatOptions): string =>
  withWholeDays(new Intl.DateTimeFormat(language, format).format(new Date(time)));

export const formatTime = (time: string | number): string => formatted(time, { dateStyle: 'medium', timeStyle: 'short' });
export const formatDate = (time: string | number): string => formatted(time, { dateStyle: 'medium' });

/** `Nov 22`, for a day in UTC. */
export const formatDay = (time: string | number): string =>
  formatted(time, { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** `2.4 KB` */
export function formatBytes(bytes: number): string {
  const steps = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];
  const step = Math.min(steps.length - 1, Math.max(0, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1000))));
  const format = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: steps[step] ?? 'byte',
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step === 0 ? 0 : 1,
  });
  return format.format(bytes / 1000 ** step);
}
