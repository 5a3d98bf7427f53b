/** Which part of a form shows a value, by its schema and by what it is. */
import { isContainer, isJsonObject, type JsonObject, type JsonValue } from '@holdfast/json';
import type { Value } from '../json-text/changes.ts';
import { choicesOf, type Hint, namesOf, typesOf } from './hints.ts';
import { isNumber } from './values.ts';

/** How a scalar is edited. `json`: as text, since no field fits. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'choice' | 'json';
/** `group`: its members are fields; `items`: a short list of scalars; `table`: a list or map of objects, a long list, or texts. */
export type Kind = FieldKind | 'group' | 'items' | 'table';

/** A longer list of scalars is a table. */
const itemsMax = 12;
/** Fewer objects are a group, unless their schema says that they are alike. */
const mapRowsMin = 3;

/** Returns the part of a form that shows a value. */
export function kindOf(value: Value, hint: Hint): Kind {
  if (value === undefined || value === null) return kindByType(hint);
  if (!isContainer(value)) return scalarKind(value, hint);
  if (isJsonObject(value)) return isRows(value, hint) || isTexts(value) ? 'table' : 'group';
  return listKind(Object.values<JsonValue>(value), hint);
}

/** Returns how a scalar is edited. */
export function scalarKind(value: JsonValue, hint: Hint): FieldKind {
  if (choicesOf(hint)?.includes(value)) return 'choice';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'boolean';
  return isNumber(value) ? 'number' : 'json';
}

function kindByType(hint: Hint): FieldKind {
  if (choicesOf(hint) !== undefined) return 'choice';
  const type = typesOf(hint).find((one) => one !== 'null');
  if (type === 'string' || type === 'boolean') return type === 'string' ? 'text' : type;
  return type === 'integer' || type === 'number' ? 'number' : 'json';
}

function listKind(list: readonly JsonValue[], hint: Hint): Kind {
  const { items } = hint;
  if (list.length === 0) {
    if (items === undefined || !isJsonObject(items)) return 'json';
    const [type] = typesOf(items);
    if (type === undefined) return namesOf(items).length > 0 || items.$ref !== undefined ? 'table' : 'json';
    return type === 'object' ? 'table' : type === 'array' ? 'json' : 'items';
  }
  if (list.every(isJsonObject)) return 'table';
  if (list.some(isContainer)) return 'json';
  return list.length > itemsMax ? 'table' : 'items';
}

/** Whether an object is a map: its members are objects of the same form. */
export function isRows(object: JsonObject, hint: Hint): boolean {
  const members = Object.values(object);
  if (!members.every(isJsonObject)) return false;
  const { additionalProperties } = hint;
  const isDeclared = additionalProperties !== undefined && isJsonObject(additionalProperties) && namesOf(hint).length === 0;
  if (isDeclared && typesOf(additionalProperties).includes('object')) return true;
  if (members.length < mapRowsMin) return false;
  const counts = new Map<string, number>();
  for (const name of members.flatMap((member) => Object.keys(member))) counts.set(name, (counts.get(name) ?? 0) + 1);
  const common = [...counts.values()].filter((count) => count * 2 >= members.length).length;
  return common > 0 && common * 2 >= counts.size;
}

const wellKnown = ['en', 'de', 'fr', 'es', 'ja', 'zh', 'pt', 'ru', 'ko', 'it'];
let languageNames: Intl.DisplayNames | undefined;

/** Whether a name is that of a language, such as `de` or `zh-Hant`. */
export function isLanguage(name: string): boolean {
  if (!/^[a-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$/.test(name)) return false;
  languageNames ??= new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  try {
    return languageNames.of(name.replaceAll('_', '-')) !== undefined;
  } catch {
    return false;
  }
}

/** Whether the members of an object are languages with texts in each. */
export function isTexts(object: JsonObject): boolean {
  const names = Object.keys(object);
  return (
    names.length > 1 &&
    names.some((name) => wellKnown.includes(name.slice(0, 2))) &&
    names.every(isLanguage) &&
    Object.values(object).every((member) => isJsonObject(member) && isOfStrings(member))
  );
}

const isOfStrings = (object: JsonObject): boolean =>
  Object.values(object).every((value) => typeof value === 'string' || (isJsonObject(value) && isOfStrings(value)));
