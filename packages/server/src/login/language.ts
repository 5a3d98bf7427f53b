/** The language of a page, and its format of durations and numbers. */
import { de } from './texts/de.ts';
import { en, type Texts } from './texts/en.ts';

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

const catalogues: Readonly<Record<Language, Texts>> = { en, de };

/** Returns the texts of a language. */
export function textsOf(language: Language): Texts {
  return catalogues[language];
}

/** Returns the language with a code; undefined for any other text. */
export const languageIn = (code: string | undefined): Language | undefined => languages.find((one) => one === code);

/** The names of the languages, each in its own. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

/** The cookie that keeps the language that a person chose on a page. */
const languageCookie = /(?:^|;\s*)(?:__Host-)?holdfast_language=(\w+)/;

/** Returns the language of a page: what the person chose, now or earlier, otherwise that of the client or browser. */
export function languageFor(
  parameters: { get(name: string): string | undefined },
  headers: { readonly cookie?: string | undefined; readonly 'accept-language'?: string | undefined },
): Language {
  const [, kept] = languageCookie.exec(headers.cookie ?? '') ?? [];
  return (
    languageIn(parameters.get('language')) ??
    languageIn(kept) ??
    chooseLanguage(parameters.get('ui_locales'), headers['accept-language'])
  );
}

/** How many characters of each language list are read. Browsers send some dozens. */
const languageListCharactersMax = 1_000;

/**
 * Returns the language of a page: the first known one of `uiLocales` (separated by blanks, preferred first), otherwise the known one that
 * the browser prefers, otherwise English.
 *
 * @see https://openid.net/specs/openid-connect-core-1_0.html#AuthRequest and RFC 9110 §12.5.4
 */
export function chooseLanguage(uiLocales: string | undefined, acceptLanguage: string | undefined): Language {
  const wanted = (uiLocales ?? '')
    .slice(0, languageListCharactersMax)
    .split(' ')
    .map((tag) => ({ tag, weight: 1 }));
  const accepted = (acceptLanguage ?? '')
    .slice(0, languageListCharactersMax)
    .split(',')
    .map((item) => {
      const [tag = '', ...parameters] = item.split(';').map((part) => part.trim());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return { tag, weight: weight === undefined ? 1 : Number(weight) };
    })
    .sort((one, two) => two.weight - one.weight);
  for (const { tag, weight } of [...wanted, ...accepted]) {
    const known = languages.find((language) => language === tag.split('-')[0]?.toLowerCase());
    if (known !== undefined && weight > 0) return known;
  }
  return 'en';
}

/** Returns a duration in words, in whole minutes from one minute up: "45 seconds", "12 minutes". */
export function duration(language: Language, seconds: number): string {
  const [count, unit] = seconds < 60 ? [Math.max(1, seconds), 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}
