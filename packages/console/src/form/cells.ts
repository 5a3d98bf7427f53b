/** The cells of a grid as text, for people, spreadsheets and files. */
import { type JsonValue, printJson } from '@holdfast/json';
import { jsonOf, numberOf } from '../fields/values.ts';
import type { Value } from '../json-text/changes.ts';
import { columnChoices, type GridColumn } from './grid.ts';

/** The text of a cell: a string as it is, any other value as JSON; nothing for a missing one. */
export const cellText = (value: Value): string =>
  value === undefined ? '' : typeof value === 'string' ? value : printJson(value);

/** The most of a list that a cell shows in words. */
const [wordsMax, wordCharactersMax] = [12, 40];

/** Returns the entries of a list of short texts with commas between them; undefined for any other value. */
export function wordsOf(value: Value): string | undefined {
  if (!Array.isArray(value) || value.length > wordsMax) return undefined;
  const isWord = (entry: JsonValue) =>
    typeof entry === 'string' && entry !== '' && entry.length <= wordCharactersMax && !/[,\n]/.test(entry);
  return value.every(isWord) ? value.join(', ') : undefined;
}

const words: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
  ['yes', true],
  ['no', false],
  ['wahr', true],
  ['falsch', false],
  ['ja', true],
  ['nein', false],
]);

/** Returns the value of a text in a column, where `old` stands now; undefined if the text does not fit the column. */
export function valueFromText(column: GridColumn, old: Value, text: string): { readonly value: Value } | undefined {
  if (text === cellText(old)) return { value: old };
  const trimmed = text.trim();
  if (column.kind !== 'text' && trimmed === '') return emptied(column);
  if (trimmed === 'null' && column.isNullable) return { value: null };
  return given(ofKind(column, text, trimmed));
}

/** The value of a cell that somebody emptied; undefined if it must keep one. */
export function emptied({
  isNullable,
  isOptional,
}: Pick<GridColumn, 'isNullable' | 'isOptional'>): { value: Value } | undefined {
  return isNullable ? { value: null } : isOptional ? { value: undefined } : undefined;
}

const given = (value: Value) => (value === undefined ? undefined : { value });

function ofKind(column: GridColumn, text: string, trimmed: string): JsonValue | undefined {
  switch (column.kind) {
    case 'text':
      return text;
    case 'number':
      return numberOf(trimmed);
    case 'boolean':
      return words.get(trimmed.toLowerCase());
    case 'choice':
      return columnChoices(column).find((choice) => cellText(choice) === trimmed);
    case 'json':
      return jsonOf(trimmed);
  }
}
