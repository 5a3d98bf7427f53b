/** Changes the rules of one field in a schema. Everything else in it stays as it is. */
import { isJsonObject, type JsonObject, type JsonValue } from '@holdfast/json';
import { requiredOf } from '../../fields/hints.ts';
import { valueAt, withValue } from '../../fields/values.ts';
import { type FieldPath, nameOf, placeOf } from './field-path.ts';
import { wordedKeywords } from './keywords.ts';
import { ownSchema } from './read-rules.ts';
import { formOf, type RuleForm, withForm } from './rule-form.ts';

/** The form of what stands in the place of a field. */
export function ownForm(schema: JsonValue, path: FieldPath): RuleForm {
  const own = ownSchema(schema, path);
  const name = nameOf(path);
  return formOf(own, name !== undefined && requiredOf(ownSchema(schema, path.slice(0, -1))).includes(name));
}

/**
 * Returns the schema with a form for a field. An object that allows no other fields from now on still allows those with `names`, which its
 * values have.
 */
export function withRules(schema: JsonValue, path: FieldPath, form: RuleForm, names: readonly string[]): JsonValue {
  const before = ownForm(schema, path);
  const opened = withOwnPlaces(schema, path);
  const place = placeOf(path);
  const own = withForm(ownSchema(opened, path), before, form);
  const next = form.isClosed && !before.isClosed ? withNames(own, names) : own;
  const isNeeded = Object.keys(next).length > 0 || valueAt(opened, place) !== undefined || isClosedAbove(opened, path);
  const changed = isNeeded ? (withValue(opened, place, next) ?? next) : opened;
  return form.isRequired === before.isRequired ? changed : withRequired(changed, path, form.isRequired);
}

/**
 * Gives each field on a path that only the schema of every other field applies to a place of its own, with a copy of that schema: named
 * alone, the field would lose it.
 */
function withOwnPlaces(schema: JsonValue, path: FieldPath): JsonValue {
  return path.reduce<JsonValue>((now, _, index) => {
    const own = path.slice(0, index + 1);
    const { additionalProperties: other } = ownSchema(now, path.slice(0, index));
    const isNamed = nameOf(own) === undefined || valueAt(now, placeOf(own)) !== undefined;
    return isNamed || other === undefined || !isJsonObject(other) ? now : (withValue(now, placeOf(own), other) ?? now);
  }, schema);
}

const isClosedAbove = (schema: JsonValue, path: FieldPath): boolean =>
  nameOf(path) !== undefined && ownSchema(schema, path.slice(0, -1)).additionalProperties === false;

function withNames(own: JsonObject, names: readonly string[]): JsonObject {
  const { properties } = own;
  const named = properties !== undefined && isJsonObject(properties) ? properties : {};
  const further = names.filter((name) => !Object.hasOwn(named, name)).map((name) => [name, {}] as const);
  const all = Object.fromEntries([...Object.entries(named), ...further]);
  return further.length === 0 ? own : { ...own, properties: all };
}

function withRequired(schema: JsonValue, path: FieldPath, isRequired: boolean): JsonValue {
  const name = nameOf(path);
  if (name === undefined) return schema;
  const parent = path.slice(0, -1);
  const { required } = ownSchema(schema, parent);
  const listed: readonly JsonValue[] = Array.isArray(required) ? Object.values<JsonValue>(required) : [];
  if (listed.includes(name) === isRequired) return schema;
  const others = listed.filter((one) => one !== name);
  const next = isRequired ? [...others, name] : others;
  return withValue(schema, [...placeOf(parent), 'required'], next.length === 0 ? undefined : next) ?? schema;
}

/** Returns the schema without the rules of a field that have words. Rules of the fields in it, and further keywords, are kept. */
export function withoutRules(schema: JsonValue, path: FieldPath): JsonValue {
  const place = placeOf(path);
  const optional = withRequired(schema, path, false);
  const own = valueAt(optional, place);
  if (own === undefined) return optional;
  if (!isJsonObject(own)) return tidied(withValue(optional, place, path.length === 0 ? {} : undefined) ?? {}, path);
  const kept = Object.entries(own).filter(
    ([name, value]) => !wordedKeywords.has(name) && !(name === 'additionalProperties' && value === false),
  );
  // In a closed object, a field without rules is still allowed. Removed again, it is not.
  const isSame = kept.length === Object.keys(own).length && optional === schema;
  if (isSame && kept.length === 0 && path.length > 0) return tidied(withValue(optional, place, undefined) ?? {}, path);
  return isSame ? optional : tidied(withValue(optional, place, Object.fromEntries(kept)) ?? {}, path);
}

/** Leaves out the places of fields that became empty, from a field towards the document, unless their existence is a rule. */
function tidied(schema: JsonValue, path: FieldPath): JsonValue {
  if (path.length === 0) return schema;
  const place = placeOf(path);
  const own = valueAt(schema, place);
  const parent = path.slice(0, -1);
  const { additionalProperties, unevaluatedProperties, unevaluatedItems } = ownSchema(schema, parent);
  const isNamed = nameOf(path) !== undefined;
  const isRule =
    (isNamed && additionalProperties !== undefined) ||
    unevaluatedProperties !== undefined ||
    unevaluatedItems !== undefined;
  if (own !== undefined && (!isJsonObject(own) || Object.keys(own).length > 0 || isRule)) return schema;
  const without = own === undefined ? schema : (withValue(schema, place, undefined) ?? {});
  const siblings = valueAt(without, place.slice(0, -1));
  const isLast = isNamed && siblings !== undefined && isJsonObject(siblings) && Object.keys(siblings).length === 0;
  const isRootEmptied = parent.length === 0;
  const lean = isLast && !isRootEmptied ? (withValue(without, place.slice(0, -1), undefined) ?? {}) : without;
  return tidied(lean, parent);
}
