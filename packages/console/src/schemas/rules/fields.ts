/** The fields that documents and their schema have, with their values: what a rule can be about. */
import { isContainer, isJsonObject, type JsonObject, type JsonValue } from '@holdfast/json';
import { noHint } from '../../fields/hints.ts';
import { isRows, isTexts } from '../../fields/kinds.ts';
import { isInteger, isNumber } from '../../fields/values.ts';
import { type FieldPath, type FieldStep, fieldKey } from './field-path.ts';
import { depthMax, readRules } from './read-rules.ts';
import { choiceText, type ValueKind } from './rule-form.ts';

export interface KnownField {
  readonly path: FieldPath;
  /** The kinds of the values found; none if the schema alone names the field. */
  readonly kinds: readonly ValueKind[];
  /** Different texts and numbers, in the order found. There may be more. */
  readonly values: readonly JsonValue[];
  /** The names of the fields in it. */
  readonly names: readonly string[];
}

/** Further fields are left out. */
const fieldsMax = 2_000;
const valuesMax = 24;

interface Found {
  readonly path: FieldPath;
  readonly kinds: Set<ValueKind>;
  readonly values: Map<string, JsonValue>;
  readonly names: Set<string>;
  readonly below: Map<string, Found>;
}

const found = (path: FieldPath): Found => ({
  path,
  kinds: new Set(),
  values: new Map(),
  names: new Set(),
  below: new Map(),
});

/** Returns the fields of documents, each before the fields in it, then those that only the schema names. The first is the whole document. */
export function fieldsOf(documents: readonly JsonObject[], schema: JsonValue): readonly KnownField[] {
  const root = found([]);
  let count = 1;
  const at = (field: Found, step: FieldStep): Found | undefined => {
    const key = JSON.stringify(step);
    const known = field.below.get(key);
    if (known !== undefined) return known;
    if (count >= fieldsMax || field.path.length >= depthMax) return undefined;
    count++;
    const made = found([...field.path, step]);
    field.below.set(key, made);
    return made;
  };
  const visit = (field: Found | undefined, value: JsonValue): void => {
    if (field === undefined) return;
    note(field, value);
    if (value === null || !isContainer(value)) return;
    if (!isJsonObject(value)) {
      for (const entry of Object.values<JsonValue>(value)) visit(at(field, 'each'), entry);
      return;
    }
    // The members of a map are alike: a rule is about all of them.
    const isMap = field.path.length > 0 && (isRows(value, noHint) || isTexts(value));
    for (const [name, member] of Object.entries(value)) visit(at(field, isMap ? 'member' : { name }), member);
  };
  for (const document of documents) visit(root, document);
  const fields = flattened(root);
  const known = new Set(fields.map(({ path }) => fieldKey(path)));
  const further = readRules(schema).filter(({ path }) => !known.has(fieldKey(path)));
  return [...fields, ...further.map(({ path }) => ({ path, kinds: [], values: [], names: [] }))];
}

function note({ kinds, values, names }: Found, value: JsonValue): void {
  const kind = kindOf(value);
  if (kind !== undefined) kinds.add(kind);
  const isScalar = typeof value === 'string' || isNumber(value);
  if (isScalar && values.size <= valuesMax) values.set(`${typeof value} ${choiceText(value)}`, value);
  if (value !== null && isContainer(value) && isJsonObject(value)) for (const name of Object.keys(value)) names.add(name);
}

function flattened({ path, kinds, values, names, below }: Found): readonly KnownField[] {
  const field = { path, kinds: [...kinds], values: [...values.values()], names: [...names] };
  return [field, ...[...below.values()].flatMap(flattened)];
}

function kindOf(value: JsonValue): ValueKind | undefined {
  if (value === null) return undefined;
  if (isNumber(value)) return isInteger(value) ? 'integer' : 'number';
  if (isContainer(value)) return isJsonObject(value) ? 'object' : 'array';
  return typeof value === 'string' ? 'string' : 'boolean';
}

/** Whether a field has a few values, all known, that a rule can name. */
export const hasFewValues = ({ values }: KnownField): boolean => values.length > 1 && values.length <= valuesMax;

/** Returns the kind that all values of a field have. Whole numbers are numbers: the next one may not be whole. */
export function commonKind({ kinds }: KnownField): ValueKind | 'any' {
  const [kind = 'any', ...others] = new Set(kinds.map((one) => (one === 'integer' ? 'number' : one)));
  return others.length === 0 ? kind : 'any';
}
