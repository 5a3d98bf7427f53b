/** Which subjects of an identity provider can sign in. */
import { endUserIdCharactersMax } from '@holdfast/contract';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * Whether a subject can be an end-user id. Ids in paths are trimmed and are UTF-8: a subject with white space around it, or
 * with half a surrogate pair, could never be named there, and might fall together with another.
 *
 * @see interface 2.6
 */
export function isEndUserId(subject: string): boolean {
  const isSized = subject.length >= 1 && subject.length <= endUserIdCharactersMax;
  return isSized && subject === subject.trim() && subject.isWellFormed() && !controlCharacter.test(subject);
}
