/** Characters in texts that nobody sees. */

/** Those that are hardly meant: not line ends and tabulators, and not what joins letters or turns single words of another direction. */
const unmeant = /(?![\n\r\t])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200b\u202a-\u202e\u2060-\u2069\ufeff]/u;

/** Returns the first one as `U+200B`; undefined if there is none. */
export function invisibleIn(text: string): string | undefined {
  const found = unmeant.exec(text)?.[0];
  return found && `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
