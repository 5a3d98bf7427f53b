/**
 * The official test suite of JSON Schema 2020-12, as a copy: the npm package for it downloads it from a host other than the registry.
 *
 * @see https://github.com/json-schema-org/JSON-Schema-Test-Suite
 */
import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonValue, parseDocument } from '@holdfast/json';
import { describe, expect, it } from 'vitest';
import { check, compileSchema } from './compile.ts';

interface Group {
  readonly description: string;
  readonly schema: JsonValue;
  readonly tests: readonly { readonly description: string; readonly data: JsonValue; readonly valid: boolean }[];
}

const suite = parseDocument(readFileSync(new URL('./suite/draft2020-12.json', import.meta.url), 'utf8'));
const objectAt = (name: string) => (isJsonObject(suite[name]) ? suite[name] : {});
const remotes = objectAt('remotes');
const files = (name: string) => Object.entries(objectAt(name)) as unknown as [string, readonly Group[]][];

/** Tests of earlier drafts, and of a vocabulary that asserts formats: `format` is an annotation. */
const leftOut = ['optional/cross-draft.json', 'optional/dependencies-compatibility.json', 'optional/format-assertion.json'];

function casesOf(groups: readonly Group[]) {
  return groups.flatMap(({ description, schema, tests }) =>
    tests.map((test) => ({ name: `${description}: ${test.description}`, schema, ...test })),
  );
}

describe.each(files('required'))('required: %s', (_, groups) => {
  it.each(casesOf(groups))('$name', ({ schema, data, valid }) => {
    expect(check(compileSchema(schema, remotes), data)).toBe(valid);
  });
});

describe.each(files('optional').filter(([file]) => !leftOut.includes(file)))('%s', (_, groups) => {
  it.each(casesOf(groups))('$name', ({ schema, data, valid }) => {
    expect(check(compileSchema(schema, remotes), data)).toBe(valid);
  });
});
