/** Which subjects of an identity provider can sign in. */
import { isEndUserId } from '@holdfast/contract';

/**
 * Whether a subject can be an end-user id. Ids in paths are trimmed: a subject with white space around it could never be
 * named there, and might fall together with another.
 *
 * @see docs/contract.md §6.1
 */
export function isSubject(subject: string): boolean {
  return subject === subject.trim() && isEndUserId(subject);
}
