/** Violations of a schema, in the reader's language. */
import { loadTexts } from './language.ts';

const now = await loadTexts<(keyword: string, message: string) => string>({
  en: async () => (_keyword, message) => message,
  de: async () => (await import('./violations-de.ts')).violationDe,
});

/** Returns a violation's message. Unknown messages stay as sent. */
export const violationText = ({ keyword, message }: { readonly keyword: string; readonly message: string }): string =>
  now()(keyword, message);

/** Returns a warning about a usable schema. */
export const warningText = (message: string): string => violationText({ keyword: 'warning', message });

/** Returns the fault of a feature flag. */
export const flagText = (message: string): string => violationText({ keyword: 'flags', message });
