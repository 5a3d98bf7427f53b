/** How messages show texts that may be long. */

/** Characters of a quoted text: half of them from its beginning, half from its end. */
export const quotedCharactersMax = 100;

/** Returns a quoted text, with control characters escaped, shortened in the middle if long. */
export function quote(text: string): string {
  if (text.length <= quotedCharactersMax) return JSON.stringify(text);
  return quoteEnds(text, text);
}

/** Returns the beginning of `head` and the end of `tail`, quoted. */
export function quoteEnds(head: string, tail: string): string {
  return JSON.stringify(`${head.slice(0, quotedCharactersMax / 2)}…${tail.slice(-quotedCharactersMax / 2)}`);
}

/** Returns a text, cut after so many characters if it is longer, with an ellipsis. It is not cut within a surrogate pair. */
export function shortened(text: string, charactersMax: number): string {
  return text.length > charactersMax ? `${text.slice(0, charactersMax).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
