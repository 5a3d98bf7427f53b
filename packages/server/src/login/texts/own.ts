/** The texts of second factors and of the page *Your sign-in*, by language. */
import type { Language } from '../language.ts';
import { ownDe } from './own-de.ts';
import { type OwnTexts, ownEn } from './own-en.ts';

const catalogues: Readonly<Record<Language, OwnTexts>> = { en: ownEn, de: ownDe };

/** Returns the texts of a language. */
export const ownTextsOf = (language: Language): OwnTexts => catalogues[language];
