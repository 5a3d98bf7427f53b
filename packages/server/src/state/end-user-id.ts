/** End-user ids in paths. @see docs/contract.md §6.1 */
import { isEndUserId } from '@holdfast/contract';

/**
 * The identifier that a raw path segment stands for, its percent escapes decoded once, so that `%2F` is data, and trimmed;
 * undefined when that is no identifier or its bytes are no UTF-8.
 */
export function readEndUserIdSegment(segment: string): string | undefined {
  try {
    const id = decodeURIComponent(segment).trim();
    return isEndUserId(id) ? id : undefined;
  } catch {
    return undefined;
  }
}
