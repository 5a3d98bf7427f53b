/** The texts of the console, and the settings of this browser, for pages. */
import { useSyncExternalStore } from 'react';
import type { Texts } from './en.ts';
import { type Language, languageNow, loadTexts, onAppearance, type Theme, themeNow } from './language.ts';
import { consoleTexts } from './loaders.ts';

export * from './language.ts';
export type { Texts };

/** The texts of the language there is now, for code outside of pages. */
export const textsNow = await loadTexts<Texts>(consoleTexts);

export const useLanguage = (): Language => useSyncExternalStore(onAppearance, languageNow);
export const useTheme = (): Theme => useSyncExternalStore(onAppearance, themeNow);

export function useTexts(): Texts {
  useLanguage();
  return textsNow();
}
