import { expect, inject, test } from 'vitest';
import { growthMebibytesMax, growthOverPostgresMebibytesMax, versionsMemory } from '../../torture/versions.ts';
import { withPlace } from '../support/place.ts';

const isEmbedded = inject('engine') === 'sqlite';
/** PostgreSQL needs fewer: they already exceed the listing's memory limit. */
const versions = isEmbedded ? 1_000 : 400;
const growthMax = isEmbedded ? growthMebibytesMax : growthOverPostgresMebibytesMax;
const bytes = 250_000;

test(`${versions} versions of 250 KB are listed in limited memory, even to a slow reader`, {
  timeout: 180_000,
}, async () => {
  const report = await withPlace(({ settings }) => versionsMemory({ versions, bytes, env: settings, growthMax }));
  expect(report.faults).toEqual([]);
  expect(report.listed).toBe(versions);
  expect(report.listedBytes).toBeGreaterThan(versions * bytes);
  expect(Math.max(report.growthFast, report.growthSlow)).toBeLessThan(growthMax);
});
