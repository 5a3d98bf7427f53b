/** The texts of the console, and this browser's settings, for pages. */
import { useSyncExternalStore } from 'react';
import { type Language, languageNow, onAppearance, readerOf, type Theme, themeNow } from './language.ts';
import { type SubjectName, subjects, type TextsBySubject } from './subjects.ts';

export type { Texts } from './console-en.ts';
export * from './language.ts';

export const useLanguage = (): Language => useSyncExternalStore(onAppearance, languageNow);
export const useTheme = (): Theme => useSyncExternalStore(onAppearance, themeNow);

/**
 * The texts of a subject: a hook for components, and a reader for other code. Both give the current language.
 * A module calls this while it is loaded: `const [useFlagTexts, flagTextsNow] = textsOf('flags')`.
 * That starts to load the texts of the current language; `withTexts` around a dynamic import waits for them.
 * A change of language first loads all of them, then draws the components again, so that no page mixes languages.
 * The texts are in `flags-en.ts` and `flags-de.ts`, the subjects in `subjects.ts`.
 */
export function textsOf<Name extends SubjectName>(
  name: Name,
): readonly [() => TextsBySubject[Name], () => TextsBySubject[Name]] {
  const now = readerOf(subjects[name]);
  const use = () => {
    useLanguage();
    return now();
  };
  return [use, now];
}

export const [useTexts, textsNow] = textsOf('console');

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
  if (Math.abs(distance) < 10_000) return textsNow().justNow;
  return new Intl.RelativeTimeFormat(languageNow(), { numeric: 'auto' }).format(Math.trunc(distance / length), unit);
}
