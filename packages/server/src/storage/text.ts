/**
 * Names and comments are any JSON strings, lone surrogates and NUL included. UTF-8 cannot hold the former, and tools cut
 * texts at the latter, so such texts are stored as JSON.
 */
export const encodeText = (value: string): string => JSON.stringify(value);

/** Gives back exactly what `encodeText` was given. */
export const decodeText = (text: unknown): string => JSON.parse(text as string) as string;

export const encodeOptional = (value: string | null): string | null => (value === null ? null : encodeText(value));
export const decodeOptional = (text: unknown): string | null => (text === null ? null : decodeText(text));
