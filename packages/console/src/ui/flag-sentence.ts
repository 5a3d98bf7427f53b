/** Faults of feature flags in a sentence that names the flag. */
import type { Texts } from '../texts/index.ts';
import { flagText, missingVariant } from '../texts/violations.ts';
import { plain } from './plain-text.ts';

/** Returns the sentence. `flag` is empty if the fault is in the flags as a whole. */
export function flagSentence(t: Texts, flag: string, message: string): string {
  const name = missingVariant(message);
  if (name !== undefined) return t.state.flagNoVariant(plain(flag), plain(name));
  const what = plain(flagText(message));
  return flag === '' ? what : t.state.flagFault(plain(flag), what);
}
