/** Reads a schema field by field: what holds for each, and whether it can be changed in its place. */
import { isJsonObject, type JsonObject, type JsonValue } from '@holdfast/json';
import { type Hint, type Hints, hintsOf, namesOf, noHint, requiredOf } from '../../fields/hints.ts';
import { valueAt } from '../../fields/values.ts';
import { type FieldPath, type FieldStep, nameOf, placeOf } from './field-path.ts';

/** What a schema says about a field. */
export interface FieldRules {
  readonly path: FieldPath;
  /** References are followed. */
  readonly hint: Hint;
  readonly isRequired: boolean;
  /** Whether its value may not exist. */
  readonly isForbidden: boolean;
  /** Whether its object allows only the fields that the schema names, this one among them. */
  readonly isListed: boolean;
  /** Whether all of this stands in the place of the field itself, not behind a reference. */
  readonly isOwn: boolean;
}

/** Schemas may refer to themselves. */
export const depthMax = 8;
/** Further fields are left out. */
const fieldsMax = 5_000;

/** Returns the fields of a schema in its order, each before the fields in it. */
export function readRules(schema: JsonValue): readonly FieldRules[] {
  const hints = hintsOf(schema);
  const found: FieldRules[] = [];
  const visit = (path: FieldPath, parent: Hint, hint: Hint): void => {
    if (found.length >= fieldsMax || path.length > depthMax) return;
    const rules = rulesOf(schema, path, parent, hint);
    found.push(rules);
    if (rules.isForbidden) return;
    for (const step of stepsOf(hint)) visit([...path, step], hint, below(hints, hint, step));
  };
  visit([], noHint, hints.root);
  return found;
}

/** Returns what a schema says about one field, which it may not name. */
export function rulesAt(schema: JsonValue, path: FieldPath): FieldRules {
  const hints = hintsOf(schema);
  let [parent, hint]: [Hint, Hint] = [noHint, hints.root];
  for (const step of path) [parent, hint] = [hint, below(hints, hint, step)];
  return rulesOf(schema, path, parent, hint);
}

function rulesOf(schema: JsonValue, path: FieldPath, parent: Hint, hint: Hint): FieldRules {
  const name = nameOf(path);
  const own = valueAt(schema, placeOf(path));
  const isRequired = name !== undefined && requiredOf(parent).includes(name);
  const isDirectlyRequired = name !== undefined && requiredOf(ownSchema(schema, path.slice(0, -1))).includes(name);
  return {
    path,
    hint,
    isRequired,
    isForbidden: name !== undefined && memberOf(parent, name) === false,
    isListed: name !== undefined && parent.additionalProperties === false && namesOf(parent).includes(name),
    isOwn: hint === (own !== undefined && isJsonObject(own) ? own : noHint) && isRequired === isDirectlyRequired,
  };
}

/** Returns the schema in the place of a field, without what references add; empty if there is none. */
export function ownSchema(schema: JsonValue, path: FieldPath): JsonObject {
  const own = valueAt(schema, placeOf(path));
  return own !== undefined && isJsonObject(own) ? own : noHint;
}

function stepsOf(hint: Hint): readonly FieldStep[] {
  const names = namesOf(hint);
  const further = requiredOf(hint).filter((name) => !names.includes(name));
  return [
    ...[...names, ...further].map((name) => ({ name })),
    ...(hint.items === undefined ? [] : (['each'] as const)),
    ...(hint.additionalProperties === undefined || hint.additionalProperties === false
      ? []
      : [names.length === 0 ? ('member' as const) : ('other' as const)]),
  ];
}

/** Returns the schema of a field below another one. */
export function below(hints: Hints, hint: Hint, step: FieldStep): Hint {
  if (typeof step !== 'string') return hints.below(hint, step.name, false);
  const { items, additionalProperties } = hint;
  if (step === 'each') return items === undefined ? noHint : hints.below({ items }, '0', true);
  return additionalProperties === undefined ? noHint : hints.below({ additionalProperties }, '', false);
}

const memberOf = ({ properties }: Hint, name: string): JsonValue | undefined =>
  properties !== undefined && isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;

/** Whether a schema names a field. */
export const hasMember = (hint: Hint, name: string): boolean => memberOf(hint, name) !== undefined;
