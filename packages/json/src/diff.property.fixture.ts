/** Differences between generated documents, compared with the shortest ones. */
import fc from 'fast-check';
import { diceOf, expectSame, freeze } from './cases.oracle.ts';
import { pairOfDocuments, shortestPatch } from './diff.oracle.ts';
import { diff } from './diff.ts';
import { printModel, readModel, sortMembers } from './model.oracle.ts';
import { applyOperations } from './patch.ts';
import { readOperations } from './read-operations.ts';
import { patchText } from './splice.ts';
import type { JsonObject, JsonValue } from './text.ts';
import { parseJson, printJson } from './text.ts';

/** Turns one document into the other by a patch sent over the wire. Returns the number of operations. */
function goFromOneToTheOther(seed: number): number {
  const [fromModel, toModel] = pairOfDocuments(diceOf(seed));
  const fromText = printModel(fromModel);
  const toText = printModel(toModel);
  const from = freeze(parseJson(fromText)) as JsonObject;
  const to = freeze(parseJson(toText)) as JsonObject;
  const patch = printJson(diff(from, to) as unknown as JsonValue);

  const place = `seed ${seed}, from ${fromText} to ${toText} by ${patch}`;
  const shortest = shortestPatch(fromModel, toModel);
  expectSame(patch.length, shortest.join(',').length + 2, place);
  if (shortest.length === 0) return 0;
  if (patch.length > `[{"op":"replace","path":"","value":${toText}}]`.length) throw new Error(`longer than all, ${place}`);

  const operations = readOperations(parseJson(patch));
  if ('kind' in operations) throw new Error(`${operations.message}, ${place}`);
  const expected = inOrder(toText);
  const applied = applyOperations(from, operations);
  expectSame(applied.kind === 'patched' ? inOrder(printJson(applied.document)) : applied.message, expected, place);
  const spliced = patchText(printJson(from), operations);
  expectSame(spliced.kind === 'patched' ? inOrder(spliced.text) : spliced.message, expected, place);
  return operations.length;
}

function inOrder(text: string): string {
  return printModel(sortMembers(readModel(text)));
}

/** Compares so many pairs, and returns how often patches of each length occurred, up to 4; throws at the first fault. */
export function comparePairs(cases: number): Map<number, number> {
  const lengths = new Map<number, number>();
  const property = fc.property(fc.noBias(fc.integer()), (seed) => {
    const operations = Math.min(goFromOneToTheOther(seed), 4);
    lengths.set(operations, (lengths.get(operations) ?? 0) + 1);
  });
  fc.assert(property, { numRuns: cases });
  return lengths;
}
