/** The texts of comparing environments and of promoting. They are separate, so that the first page does not load them. */
import { textHook } from './index.ts';
import type { PromoteTexts } from './promote-en.ts';

export type { PromoteTexts };

export const usePromoteTexts = await textHook<PromoteTexts>({
  en: async () => (await import('./promote-en.ts')).promoteEn,
  de: async () => (await import('./promote-de.ts')).promoteDe,
});
