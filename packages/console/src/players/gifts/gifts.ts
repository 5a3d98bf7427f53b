/** What support can give in a save: an amount to a number, an entry to a list. */
import { isContainer, isJsonObject, type JsonObject, type JsonValue, printJson } from '@holdfast/json';
import { firstValue, type Hint, type Hints, namesOf, typesOf } from '../../fields/hints.ts';
import { identityOf } from '../../fields/identity.ts';
import { hasDataKeys, memberNames } from '../../fields/names.ts';
import { isNumber, type Path, valueAt, withValue } from '../../fields/values.ts';
import { calculated } from '../../form/arithmetic.ts';
import type { Value } from '../../json-text/changes.ts';

/** A number or a list in a save. */
export interface Target {
  readonly path: Path;
  /** The same for people: an object of a list is named by its identity. */
  readonly name: readonly string[];
  readonly kind: 'number' | 'list';
  /** Undefined if the schema has it, but the save does not yet. */
  readonly value: Value;
  readonly hint: Hint;
}

/** More would not be found in a list. */
const targetsMax = 500;
const depthMax = 8;

/** Returns the numbers and lists of a save, and those of its schema that it lacks, in document order. */
export function targetsIn(save: JsonObject, hints: Hints): readonly Target[] {
  const found: Target[] = [];
  const visit = (path: Path, name: readonly string[], value: Value, hint: Hint): void => {
    if (found.length >= targetsMax || path.length > depthMax) return;
    const isList = Array.isArray(value) || (value === undefined && typesOf(hint).includes('array'));
    const isAmount =
      isNumber(value) || (value === undefined && typesOf(hint).some((one) => /^(?:integer|number)$/.test(one)));
    if (isList || isAmount) found.push({ path, name, kind: isList ? 'list' : 'number', value, hint });
    if (value === undefined || !isContainer(value)) return;
    const nameOf = isJsonObject(value) ? memberNames([value], hint, hints, hasDataKeys(value, hint)) : undefined;
    for (const [segment, child] of Object.entries<JsonValue>(value)) {
      const below = hints.below(hint, segment, isList);
      if (isList && !isContainer(child)) continue; // its entries are not amounts
      visit([...path, segment], [...name, nameOf?.(segment) ?? identityOf(child) ?? segment], child, below);
    }
    if (nameOf === undefined) return;
    for (const segment of namesOf(hint).filter((one) => !Object.hasOwn(value, one))) {
      const below = hints.below(hint, segment, false);
      visit([...path, segment], [...name, nameOf(segment)], undefined, below);
    }
  };
  visit([], [], save, hints.root);
  return found;
}

/** Returns the first value of a new entry: of the form of the others, or of the schema. */
export function firstEntry({ value, hint }: Target, hints: Hints): JsonValue {
  const entryHint = hints.below(hint, '0', true);
  const [example] = Array.isArray(value) ? value : [];
  if (example === undefined || typesOf(entryHint).length > 0) return firstValue(hints, entryHint);
  return emptied(example);
}

/** The same form, without content: an entry is not a copy of another. */
function emptied(value: JsonValue): JsonValue {
  if (isNumber(value)) return 1;
  if (typeof value === 'string') return '';
  if (typeof value === 'boolean') return false;
  if (value === null || !isContainer(value)) return value;
  if (!isJsonObject(value)) return [];
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, emptied(member)]));
}

const amounts = ['count', 'amount', 'quantity'];
/** A longer name would not fit on a button. */
const nameCharactersMax = 40;

/** Returns the name of an entry, with its number if it has one, as in `5 × sword`; undefined if it has none, or a long one. */
export function entryName(entry: JsonValue): string | undefined {
  if (!isJsonObject(entry)) return isContainer(entry) ? undefined : short(String(entry));
  const name = identityOf(entry);
  const count = amounts.map((one) => entry[one]).find((one) => one !== undefined && isNumber(one));
  if (name === undefined) return undefined;
  return short(count === undefined ? name : `${printJson(count)} × ${name}`);
}

const short = (name: string): string | undefined => (name.length > nameCharactersMax ? undefined : name);

/** A gift: an amount as a literal, or a new entry. */
export type Gift = { readonly amount: string } | { readonly entry: JsonValue };

/** Returns a save with a gift; undefined if the target can no longer take it. */
export function withGift(save: JsonObject, { path, kind }: Target, gift: Gift): JsonObject | undefined {
  const value = valueAt(save, path);
  const next = 'entry' in gift ? longer(value, kind, gift.entry) : larger(value, kind, gift.amount);
  const given = next === undefined ? undefined : withValue(save, path, next);
  return given !== undefined && isJsonObject(given) ? given : undefined;
}

function longer(value: Value, kind: Target['kind'], entry: JsonValue): Value {
  if (kind !== 'list' || (value !== undefined && !Array.isArray(value))) return undefined;
  return [...(value ?? []), entry];
}

function larger(value: Value, kind: Target['kind'], amount: string): Value {
  return kind === 'number' ? calculated(value ?? 0, '+', amount, false) : undefined;
}
