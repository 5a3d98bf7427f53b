/** Codes as people type and paste them. */

/** A longer text is not a code, whatever is removed from it. */
const typedUnitsMax = 64;

/** Separators, punctuation and invisible characters. */
const decoration = /[\s\p{P}\p{Z}\p{Cf}\p{M}\u2212]/gu;

/**
 * Returns the letters and digits of a code, with digits of every script as ASCII, and without blanks, dashes, dots, marks and invisible
 * characters. Returns an empty text if it is too long for a code.
 */
export function plainCode(typed: string): string {
  if (typed.length > typedUnitsMax) return '';
  return typed
    .normalize('NFKC')
    .replace(decoration, '')
    .replace(/\p{Nd}/gu, asciiDigit);
}

/** The same for a code of digits: words around it, such as those of the mail that it was copied from, are left out. */
export const plainDigits = (typed: string): string => plainCode(typed).replace(/[^0-9]/g, '');

/** The ten digits of a script follow each other, and no other digit precedes its zero. */
function asciiDigit(digit: string): string {
  const position = digit.codePointAt(0) as number;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(position - value - 1))) value++;
  return String(value);
}
