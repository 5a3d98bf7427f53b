/** Generated patches, compared with an oracle. */
import { diceOf, expectSame, freeze, patchCase } from './cases.oracle.ts';
import { printModel, readModel, sortMembers } from './model.oracle.ts';
import { patchModel } from './patch.oracle.ts';
import { applyOperations } from './patch.ts';
import { readOperations } from './read-operations.ts';
import { spliceOperations, type TextEdit } from './splice.ts';
import type { JsonObject } from './text.ts';
import { parseJson, printJson } from './text.ts';

/** Runs one case on both sides and returns the oracle's result; throws if they differ. */
function compare(seed: number): string {
  const dice = diceOf(seed);
  const patch = patchCase(dice, seed % 50 === 0 ? 40 : 5);
  const document = printModel(patch.document);
  const ops = printModel(patch.ops);
  const nestingDepthMax = seed % 10 === 0 ? 5 : 256;
  const expected = patchModel(patch.document, patch.ops, nestingDepthMax);

  const place = `seed ${seed}, document ${document}, patch ${ops}`;
  const parsedOps = freeze(parseJson(ops));
  const operations = readOperations(parsedOps);
  const tree =
    'kind' in operations
      ? operations
      : applyOperations(freeze(parseJson(document)) as JsonObject, operations, nestingDepthMax);
  const spliced = 'kind' in operations ? operations : spliceOperations(document, operations, nestingDepthMax);

  const verdict = tree.kind === 'failure' ? `${tree.code} at ${tree.operation}` : 'patched';
  const expectedVerdict = 'code' in expected ? `${expected.code} at ${expected.operation}` : 'patched';
  if (verdict !== expectedVerdict) throw new Error(`expected ${expectedVerdict} but got ${verdict}, ${place}`);
  if (tree.kind === 'failure' || 'code' in expected) {
    expectSame(JSON.stringify(spliced), JSON.stringify(tree), place);
    return verdict.replace(/ at .*/, '');
  }
  if (spliced.kind === 'failure') throw new Error(`splicing fails with ${spliced.code}, ${place}`);
  expectSame(edited(document, spliced.edits ?? []), spliced.text, place);
  // The runtime moves names such as "10" to the front of an object, so members are sorted before they are compared.
  const sorted = printModel(sortMembers(expected.document));
  const treeText = printJson(tree.document);
  expectSame(printModel(sortMembers(readModel(treeText))), sorted, place);
  if (spliced.text !== treeText) expectSame(printModel(sortMembers(readModel(spliced.text))), sorted, place);
  if (seed % 4 === 0) {
    // Splicing keeps the order of the document's members, like the oracle's maps, so the texts are equal.
    const inPlace = patchModel(patch.document, readModel(printJson(parsedOps)), nestingDepthMax);
    expectSame(spliced.text, 'document' in inPlace ? printModel(inPlace.document) : inPlace.code, place);
  }
  return 'patched';
}

/** Returns the text after edits, each applied to the result of the one before. */
const edited = (text: string, edits: readonly TextEdit[]) =>
  edits.reduce((before, { start, end, replacement }) => before.slice(0, start) + replacement + before.slice(end), text);

/** Compares the first cases with the oracle, and returns how often each outcome occurred; throws at the first difference. */
export function comparePatches(cases: number): Map<string, number> {
  const outcomes = new Map<string, number>();
  for (let seed = 1; seed <= cases; seed++) {
    const outcome = compare(seed);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  return outcomes;
}
