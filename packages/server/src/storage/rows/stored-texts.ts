/** Texts that people choose, as both engines store them. */
import { StoreFault } from '../contract/errors.ts';

/**
 * Names and comments can be any JSON string, with lone surrogates and NUL. UTF-8 cannot hold lone surrogates, and tools cut
 * texts at a NUL, so these texts are stored as JSON.
 */
export const encodeText = (value: string): string => JSON.stringify(value);

/** Returns the exact input of `encodeText`. */
export function decodeText(text: unknown): string {
  const value: unknown = typeof text === 'string' ? JSON.parse(text) : text;
  if (typeof value !== 'string') throw new StoreFault('cannot use a row of the database: a text is not one');
  return value;
}

export const encodeOptional = (value: string | null): string | null => (value === null ? null : encodeText(value));

export const decodeOptional = (text: unknown): string | null => (text === null ? null : decodeText(text));

/** The bytes that a comment adds to an account's storage: the bytes of its stored text, as returned by `encodeText`. */
export const commentBytes = (encoded: string | null): number => (encoded === null ? 0 : Buffer.byteLength(encoded));
