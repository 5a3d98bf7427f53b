/** Faults of feature flags in a sentence that names the flag. */
import type { Texts } from '../texts/index.ts';
import { flagText } from '../texts/violations.ts';
import { plain } from '../ui/plain-text.ts';

/** The service's message about a name in the rules (server: flags/findings.ts, flags/flag.ts). */
const unknownVariant = /^its rules give the name of no variant: (".*")$/s;

/** Returns the sentence. `flag` is empty if the fault is in the flags as a whole. */
export function flagSentence(t: Texts, flag: string, message: string): string {
  const [, name] = unknownVariant.exec(message) ?? [];
  if (name !== undefined) return t.state.flagNoVariant(plain(flag), plain(name.slice(1, -1)));
  const what = plain(flagText(message));
  return flag === '' ? what : t.state.flagFault(plain(flag), what);
}
