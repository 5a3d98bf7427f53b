import { expect, test } from 'vitest';
import { comparePatches } from './patch.property.fixture.ts';

test("800 generated patches give the oracle's result, applied to values and spliced into texts", () => {
  expect(comparePatches(800).get('patched')).toBeGreaterThan(200);
});
