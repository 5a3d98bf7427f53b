/** Player ids: as subjects of an identity provider, and in paths. @see docs/contract.md §6.1 */
import { isPlayerId } from '@holdfast/contract';

/**
 * Whether a subject can be a player id. Ids in paths are trimmed: a subject with white space around it could never be named there, and
 * might collide with another.
 *
 * @see docs/contract.md §6.1
 */
export function isSubject(subject: string): boolean {
  return subject === subject.trim() && isPlayerId(subject);
}

/**
 * The player id in a raw path segment, its percent escapes decoded once, so that `%2F` is data, and trimmed; undefined if it is not a
 * player id, or not UTF-8.
 */
export function readPlayerIdSegment(segment: string): string | undefined {
  try {
    return readPlayerId(decodeURIComponent(segment));
  } catch {
    return undefined;
  }
}

/** The player id in a text, trimmed; undefined if it is not one. */
export function readPlayerId(text: string): string | undefined {
  const id = text.trim();
  return isPlayerId(id) ? id : undefined;
}
