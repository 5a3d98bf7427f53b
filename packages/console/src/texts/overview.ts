/** The texts of the overview. They are separate, so that other pages do not load them. */
import { useLanguage } from './index.ts';
import { loadTexts } from './language.ts';
import type { OverviewTexts } from './overview-en.ts';

const now = await loadTexts<OverviewTexts>({
  en: async () => (await import('./overview-en.ts')).overviewEn,
  de: async () => (await import('./overview-de.ts')).overviewDe,
});

export function useOverviewTexts(): OverviewTexts {
  useLanguage();
  return now();
}
