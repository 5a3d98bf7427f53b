/** The texts about requests on the usage page. They are separate, so that other pages do not load them. */
import type { FigureTexts } from './figures-en.ts';
import { useLanguage } from './index.ts';
import { loadTexts } from './language.ts';

const now = await loadTexts<FigureTexts>({
  en: async () => (await import('./figures-en.ts')).figuresEn,
  de: async () => (await import('./figures-de.ts')).figuresDe,
});

export function useFigureTexts(): FigureTexts {
  useLanguage();
  return now();
}
