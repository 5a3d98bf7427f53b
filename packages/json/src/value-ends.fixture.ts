/** Chains of generated patches, spliced with known positions of values and without. */
import { diceOf, expectSame } from './cases.oracle.ts';
import { pairOfDocuments } from './diff.oracle.ts';
import { diff } from './diff.ts';
import { printModel } from './model.oracle.ts';
import { readOperations } from './read-operations.ts';
import { spliceOperations, ValueEnds } from './splice.ts';
import { type JsonObject, type JsonValue, parseJson, printJson } from './text.ts';

/** Throws if a text of one of the first chains depends on whether positions are known. */
export function compareChains(cases: number): void {
  for (let seed = 1; seed <= cases; seed++) {
    const dice = diceOf(seed);
    const documents = [...pairOfDocuments(dice), ...pairOfDocuments(dice), ...pairOfDocuments(dice)].map(printModel);
    let text = printJson(parseJson(documents[0] as string));
    let ends = new ValueEnds(2);
    for (const target of documents.slice(1)) {
      const patch = diff(parseJson(text) as JsonObject, parseJson(target) as JsonObject);
      if (patch.length === 0) continue;
      const operations = readOperations(parseJson(printJson(patch as unknown as JsonValue)));
      if ('kind' in operations) throw new Error(operations.message);
      const without = spliceOperations(text, operations);
      const known = spliceOperations(text, operations, undefined, ends);
      if (known.kind !== 'patched' || without.kind !== 'patched' || known.ends === undefined)
        throw new Error(`seed ${seed}`);
      expectSame(known.text, without.text, `seed ${seed}, ${text} to ${target}`);
      ({ text, ends } = { text: known.text, ends: known.ends });
    }
  }
}
