/** Kinds of text that programs struggle with, of any length. */

export interface TextKind {
  readonly name: string;
  /** The repeated text. */
  readonly piece: string;
}

export const textKinds: readonly TextKind[] = [
  { name: 'one character', piece: 'a' },
  { name: '@', piece: '@' },
  { name: '&', piece: '&' },
  { name: '%', piece: '%' },
  { name: '[', piece: '[' },
  // Every second one sorts before every first one.
  { name: 'combining marks', piece: '\u0301\u0316' },
  { name: 'digits', piece: '7' },
  { name: 'spaces', piece: ' ' },
  { name: 'quotes', piece: '"' },
  { name: 'backslashes', piece: '\\' },
  // Separators of lists.
  { name: ',', piece: ',' },
  { name: ';', piece: ';' },
  { name: '/', piece: '/' },
  { name: '.', piece: '.' },
  { name: '=', piece: '=' },
];

/**
 * A text of the kind, of at most this many bytes in UTF-8, with different text before and after it: a pattern that fails at the end
 * backtracks.
 */
export function hostileText({ piece }: TextKind, bytes: number): string {
  const [before, after] = ['a', ' x'];
  const count = Math.floor((bytes - before.length - after.length) / Buffer.byteLength(piece));
  return `${before}${piece.repeat(Math.max(0, count))}${after}`;
}
