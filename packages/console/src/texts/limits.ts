/** The texts about what a role does not reach. They are separate, so that the first page does not load them. */
import { useLanguage } from './index.ts';
import { loadTexts } from './language.ts';
import type { LimitTexts } from './limits-en.ts';

const now = await loadTexts<LimitTexts>({
  en: async () => (await import('./limits-en.ts')).limitsEn,
  de: async () => (await import('./limits-de.ts')).limitsDe,
});

export function useLimitTexts(): LimitTexts {
  useLanguage();
  return now();
}
