/** Examples to try rules on: a document, and a patch of it. */
import { isContainer, isJsonObject, type JsonObject, type JsonValue, pointerOf } from '@holdfast/json';
import { firstValue, type Hint, type Hints, hintsOf, namesOf } from '../../fields/hints.ts';
import { isNumber, type Path } from '../../fields/values.ts';

/** Schemas may refer to themselves. */
const depthMax = 4;

/** Returns a document with the fields that a schema names. It need not fit. */
export function exampleOf(schema: JsonValue): JsonObject {
  const hints = hintsOf(schema);
  const example = objectOf(hints, hints.root, 0);
  return Object.keys(example).length === 0 ? { level: 1 } : example;
}

function objectOf(hints: Hints, hint: Hint, depth: number): JsonObject {
  return Object.fromEntries(
    namesOf(hint).map((name) => {
      const member = hints.below(hint, name, false);
      const isGroup = namesOf(member).length > 0 && depth < depthMax;
      return [name, isGroup ? objectOf(hints, member, depth + 1) : firstValue(hints, member)];
    }),
  );
}

/** Returns a patch that writes a value of a document again: its first number, otherwise its first text. */
export function patchOf(document: JsonObject): JsonValue {
  const found = scalarIn(document, isNumber) ?? scalarIn(document, (value) => typeof value === 'string');
  const { path, value } = found ?? { path: ['level'], value: 1 };
  return [{ op: found === undefined ? 'add' : 'replace', path: pointerOf(path), value }];
}

interface Scalar {
  readonly path: Path;
  readonly value: JsonValue;
}

function scalarIn(value: JsonValue, isWanted: (value: JsonValue) => boolean, path: Path = []): Scalar | undefined {
  if (isWanted(value)) return { path, value };
  if (value === null || !isContainer(value)) return undefined;
  const children: readonly (readonly [string, JsonValue])[] = isJsonObject(value)
    ? Object.entries(value)
    : Object.values<JsonValue>(value).map((child, index) => [String(index), child]);
  for (const [name, child] of children) {
    const found = scalarIn(child, isWanted, [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}
