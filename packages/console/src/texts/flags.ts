/** The texts of the flags page. They are separate, so that other pages do not load them. */
import type { FlagTexts } from './flags-en.ts';
import { useLanguage } from './index.ts';
import { loadTexts } from './language.ts';

const now = await loadTexts<FlagTexts>({
  en: async () => (await import('./flags-en.ts')).flagsEn,
  de: async () => (await import('./flags-de.ts')).flagsDe,
});

export function useFlagTexts(): FlagTexts {
  useLanguage();
  return now();
}
