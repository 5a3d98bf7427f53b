/** What the editor of a text says itself: the count of a search, and names that an object has twice. */
import { languageNow } from './language.ts';

/** `1 of 3`; without a current match `3`, and `1000+` if there are more. */
export function matchText(current: number, count: number, isMore: boolean): string {
  const isGerman = languageNow() === 'de';
  if (count === 0) return isGerman ? 'keine Treffer' : 'no matches';
  const all = `${count}${isMore ? '+' : ''}`;
  if (current === 0) return isGerman ? `${all} Treffer` : `${all} ${count === 1 ? 'match' : 'matches'}`;
  return isGerman ? `${current} von ${all}` : `${current} of ${all}`;
}

/** Says that an earlier member does not count. */
export const duplicateText = (name: string): string =>
  languageNow() === 'de'
    ? `„${name}“ kommt in diesem Objekt noch einmal vor. Es gilt nur das letzte.`
    : `“${name}” appears again below in this object. Only the last one counts.`;
