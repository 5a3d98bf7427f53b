import { expect, it } from 'vitest';
import { scaleOf } from './chart-scale.ts';

it.each([
  [0, [1, 0]],
  [1, [1, 0]],
  [7, [10, 5, 0]],
  [39, [40, 30, 20, 10, 0]],
  [1_000, [1_000, 800, 600, 400, 200, 0]],
  [2_310, [2_500, 2_000, 1_500, 1_000, 500, 0]],
  [409_174, [500_000, 400_000, 300_000, 200_000, 100_000, 0]],
])('%i stands on a scale of equal steps from zero', (value, scale) => {
  expect(scaleOf(value)).toEqual(scale);
});
