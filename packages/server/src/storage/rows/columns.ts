/**
 * Reads columns of rows. Only this file determines the types of values from a database. Each function returns the value, or throws a
 * `StoreFault` that names the column, never the value, if the type is wrong: a row that this program does not understand is a logged fault,
 * never a record.
 */
import { StoreFault } from '../contract/errors.ts';

/** A row as drivers return it, by column names, which are the same in every engine. */
export type Row = Readonly<Record<string, unknown>>;

/** The fault of a column with an unexpected value. */
export const columnFault = (column: string, wanted: string, value: unknown): StoreFault => {
  const found = value === null ? 'null' : value instanceof Uint8Array ? 'bytes' : typeof value;
  return new StoreFault('cannot use a row of the database', {
    cause: new Error(`column ${column} is ${found}, not ${wanted}`),
  });
};

/** Returns the text of a column. */
export function textAt(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw columnFault(column, 'text', value);
  return value;
}

/** Returns the text of a column that holds it as JSON (`encodeText`). */
export function decodedTextAt(row: Row, column: string): string {
  const value = jsonAt<unknown>(row, column);
  if (typeof value !== 'string') throw columnFault(column, 'text as JSON', row[column]);
  return value;
}

/** Returns the integer of a column: a count, a version, a size or a time. */
export function integerAt(row: Row, column: string): number {
  const value = row[column];
  if (!Number.isSafeInteger(value)) throw columnFault(column, 'a safe integer', value);
  return value as number;
}

/** Returns the bytes of a column. */
export function bytesAt(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw columnFault(column, 'bytes', value);
  return value;
}

/** As `textAt`; null for an empty column. */
export const optionalTextAt = (row: Row, column: string): string | null =>
  row[column] === null ? null : textAt(row, column);

/** As `decodedTextAt`; null for an empty column. */
export const optionalDecodedTextAt = (row: Row, column: string): string | null =>
  row[column] === null ? null : decodedTextAt(row, column);

/** As `integerAt`; null for an empty column. */
export const optionalIntegerAt = (row: Row, column: string): number | null =>
  row[column] === null ? null : integerAt(row, column);

/** As `bytesAt`; null for an empty column. */
export const optionalBytesAt = (row: Row, column: string): Uint8Array | null =>
  row[column] === null ? null : bytesAt(row, column);

/** Returns the word in a column, which must be one of these. */
export function wordAt<Word extends string>(row: Row, column: string, words: readonly Word[]): Word {
  const value = row[column];
  const word = words.find((each) => each === value);
  if (word === undefined) throw columnFault(column, `one of ${words.join(', ')}`, value);
  return word;
}

/** Returns the words in a column that holds a comma-separated list of these. */
export const wordsAt = <Word extends string>(row: Row, column: string, words: readonly Word[]): Word[] =>
  textAt(row, column)
    .split(',')
    .map((word) => wordAt({ [column]: word }, column, words));

/** Returns the value of a column of JSON text. Only this program writes these columns, so members are not checked. */
export function jsonAt<Json>(row: Row, column: string): Json {
  const text = textAt(row, column);
  try {
    return JSON.parse(text);
  } catch {
    throw columnFault(column, 'JSON', text);
  }
}

/** As `jsonAt`; null for an empty column. */
export const optionalJsonAt = <Json>(row: Row, column: string): Json | null =>
  row[column] === null ? null : jsonAt<Json>(row, column);
