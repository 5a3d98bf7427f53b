import { expect, it } from 'vitest';
import { components, meaningOfPattern } from '../schemas.ts';

/** The patterns that validators apply, without those of `x-in-description`, which the service checks in code. */
function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    if (name === 'x-in-description') return [];
    return name === 'pattern' && typeof part === 'string' ? [part] : patternsIn(part);
  });
}

it('every pattern of a record is explained in words', () => {
  const patterns = [...new Set(patternsIn(components))].filter((pattern) => !unreached.includes(pattern));
  expect(patterns.length).toBeGreaterThan(5);
  expect(patterns.filter((pattern) => meaningOfPattern(pattern) === undefined)).toEqual([]);
});

/** Records of forms and patches are read by separate code. */
const unreached = ['^(?:/(?:[^~/]|~[01])*)*$', '^[A-Za-z0-9._~-]{43,128}$'];
