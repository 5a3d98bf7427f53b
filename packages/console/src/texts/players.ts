/** The texts of players' pages. They are separate, so that other pages do not load them. */
import { useLanguage } from './index.ts';
import { loadTexts } from './language.ts';
import type { PlayerTexts } from './players-en.ts';

const now = await loadTexts<PlayerTexts>({
  en: async () => (await import('./players-en.ts')).playersEn,
  de: async () => (await import('./players-de.ts')).playersDe,
});

export type { PlayerTexts };

export function usePlayerTexts(): PlayerTexts {
  useLanguage();
  return now();
}
