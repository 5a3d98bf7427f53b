import { type JsonObject, type JsonValue, parseDocument, printJson } from '@holdfast/json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renamed, valueAt, withValue } from '../fields/values.ts';
import { changed, textChanges } from './text-changes.ts';
import { duplicateNames, pathAt } from './text-places.ts';

const apply = (text: string, before: JsonObject, after: JsonObject): string =>
  changed(text, textChanges(text, before, after));
const edited = (text: string, change: (document: JsonObject) => JsonValue | undefined): string => {
  const before = parseDocument(text);
  return apply(text, before, change(before) as JsonObject);
};

const typed = `{
  "exact": 9007199254740993,
    "odd"   : [1.50, 2e3,
  3],
  "rows": [
    {"id": "a", "n": 1.0},
    {"id": "b", "n": 2},
    {"id": "c", "n": 3}
  ],
  "empty": {}
}`;

describe('the text of a changed document', () => {
  it('keeps the text of every other value', () => {
    const text = edited(typed, (document) => withValue(document, ['rows', '1', 'n'], 5));
    expect(text).toBe(typed.replace('"n": 2', '"n": 5'));
  });

  it('gains members and elements in the layout around them', () => {
    expect(edited(typed, (document) => withValue(document, ['rows', '0', 'x'], [1]))).toContain(
      '{"id": "a", "n": 1.0, "x": [1]},',
    );
    expect(edited(typed, (document) => withValue(document, ['rows', '3'], { id: 'd' }))).toContain(
      '{"id": "c", "n": 3},\n    {\n      "id": "d"\n    }\n  ],',
    );
    expect(edited(typed, (document) => withValue(document, ['empty', 'a'], { b: 1 }))).toContain(
      '"empty": {\n    "a": {\n      "b": 1\n    }\n  }\n}',
    );
    expect(edited('{"a":1}', (document) => withValue(document, ['b'], {}))).toBe('{"a":1,"b":{}}');
  });

  it('loses members and elements with their commas', () => {
    expect(edited('{"a": 1, "b": 2, "c": 3}', (document) => withValue(document, ['a'], undefined))).toBe(
      '{"b": 2, "c": 3}',
    );
    expect(edited('{"a": 1, "b": 2, "c": 3}', (document) => withValue(document, ['c'], undefined))).toBe(
      '{"a": 1, "b": 2}',
    );
    expect(edited(typed, (document) => withValue(document, ['rows', '0'], undefined))).toContain(
      '"rows": [\n    {"id": "b", "n": 2},\n    {"id": "c"',
    );
  });

  it('has a renamed member at its place', () => {
    expect(edited('{"a": 1e2, "b": 2}', (document) => renamed(document, 'a', 'z'))).toBe('{"z": 1e2, "b": 2}');
  });

  it('changes the last of duplicate names, and removes all', () => {
    expect(edited('{"a": 1, "a": 2, "b": 3}', (document) => withValue(document, ['a'], 5))).toBe(
      '{"a": 1, "a": 5, "b": 3}',
    );
    expect(edited('{"a": 1, "a": 2, "b": 3}', (document) => withValue(document, ['a'], undefined))).toBe('{"b": 3}');
  });

  it('means the changed document, whatever was changed', () => {
    const value = fc.jsonValue({ maxDepth: 3 }).map((one) => JSON.parse(JSON.stringify(one)) as JsonValue);
    const document = fc.dictionary(fc.string({ maxLength: 3 }), value, { maxKeys: 5 });
    const steps = fc.array(fc.tuple(fc.nat(), fc.nat(), value), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(document, steps, fc.constantFrom(0, 2), (start, edits, indent) => {
        const text = JSON.stringify(start, null, indent);
        const before = parseDocument(text);
        let after: JsonValue = before;
        for (const [pick, kind, next] of edits) {
          const paths = pathsOf(after);
          const path = paths[pick % paths.length] ?? ['new'];
          const isGrown = kind % 3 === 2;
          after = isGrown ? grown(after, path, next) : (withValue(after, path, kind % 3 === 0 ? undefined : next) ?? after);
        }
        const sorted = (one: JsonValue) => printJson(canonical(one));
        expect(sorted(parseDocument(apply(text, before, after as JsonObject)))).toBe(sorted(after));
      }),
      { numRuns: 400 },
    );
  });
});

/** Inserts into the list, or behind the value, at a path. */
function grown(document: JsonValue, path: readonly string[], next: JsonValue): JsonValue {
  const value = valueAt(document, path);
  if (!Array.isArray(value)) return withValue(document, [...path.slice(0, -1), `${path.at(-1)}+`], next) ?? document;
  return withValue(document, path, [...value.slice(0, 1), next, ...value.slice(1)]) ?? document;
}

function pathsOf(value: JsonValue, path: readonly string[] = []): (readonly string[])[] {
  const children = typeof value === 'object' && value !== null ? Object.entries<JsonValue>(value as JsonObject) : [];
  return [...(path.length > 0 ? [path] : []), ...children.flatMap(([name, child]) => pathsOf(child, [...path, name]))];
}

function canonical(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries<JsonValue>(value as JsonObject)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, child]) => [name, canonical(child)]),
  );
}

describe('a place in a text', () => {
  it('is the path of the value there', () => {
    expect(pathAt(typed, typed.indexOf('"b"'))).toEqual(['rows', '1', 'id']);
    expect(pathAt(typed, 0)).toEqual([]);
  });

  it('may be a name that is there more than once', () => {
    const text = '{"a": {"b": 1, "\\u0062": "b"}, "c": ["b", {"b": 1}]}';
    expect(duplicateNames(text)).toEqual([{ from: 7, to: 10, name: 'b' }]);
  });
});
