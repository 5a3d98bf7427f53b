/** The texts of the console, and this browser's settings, for pages. */
import { useSyncExternalStore } from 'react';
import type { Texts } from './en.ts';
import { type Language, languageNow, loadTexts, onAppearance, type TextsOf, type Theme, themeNow } from './language.ts';
import { consoleTexts } from './loaders.ts';

export * from './language.ts';
export type { Texts };

/** The texts in the current language, for code outside pages. */
export const textsNow = await loadTexts<Texts>(consoleTexts);

export const useLanguage = (): Language => useSyncExternalStore(onAppearance, languageNow);
export const useTheme = (): Theme => useSyncExternalStore(onAppearance, themeNow);

export function useTexts(): Texts {
  useLanguage();
  return textsNow();
}

/** Loads the texts of some pages, and returns the hook that gives them in the current language. */
export async function textHook<Part>(texts: TextsOf<Part>): Promise<() => Part> {
  const now = await loadTexts(texts);
  return () => {
    useLanguage();
    return now();
  };
}
