/** Player ids: as subjects of an identity provider, and in paths. @see docs/contract.md §6.1 */
import { isPlayerId } from '@holdfast/contract';

/**
 * Whether a subject can be a player id. Ids in paths are trimmed: a subject with white space around it could never be
 * named there, and might fall together with another.
 *
 * @see docs/contract.md §6.1
 */
export function isSubject(subject: string): boolean {
  return subject === subject.trim() && isPlayerId(subject);
}

/**
 * The identifier that a raw path segment stands for, its percent escapes decoded once, so that `%2F` is data, and trimmed;
 * undefined when that is no identifier or its bytes are no UTF-8.
 */
export function readPlayerIdSegment(segment: string): string | undefined {
  try {
    return readPlayerId(decodeURIComponent(segment));
  } catch {
    return undefined;
  }
}

/** The identifier of a text, trimmed; undefined when that is no identifier. */
export function readPlayerId(text: string): string | undefined {
  const id = text.trim();
  return isPlayerId(id) ? id : undefined;
}
