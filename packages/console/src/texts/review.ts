/** The texts of reviews and of undoing. They are separate, so that the first page does not load them. */
import { useLanguage } from './index.ts';
import { loadTexts } from './language.ts';
import type { ReviewTexts } from './review-en.ts';

export type { ReviewTexts };

const now = await loadTexts<ReviewTexts>({
  en: async () => (await import('./review-en.ts')).reviewEn,
  de: async () => (await import('./review-de.ts')).reviewDe,
});

export function useReviewTexts(): ReviewTexts {
  useLanguage();
  return now();
}
