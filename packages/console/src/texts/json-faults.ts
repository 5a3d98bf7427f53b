/** Why a text is not JSON, in words. They are separate, so that the first page does not load them. */
import { faultSentenceIn, type JsonFault } from '../state/json-fault.ts';
import type { JsonFaultTexts } from './json-faults-en.ts';
import { loadTexts } from './language.ts';

const now = await loadTexts<JsonFaultTexts>({
  en: async () => (await import('./json-faults-en.ts')).jsonFaultsEn,
  de: async () => (await import('./json-faults-de.ts')).jsonFaultsDe,
});

/** Describes a fault in a sentence, in the current language. */
export const faultSentence = (fault: JsonFault): string => faultSentenceIn(now(), fault);
