import { expect, test } from 'vitest';
import { growthMebibytesMax, versionsMemory } from '../../torture/versions.ts';

test('1,000 versions of 250 KB are listed in bounded memory, also to a slow reader', { timeout: 120_000 }, async () => {
  const report = await versionsMemory({ versions: 1_000, bytes: 250_000 });
  expect(report.faults).toEqual([]);
  expect(report.listed).toBe(1_000);
  expect(report.listedBytes).toBeGreaterThan(250_000_000);
  expect(Math.max(report.growthFast, report.growthSlow)).toBeLessThan(growthMebibytesMax);
});
