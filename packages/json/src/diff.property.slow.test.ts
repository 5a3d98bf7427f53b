import { expect, test } from 'vitest';
import { comparePairs } from './diff.property.fixture.ts';

/** `HOLDFAST_DIFF_CASES=10000000` runs ten million. */
const cases = Number(process.env.HOLDFAST_DIFF_CASES ?? 8_000);
/** In practice some 60; generous, because a busy machine must not fail the test. */
const secondsPerMillion = 2_000;

test(
  `${cases} pairs of documents: the patch between them is the shortest of its kind and leads from one to the other`,
  () => {
    const lengths = comparePairs(cases);
    // Patches of every length must have occurred often enough for the comparison to mean something: of 10,000, about 100 have the rarest.
    for (const operations of [0, 1, 2, 3, 4]) expect(lengths.get(operations), `${operations}`).toBeGreaterThan(cases / 200);
  },
  (60 + (cases / 1_000_000) * secondsPerMillion) * 1_000,
);
