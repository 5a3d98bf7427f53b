/** What the page of usage says of requests. The texts are apart, so that other pages do not load them. */
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
