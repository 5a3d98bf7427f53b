import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { applyOperations } from './patch.ts';
import { type PatchOperation, readOperations } from './read-operations.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from './text.ts';

/** A case of the public suite: https://github.com/json-patch/json-patch-tests */
interface PublicCase {
  readonly comment?: string;
  readonly doc: JsonValue;
  readonly patch: readonly { readonly op?: string; readonly path: string }[];
  readonly expected?: JsonValue;
  readonly error?: string;
  readonly disabled?: boolean;
}

/** The outcome of a case here. Only the first two must match the suite's outcome. */
type Use =
  | 'as it is'
  | 'one level down, because the root of a state is an object'
  | 'refused, because test, move and copy are no supported operations'
  | 'refused, because it has no operations'
  | 'left out, because the suite itself disables it';

const require = createRequire(import.meta.url);
const cases = ['tests.json', 'spec_tests.json'].flatMap((file) => {
  const path = require.resolve(`json-patch-test-suite/${file}`);
  return parseJson(readFileSync(path, 'utf8')) as unknown as PublicCase[];
});

function useOf({ disabled, patch, doc, expected = {} }: PublicCase): Use {
  if (disabled) return 'left out, because the suite itself disables it';
  if (patch.some(({ op = '' }) => ['test', 'move', 'copy'].includes(op))) {
    return 'refused, because test, move and copy are no supported operations';
  }
  if (patch.length === 0) return 'refused, because it has no operations';
  const isState = isJsonObject(doc) && isJsonObject(expected);
  return isState ? 'as it is' : 'one level down, because the root of a state is an object';
}

function run(document: JsonValue, patch: PublicCase['patch']): JsonObject | string {
  const operations = readOperations(patch);
  if ('kind' in operations) return operations.code;
  const result = applyOperations(document as JsonObject, operations as PatchOperation[]);
  return result.kind === 'patched' ? result.document : result.code;
}

describe('the public JSON Patch cases', () => {
  const used = new Map<Use, number>();

  for (const [index, publicCase] of cases.entries()) {
    const { comment, doc, patch, expected, error } = publicCase;
    const use = useOf(publicCase);
    used.set(use, (used.get(use) ?? 0) + 1);
    if (use.startsWith('left out')) continue;

    test(`${index}: ${comment ?? error ?? JSON.stringify(patch)}, ${use}`, () => {
      const before = JSON.stringify(doc);
      if (use.startsWith('refused')) {
        expect(run(doc, patch)).toBe(patch.length === 0 ? 'patch_invalid' : 'patch_unsupported_operation');
      } else if (use === 'as it is') {
        if (error === undefined) expect(run(doc, patch)).toEqual(expected ?? doc);
        else expect(run(doc, patch)).toMatch(/^patch_/);
      } else {
        const deeper = patch.map((operation) => ({ ...operation, path: `/doc${operation.path}` }));
        if (error === undefined) expect(run({ doc }, deeper)).toEqual({ doc: expected });
        else expect(run({ doc }, deeper)).toMatch(/^patch_/);
      }
      expect(JSON.stringify(doc)).toBe(before);
    });
  }

  test('the numbers of used, adapted, refused and disabled cases are known', () => {
    expect(Object.fromEntries(used)).toEqual({
      'as it is': 34,
      'one level down, because the root of a state is an object': 23,
      'refused, because test, move and copy are no supported operations': 28,
      'refused, because it has no operations': 6,
      'left out, because the suite itself disables it': 4,
    });
    expect(cases.length).toBe(95);
  });
});
