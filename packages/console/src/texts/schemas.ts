/** The texts of schemas' pages. They are separate, so that the first page does not load them. */
import { textHook } from './index.ts';
import type { SchemaTexts } from './schemas-en.ts';

export type { SchemaTexts };

export const useSchemaTexts = await textHook<SchemaTexts>({
  en: async () => (await import('./schemas-en.ts')).schemasEn,
  de: async () => (await import('./schemas-de.ts')).schemasDe,
});
