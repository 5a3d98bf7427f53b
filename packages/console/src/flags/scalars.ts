/** Values in a line of text. Numbers, `true`, `false` and `null` stand as such; a text that looks like one is in quotes. */
import { isContainer, type JsonValue, parseJson, printJson } from '@holdfast/json';
import type { Scalar } from './targeting.ts';

/** Returns the text of a value, which `readScalar` reads as the same value. */
export function scalarText(value: Scalar): string {
  if (typeof value !== 'string') return printJson(value);
  const isPlain = value === value.trim() && !value.startsWith('"') && asScalar(value) === undefined;
  return isPlain ? value : JSON.stringify(value);
}

/** Returns the value of a text. */
export function readScalar(text: string): Scalar {
  const trimmed = text.trim();
  const value = asScalar(trimmed);
  return value === undefined ? trimmed : value;
}

/** Returns the text of a list: values separated by commas. */
export const listText = (values: readonly Scalar[]): string =>
  values
    .map((value) => {
      const text = scalarText(value);
      return value === '' || (text.includes(',') && !text.startsWith('"')) ? JSON.stringify(value) : text;
    })
    .join(', ');

/** A value in quotes, or up to the next comma. */
const items = /\s*("(?:[^"\\]|\\.)*"(?=\s*(?:,|$))|[^,]*)(?:\s*,|$)/gy;

/** Returns the values of a text. Empty text between two commas is skipped. */
export const readList = (text: string): readonly Scalar[] =>
  [...text.matchAll(items)].flatMap(([, item = '']) => (item.trim() === '' ? [] : [readScalar(item)]));

function asScalar(text: string): Scalar | undefined {
  const value = asJson(text);
  return value === undefined || isContainer(value) ? undefined : value;
}

/** Returns the value of a JSON text; undefined for any other text. */
export function asJson(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
