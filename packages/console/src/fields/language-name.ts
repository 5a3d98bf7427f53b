/** Names of languages. */
import { languageNow } from '../texts/language.ts';
import { isLanguage } from './kinds.ts';

/** Returns the name of a language in that of the console; a code of none as it is. */
export function languageName(code: string): string {
  if (!isLanguage(code)) return code;
  return new Intl.DisplayNames(languageNow(), { type: 'language' }).of(code.replaceAll('_', '-')) ?? code;
}
