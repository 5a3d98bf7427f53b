/** Identifiers of end users. @see interface 2.6 */
import { endUserIdCharactersMax } from '@holdfast/contract';

/** C0, DEL and C1. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that the rule names
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;

/** The identifier trimmed, or undefined when it is empty then, too long, or holds a control character. */
export function readEndUserId(text: string): string | undefined {
  const trimmed = text.trim();
  const isValid = trimmed.length > 0 && trimmed.length <= endUserIdCharactersMax && !controlCharacter.test(trimmed);
  return isValid && trimmed.isWellFormed() ? trimmed : undefined;
}

/**
 * The identifier that a raw path segment stands for, its percent escapes decoded once, so that `%2F` is data; undefined when
 * it is no valid identifier or its bytes are no UTF-8.
 */
export function readEndUserIdSegment(segment: string): string | undefined {
  try {
    return readEndUserId(decodeURIComponent(segment));
  } catch {
    return undefined;
  }
}
