/** Texts that others chose, such as ids and names, shown as they are. */

/** What cannot be seen, or changes the direction of what stands around it. Marks that join letters or emojis are not among it. */
const unseen = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u00ad\u200b\u2060-\u2064\ufeff]/gu;

/** Returns `text` with everything that cannot be seen written as `[U+202E]`. */
export const plain = (text: string): string =>
  text.replace(unseen, (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`);

/** Returns the first character of `name` that can be seen, as a capital; nothing where there is none. */
export const monogramOf = (name: string): string | undefined => [...name.replace(unseen, '')][0]?.toUpperCase();
