/** Texts that people choose, as both engines store them. */

/**
 * Names and comments can be any JSON string, with lone surrogates and NUL. UTF-8 cannot hold lone surrogates, and tools cut
 * texts at a NUL, so these texts are stored as JSON.
 */
export const encodeText = (value: string): string => JSON.stringify(value);

/** Returns the exact input of `encodeText`. Columns are read with `decodedTextAt` (columns.ts). */
export const decodeText = (text: string): string => JSON.parse(text);

export const encodeOptional = (value: string | null): string | null => (value === null ? null : encodeText(value));

/** The bytes that a comment adds to an account's storage: the bytes of its stored text, as returned by `encodeText`. */
export const commentBytes = (encoded: string | null): number => (encoded === null ? 0 : Buffer.byteLength(encoded));
