import { expect, test } from 'vitest';
import { diceOf, patchCase } from './json-cases.oracle.ts';
import { printModel, readModel, sortMembers } from './json-model.oracle.ts';
import { patchModel } from './json-patch.oracle.ts';
import { applyOperations, readOperations } from './json-patch.ts';
import { type JsonObject, type JsonValue, parseJson, printJson } from './json-text.ts';

/** `HOLDFAST_PATCH_CASES=10000000` runs ten million. */
const cases = Number(process.env.HOLDFAST_PATCH_CASES ?? 200_000);
const secondsPerMillion = 600;

/** Runs one case on both sides and returns the oracle's verdict; throws where they differ. */
function compare(seed: number): string {
  const dice = diceOf(seed);
  const { document, ops } = patchCase(dice, seed % 50 === 0 ? 60 : 6);
  const nestingDepthMax = seed % 10 === 0 ? 6 : 256;
  const expected = patchModel(readModel(document), readModel(ops), nestingDepthMax);

  const parsed = freeze(parseJson(document)) as JsonObject;
  const parsedOps = freeze(parseJson(ops));
  const operations = readOperations(parsedOps);
  const actual = 'kind' in operations ? operations : applyOperations(parsed, operations, { nestingDepthMax });

  const place = `seed ${seed}, document ${document}, patch ${ops}`;
  const verdict = actual.kind === 'failure' ? `${actual.code} at ${actual.operation}` : 'patched';
  const expectedVerdict = 'code' in expected ? `${expected.code} at ${expected.operation}` : 'patched';
  if (verdict !== expectedVerdict) throw new Error(`expected ${expectedVerdict} but got ${verdict}, ${place}`);
  if (actual.kind === 'failure' || 'code' in expected) return verdict.replace(/ at .*/, '');
  // Members are compared in one order, because the runtime moves names such as "10" to the front of an object.
  const actualText = printModel(sortMembers(readModel(printJson(actual.document))));
  if (actualText !== printModel(sortMembers(expected.document))) {
    throw new Error(`expected ${printModel(expected.document)} but got ${actualText}, ${place}`);
  }
  return 'patched';
}

/** Frozen values make every change in place a TypeError. */
function freeze(value: JsonValue): JsonValue {
  if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) freeze(child as JsonValue);
    Object.freeze(value);
  }
  return value;
}

test(
  `${cases} generated patches end as the oracle says, in document or in code and operation`,
  () => {
    const outcomes = new Map<string, number>();
    for (let seed = 1; seed <= cases; seed++) {
      const outcome = compare(seed);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    // Every outcome must have been met often enough for the comparison to mean something.
    expect(outcomes.get('patched')).toBeGreaterThan(cases / 4);
    for (const code of [
      'patch_invalid',
      'patch_unsupported_operation',
      'patch_invalid_path',
      'patch_missing_value',
      'patch_path_not_found',
      'patch_path_untraversable',
      'patch_invalid_array_index',
      'patch_invalid_state_root',
      'validation_error',
    ]) {
      expect(outcomes.get(code), code).toBeGreaterThan(cases / 2_000);
    }
  },
  (60 + (cases / 1_000_000) * secondsPerMillion) * 1_000,
);
