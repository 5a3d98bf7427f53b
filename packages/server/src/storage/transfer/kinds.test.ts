import { expect, test } from 'vitest';
import { copiedKindNames, toCopyProgress } from './kinds.ts';

test.each(copiedKindNames)('a copy that stopped among %s goes on there', (kind) => {
  const reached = { kind, cursor: null, records: 7 };
  expect(toCopyProgress(reached)).toEqual(reached);
});
