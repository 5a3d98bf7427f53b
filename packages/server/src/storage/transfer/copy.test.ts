import { expect, test } from 'vitest';
import { toCopyProgress } from './copy.ts';
import { copiedKindNames } from './kinds.ts';

test.each(copiedKindNames)('a copy that stopped among %s goes on there', (kind) => {
  const reached = { kind, cursor: null, records: 7 };
  expect(toCopyProgress(reached)).toEqual(reached);
});
