/** Texts that others chose, such as ids and names, shown literally. */

/** Characters that are invisible or change the direction of surrounding text, except marks that join letters or emojis. */
const unseen = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u00ad\u200b\u2060-\u2064\ufeff]/gu;

/** Returns `text` with invisible characters escaped as `[U+202E]`. */
export const plain = (text: string): string =>
  text.replace(unseen, (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`);

/** Returns a text of at most so many characters. */
export const cut = (text: string, charactersMax: number): string =>
  text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text;

/** Returns the first visible character of `name` in upper case; nothing if there is none. */
export const monogramOf = (name: string): string | undefined => [...name.replace(unseen, '')][0]?.toUpperCase();
