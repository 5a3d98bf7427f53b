/** The values that break a rule, in a line. */
import { isContainer, type JsonValue, printJson } from '@holdfast/json';
import type { ReactNode } from 'react';
import { shortened } from '../../diff/short-value.ts';
import { Quoted, valueInLine } from '../../diff/value-in-line.tsx';
import { isNumber } from '../../fields/values.ts';
import type { Value } from '../../json-text/changes.ts';
import type { ChangeTexts } from '../../texts/changes-en.ts';
import type { SchemaTexts } from '../../texts/schemas-en.ts';

/** Returns the only value, or of several numbers the least and the greatest. Null if they do not fit in a line, or one is missing. */
export function valuesText(c: ChangeTexts, s: SchemaTexts, values: readonly Value[]): ReactNode {
  const scalars = values.filter(
    (value): value is JsonValue => value !== undefined && (value === null || !isContainer(value)),
  );
  const [first] = scalars;
  if (first === undefined || scalars.length < values.length) return null;
  const texts = scalars.map((value) => valueInLine(c, value));
  if (new Set(texts).size === 1) return <Quoted value={first}>{shortened(texts[0] ?? '')}</Quoted>;
  if (!scalars.every(isNumber)) return null;
  const literals = scalars.map((value) => printJson(value)).toSorted((one, other) => Number(one) - Number(other));
  return s.words.range(literals[0], literals.at(-1));
}
