/** The texts about requests on the usage page. They are separate, so that other pages do not load them. */
import type { FigureTexts } from './figures-en.ts';
import { textHook } from './index.ts';

export const useFigureTexts = await textHook<FigureTexts>({
  en: async () => (await import('./figures-en.ts')).figuresEn,
  de: async () => (await import('./figures-de.ts')).figuresDe,
});
