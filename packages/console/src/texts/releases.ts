/** The texts of proposals and of changes at a time. They are separate, so that the first page does not load them. */
import { useLanguage } from './index.ts';
import { loadTexts } from './language.ts';
import type { ReleaseTexts } from './releases-en.ts';

export type { ReleaseTexts };

/** For code outside pages. */
export const releaseTextsNow = await loadTexts<ReleaseTexts>({
  en: async () => (await import('./releases-en.ts')).releasesEn,
  de: async () => (await import('./releases-de.ts')).releasesDe,
});

export function useReleaseTexts(): ReleaseTexts {
  useLanguage();
  return releaseTextsNow();
}
