import { isSame, type JsonObject, parseJson } from '@holdfast/json';
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { diceOf } from '../../../json/src/cases.oracle.ts';
import { pairOfDocuments } from '../../../json/src/diff.oracle.ts';
import { printModel } from '../../../json/src/model.oracle.ts';
import { compare } from './changes.ts';

/** The differences between generated documents give the second one if all are accepted, and the first if none are. */
export function compareGenerated(cases: number): void {
  const property = fc.property(fc.noBias(fc.integer()), (seed) => {
    const [from, to] = pairOfDocuments(diceOf(seed)).map((model) => parseJson(printModel(model)) as JsonObject);
    if (from === undefined || to === undefined) throw new Error('no pair');
    const { changes, build } = compare(from, to);
    expect(
      isSame(
        build(() => true),
        to,
      ),
    ).toBe(true);
    expect(
      isSame(
        build(() => false),
        from,
      ),
    ).toBe(true);
    expect(new Set(changes.map(({ id }) => id)).size).toBe(changes.length);
    expect(changes.length === 0).toBe(isSame(from, to));
  });
  fc.assert(property, { numRuns: cases });
}
