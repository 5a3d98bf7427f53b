/** The texts about what a role does not reach. They are separate, so that the first page does not load them. */
import { textHook } from './index.ts';
import type { LimitTexts } from './limits-en.ts';

export const useLimitTexts = await textHook<LimitTexts>({
  en: async () => (await import('./limits-en.ts')).limitsEn,
  de: async () => (await import('./limits-de.ts')).limitsDe,
});
