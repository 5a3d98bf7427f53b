/**
 * The language and theme of the console, and numbers and times in that language. Only texts of the current language are loaded.
 * The visitor pages import this file, and no part of React.
 */
export type Language = 'en' | 'de';
export type Theme = 'system' | 'light' | 'dark';
/** Loaders of each language's texts. */
export type TextsOf<Texts> = Readonly<Record<Language, () => Promise<Texts>>>;

const listeners = new Set<() => void>();
/** Loads the texts of a language, and returns a function that applies them. */
const loaders = new Set<(language: Language) => Promise<() => void>>();

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

/** Loads texts in the current language. Returns a getter that follows changes of the language. */
export async function loadTexts<Texts>(texts: TextsOf<Texts>): Promise<() => Texts> {
  let current: Texts;
  const load = async (wanted: Language) => {
    const loaded = await texts[wanted]();
    return () => {
      current = loaded;
    };
  };
  loaders.add(load);
  let loadedFor: Language;
  do {
    loadedFor = language;
    current = await texts[loadedFor]();
  } while (loadedFor !== language);
  return () => current;
}

/** Loads the texts of the next language, then shows them. If loading fails, nothing changes. */
export async function setLanguage(next: Language): Promise<void> {
  const places = await Promise.all([...loaders].map((load) => load(next))).catch(() => undefined);
  if (places === undefined) return;
  for (const place of places) place();
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

const day = 86_400_000;
const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * day],
  ['month', 30 * day],
  ['week', 7 * day],
  ['day', day],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** `3 minutes ago` */
export function formatAgo(time: string | number): string {
  const distance = new Date(time).getTime() - Date.now();
  const [unit, length] = units.find(([, one]) => Math.abs(distance) >= one) ?? ['second', 1_000];
  if (Math.abs(distance) < 10_000) return language === 'de' ? 'gerade eben' : 'just now';
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.trunc(distance / length), unit);
}

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
