/** The texts of the editor of documents in English. */
import type { Widened } from './widened.ts';

/** Translations of CodeMirror's own phrases. Empty here, since they are English. */
const phrases: Readonly<Record<string, string>> = {};

export const texts = {
  phrases,
  /** Of a search in the document. The text is `1000+` if there are more. */
  noMatches: 'no matches',
  matches: (count: number, formatted: string) => `${formatted} ${count === 1 ? 'match' : 'matches'}`,
  currentMatch: (current: number, all: string) => `${current} of ${all}`,
  /** About a member with the name of a later one. */
  duplicate: (name: string) => `“${name}” appears again below in this object. Only the last one counts.`,
};

export type EditorTexts = Widened<typeof texts>;
