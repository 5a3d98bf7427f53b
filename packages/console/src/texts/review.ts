/** The texts of reviews and of undoing. They are separate, so that the first page does not load them. */
import { textHook } from './index.ts';
import type { ReviewTexts } from './review-en.ts';

export type { ReviewTexts };

export const useReviewTexts = await textHook<ReviewTexts>({
  en: async () => (await import('./review-en.ts')).reviewEn,
  de: async () => (await import('./review-de.ts')).reviewDe,
});
