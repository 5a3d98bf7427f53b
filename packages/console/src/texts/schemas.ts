/** The texts of schemas' pages. They are separate, so that the first page does not load them. */
import { useLanguage } from './index.ts';
import { loadTexts } from './language.ts';
import type { SchemaTexts } from './schemas-en.ts';

export type { SchemaTexts };

const now = await loadTexts<SchemaTexts>({
  en: async () => (await import('./schemas-en.ts')).schemasEn,
  de: async () => (await import('./schemas-de.ts')).schemasDe,
});

export function useSchemaTexts(): SchemaTexts {
  useLanguage();
  return now();
}
