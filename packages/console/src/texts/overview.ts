/** The texts of the overview. They are separate, so that other pages do not load them. */
import { textHook } from './index.ts';
import type { OverviewTexts } from './overview-en.ts';

export const useOverviewTexts = await textHook<OverviewTexts>({
  en: async () => (await import('./overview-en.ts')).overviewEn,
  de: async () => (await import('./overview-de.ts')).overviewDe,
});
