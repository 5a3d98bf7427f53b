/** What does not fit a schema, in the reader's language. */
import { loadTexts } from './language.ts';

const now = await loadTexts<(keyword: string, message: string) => string>({
  en: async () => (_keyword, message) => message,
  de: async () => (await import('./violations-de.ts')).violationDe,
});

/** Returns what a violation says. Words that are not known stay as the service sent them. */
export const violationText = ({ keyword, message }: { readonly keyword: string; readonly message: string }): string =>
  now()(keyword, message);

/** Returns what may be wrong with a schema that can be used. */
export const warningText = (message: string): string => violationText({ keyword: 'warning', message });

/** Returns what is wrong with a feature flag. */
export const flagText = (message: string): string => violationText({ keyword: 'flags', message });
