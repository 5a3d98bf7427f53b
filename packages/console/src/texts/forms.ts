/** The texts of forms and tables. They are separate, so that other pages do not load them. */
import type { FormTexts } from './forms-en.ts';
import { useLanguage } from './index.ts';
import { loadTexts } from './language.ts';

export type { FormTexts };

/** The texts in the current language, for code outside pages. */
export const formTextsNow = await loadTexts<FormTexts>({
  en: async () => (await import('./forms-en.ts')).formsEn,
  de: async () => (await import('./forms-de.ts')).formsDe,
});

export function useFormTexts(): FormTexts {
  useLanguage();
  return formTextsNow();
}
