import { expect, test } from 'vitest';
import { comparePatches } from './patch.property.fixture.ts';

/** `HOLDFAST_PATCH_CASES=10000000` runs ten million. */
const cases = Number(process.env.HOLDFAST_PATCH_CASES ?? 15_000);
/** In practice some 80; generous, because a busy machine must not fail the test. */
const secondsPerMillion = 2_000;

test(
  `${cases} generated patches give the oracle's result, applied to values and spliced into texts`,
  () => {
    const outcomes = comparePatches(cases);
    // Every outcome must have occurred often enough for the comparison to mean something.
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
