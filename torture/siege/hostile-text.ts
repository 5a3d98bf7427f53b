/** Kinds of text that programs choke on, as long as is wanted. */

export interface TextKind {
  readonly name: string;
  /** What is repeated. */
  readonly piece: string;
}

export const textKinds: readonly TextKind[] = [
  { name: 'one character', piece: 'a' },
  { name: '@', piece: '@' },
  { name: '&', piece: '&' },
  { name: '%', piece: '%' },
  { name: '[', piece: '[' },
  // Each second one belongs before every first one.
  { name: 'combining marks', piece: '\u0301\u0316' },
  { name: 'digits', piece: '7' },
  { name: 'spaces', piece: ' ' },
  { name: 'quotes', piece: '"' },
  { name: 'backslashes', piece: '\\' },
  // What lists are divided by.
  { name: ',', piece: ',' },
  { name: ';', piece: ';' },
  { name: '/', piece: '/' },
  { name: '.', piece: '.' },
  { name: '=', piece: '=' },
];

/**
 * A text of the kind, of at most so many bytes in UTF-8. Something else stands before it and after it: a pattern that has come to
 * the end without fitting goes back.
 */
export function hostileText({ piece }: TextKind, bytes: number): string {
  const [before, after] = ['a', ' x'];
  const count = Math.floor((bytes - before.length - after.length) / Buffer.byteLength(piece));
  return `${before}${piece.repeat(Math.max(0, count))}${after}`;
}
