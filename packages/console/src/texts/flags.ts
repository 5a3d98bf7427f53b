/** The texts of the flags page. They are separate, so that other pages do not load them. */
import type { FlagTexts } from './flags-en.ts';
import { textHook } from './index.ts';

export const useFlagTexts = await textHook<FlagTexts>({
  en: async () => (await import('./flags-en.ts')).flagsEn,
  de: async () => (await import('./flags-de.ts')).flagsDe,
});
