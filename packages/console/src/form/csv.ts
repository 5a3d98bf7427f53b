/**
 * Tables as text: comma-separated values, and the tabs of spreadsheets.
 * @see RFC 4180
 */

import { numberOf } from '../fields/values.ts';

const separators = [',', ';', '\t'] as const;

/** What a spreadsheet would run as a formula. A leading apostrophe makes it a text there. */
const formula = /^'*[=+\-@\t\r]/;
const guarded = (cell: string) => (formula.test(cell) && numberOf(cell) === undefined ? `'${cell}` : cell);
const unguarded = (cell: string) => (cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell);

/** Returns the rows of a file, without the apostrophes that `printRows` adds. */
export const readFileRows = (text: string, separator?: string): string[][] =>
  readRows(text, separator).map((row) => row.map(unguarded));

/** Returns the rows of a text. The separator is the most frequent one in the first line, unless given. */
export function readRows(text: string, separator: string = separatorOf(text)): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const content = text.replace(/^\ufeff/, '');
  let at = 0;
  while (at < content.length) {
    const isQuoted = content[at] === '"';
    const end = isQuoted ? endOfQuoted(content, at) : endOfPlain(content, at, separator);
    const cell = content.slice(at, end);
    row.push(isQuoted ? unquoted(cell) : cell);
    at = isQuoted ? endOfPlain(content, end, separator) : end;
    if (content[at] === separator) {
      at++;
      if (at === content.length) row.push('');
    } else if (at < content.length) {
      at += content.startsWith('\r\n', at) ? 2 : 1;
      rows.push(row);
      row = [];
    }
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

/** Returns rows as a text that spreadsheets open: with a byte order mark, CRLF at the end of lines, and no formula. */
export function printRows(rows: readonly (readonly string[])[], separator: string): string {
  const quoted = (cell: string) => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return `\ufeff${rows.map((row) => `${row.map((cell) => quoted(guarded(cell))).join(separator)}\r\n`).join('')}`;
}

function separatorOf(text: string): string {
  const [line = ''] = text.split(/\r?\n/, 1);
  const count = (separator: string) => line.split(separator).length;
  return separators.reduce<string>((best, one) => (count(one) > count(best) ? one : best), separators[0]);
}

/** The end of a quoted cell. What wrongly follows its closing quote is skipped. */
function endOfQuoted(text: string, at: number): number {
  let next = at + 1;
  while (next < text.length) {
    if (text[next] !== '"') next++;
    else if (text[next + 1] === '"') next += 2;
    else return next + 1;
  }
  return next;
}

const unquoted = (cell: string): string => cell.replace(/^"|"$/g, '').replaceAll('""', '"');

function endOfPlain(text: string, at: number, separator: string): number {
  let next = at;
  while (next < text.length && text[next] !== separator && text[next] !== '\n' && text[next] !== '\r') next++;
  return next;
}
