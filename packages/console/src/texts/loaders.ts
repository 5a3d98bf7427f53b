/** Where the texts are that every page needs. They are apart by language, and by whether somebody is signed in. */
import type { ArrivalTexts } from './arrival-en.ts';
import type { Texts } from './en.ts';
import type { TextsOf } from './language.ts';

export const arrivalTexts: TextsOf<ArrivalTexts> = {
  en: async () => (await import('./arrival-en.ts')).arrivalEn,
  de: async () => (await import('./arrival-de.ts')).arrivalDe,
};

export const consoleTexts: TextsOf<Texts> = {
  en: async () => (await import('./en.ts')).en,
  de: async () => (await import('./de.ts')).de,
};
