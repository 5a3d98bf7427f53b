import { expect, test } from 'vitest';
import type { WriteOutcome } from '../../contract/public-states.ts';
import { decodeWriteOutcome, encodeWriteOutcome } from './write-outcomes.ts';

test.each<WriteOutcome>([
  { kind: 'written', version: 1 },
  { kind: 'written', version: Number.MAX_SAFE_INTEGER },
  { kind: 'conflict', currentVersion: null },
  { kind: 'conflict', currentVersion: 1 },
  { kind: 'no_project' },
  { kind: 'token_ended' },
  { kind: 'ended' },
])('the outcome %j comes back from the writer thread', (outcome) => {
  const sent = structuredClone(encodeWriteOutcome(outcome));
  expect(decodeWriteOutcome(sent)).toEqual(outcome);
});
