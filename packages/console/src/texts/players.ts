/** The texts of players' pages. They are separate, so that other pages do not load them. */
import { textHook } from './index.ts';
import type { PlayerTexts } from './players-en.ts';

export const usePlayerTexts = await textHook<PlayerTexts>({
  en: async () => (await import('./players-en.ts')).playersEn,
  de: async () => (await import('./players-de.ts')).playersDe,
});

export type { PlayerTexts };
