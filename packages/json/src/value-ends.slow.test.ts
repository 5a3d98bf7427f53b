import { test } from 'vitest';
import { compareChains } from './value-ends.fixture.ts';

const cases = Number(process.env.HOLDFAST_PATCH_CASES ?? 50_000) / 10;

test('chains of patches give the same texts with known positions of values and without', {
  timeout: 180_000 + cases * 20,
}, () => {
  compareChains(cases);
});
