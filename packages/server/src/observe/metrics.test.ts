import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

test('every count of the service begins at zero', async () => {
  const { text } = await createMetrics().page();
  const counts = text.split('\n').filter((line) => /^holdfast_\w+_total[{ ]/.test(line));
  expect(counts.length).toBeGreaterThan(20);
  expect(counts.filter((line) => !line.endsWith(' 0'))).toEqual([]);
});
