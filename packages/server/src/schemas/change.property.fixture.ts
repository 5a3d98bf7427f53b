/**
 * Rules of change against an oracle: random patches of random user states, validated by a second implementation that looks up the rules of
 * each path separately.
 */
import { applyOperations, isJsonObject, type JsonObject, type JsonValue, type PatchOperation } from '@holdfast/json';
import { expect } from 'vitest';
import { compileStateSchema } from './compile-state-schema.ts';
import { StateSchema } from './state-schema.ts';

/** The same numbers in each run. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
const random = randomOf(20);
const one = <T>(choices: readonly T[]): T => choices[random(choices.length)] as T;
const names = ['a', 'b', 'c', '__proto__'];

const someRules = () =>
  one<JsonObject>([
    {},
    {},
    { 'x-write': 'server' },
    { 'x-increase-max': random(3) },
    { 'x-decrease-max': random(3), 'x-increase-max': 1 },
    { 'x-append-only': true },
  ]);

function someSchema(levels: number): JsonObject {
  const below = () => someSchema(levels - 1);
  const schema: Record<string, JsonValue> = { ...someRules() };
  if (levels === 0) return schema;
  if (random(3) > 0)
    schema.properties = Object.fromEntries(names.filter(() => random(2) === 0).map((name) => [name, below()]));
  if (random(3) === 0) schema.additionalProperties = below();
  if (random(3) === 0) schema.items = below();
  if (random(4) === 0) schema.prefixItems = [below()];
  return schema;
}

function someValue(levels: number): JsonValue {
  const kind = random(levels === 0 ? 3 : 7);
  if (kind < 2) return random(6);
  if (kind === 2) return one<JsonValue>([null, 'a', true]);
  if (kind < 5) return Array.from({ length: random(4) }, () => someValue(levels - 1));
  return someObject(levels);
}
const someObject = (levels: number): JsonObject =>
  Object.fromEntries(names.filter(() => random(2) === 0).map((name) => [name, someValue(levels - 1)]));

const isContainer = (value: JsonValue | undefined): value is JsonObject | readonly JsonValue[] =>
  Array.isArray(value) || isJsonObject(value);
const childrenOf = (value: JsonValue | undefined): [string, JsonValue][] =>
  isContainer(value) ? Object.entries(value) : [];

function pathsOf(value: JsonValue | undefined, path: readonly string[] = []): (readonly string[])[] {
  return [path, ...childrenOf(value).flatMap(([name, child]) => pathsOf(child, [...path, name]))];
}

function someOperation(document: JsonObject): PatchOperation {
  const path = one(pathsOf(document));
  const target = [...path, ...(random(2) === 0 ? [one([...names, '0', '-'])] : [])];
  const pointer = target.map((part) => `/${part}`).join('');
  const op = one(['add', 'remove', 'replace'] as const);
  if (pointer === '') return { op: 'replace', path: '', value: someObject(3) };
  return op === 'remove' ? { op, path: pointer } : { op, path: pointer, value: someValue(2) };
}

/** The value at a path; undefined if there is none. Only arrays have indexes. */
function at(value: JsonValue | undefined, path: readonly string[], isArray: readonly boolean[]): JsonValue | undefined {
  let found = value;
  for (const [depth, part] of path.entries()) {
    if (!isContainer(found) || Array.isArray(found) !== isArray[depth]) return undefined;
    found = childrenOf(found).find(([name]) => name === part)?.[1];
  }
  return found;
}

/** The schema that holds at a path of a document. */
function schemaAt(
  schema: JsonValue | undefined,
  path: readonly string[],
  isArray: readonly boolean[],
): JsonObject | undefined {
  let found = schema;
  for (const [depth, part] of path.entries()) {
    if (!isJsonObject(found)) return undefined;
    const { properties, prefixItems, items, additionalProperties } = found;
    if (isArray[depth] === true)
      found = Array.isArray(prefixItems) && Number(part) < prefixItems.length ? prefixItems[Number(part)] : items;
    else found = isJsonObject(properties) && Object.hasOwn(properties, part) ? properties[part] : additionalProperties;
  }
  return isJsonObject(found) ? found : undefined;
}

const text = (value: JsonValue | undefined): string => {
  if (!isContainer(value)) return JSON.stringify(value) ?? 'absent';
  if (Array.isArray(value)) return `[${value.map(text).join()}]`;
  return `{${childrenOf(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, child]) => `${name}:${text(child)}`)
    .join()}}`;
};

function brokenBy(rules: JsonObject, before: JsonValue | undefined, after: JsonValue | undefined): string[] {
  const isSame = text(before) === text(after);
  const [from = 0, to = 0] = [before, after];
  const areNumbers = typeof from === 'number' && typeof to === 'number';
  const broken = {
    'x-write': !isSame,
    'x-increase-max': areNumbers ? to - from > Number(rules['x-increase-max']) : !isSame,
    'x-decrease-max': areNumbers ? from - to > Number(rules['x-decrease-max']) : !isSame,
    'x-append-only': !isAppended(before, after, isSame),
  };
  return Object.entries(broken).flatMap(([name, isBroken]) => (isBroken && Object.hasOwn(rules, name) ? [name] : []));
}

const isAppended = (before: JsonValue = [], after: JsonValue = [], isSame: boolean): boolean =>
  Array.isArray(before) && Array.isArray(after) ? text(before) === text(after.slice(0, before.length)) : isSame;

/** Whether each part of a path is an index, in the document that contains it. */
function kindsOf(document: JsonValue, path: readonly string[]): boolean[] {
  let value: JsonValue | undefined = document;
  return path.map((part) => {
    const isArray = Array.isArray(value);
    value = childrenOf(value).find(([name]) => name === part)?.[1];
    return isArray;
  });
}

function expected(schema: JsonObject, before: JsonObject, after: JsonObject): string[] {
  const broken = new Set<string>();
  for (const document of [before, after]) {
    for (const path of pathsOf(document)) {
      const isArray = kindsOf(document, path);
      const rules = schemaAt(schema, path, isArray);
      if (rules === undefined) continue;
      const names = brokenBy(rules, at(before, path, isArray), at(after, path, isArray));
      for (const name of names) broken.add(`${name} ${path.map((part) => `/${part}`).join('')}`);
    }
  }
  return [...broken].sort();
}

/** Validates this many random patches, and compares each with the oracle. */
export function validateLikeOracle(patches: number): void {
  let [applied, refused] = [0, 0];
  while (applied < patches) {
    const schema = someSchema(3);
    const stateSchema = new StateSchema(compileStateSchema(JSON.stringify(schema)).compiled);
    let document = someObject(3);
    for (let round = 0; round < 20; round++) {
      const operations = Array.from({ length: 1 + random(3) }, () => someOperation(document));
      const result = applyOperations(document, operations);
      if (result.kind !== 'patched') continue;
      applied++;
      const broken = expected(schema, document, result.document);
      const found = stateSchema
        .validate(result.document, { before: document })
        .map(({ keyword, path }) => `${keyword} ${path}`);
      // An array that replaces an object has the same paths: the set reports them once.
      const told = [...new Set(found)].sort();
      const about = JSON.stringify({ schema, document, operations });
      if (found.length < 20) expect(told, about).toEqual(broken);
      else expect(broken, about).toEqual(expect.arrayContaining(told));
      if (broken.length > 0) refused++;
      document = result.document;
    }
  }
  expect(refused).toBeGreaterThan(applied / 10);
  expect(applied - refused).toBeGreaterThan(applied / 10);
}
