/** Loaders of the texts that every page needs, separate by language and by whether somebody is signed in. */

import type { Texts } from './en.ts';
import type { TextsOf } from './language.ts';
import type { VisitorTexts } from './visitor-en.ts';

export const visitorTexts: TextsOf<VisitorTexts> = {
  en: async () => (await import('./visitor-en.ts')).visitorEn,
  de: async () => (await import('./visitor-de.ts')).visitorDe,
};

export const consoleTexts: TextsOf<Texts> = {
  en: async () => (await import('./en.ts')).en,
  de: async () => (await import('./de.ts')).de,
};
