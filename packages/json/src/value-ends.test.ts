import { describe, expect, test } from 'vitest';
import { diceOf, expectSame } from './cases.oracle.ts';
import { pairOfDocuments } from './diff.oracle.ts';
import { diff } from './diff.ts';
import { printModel } from './model.oracle.ts';
import { readOperations } from './read-operations.ts';
import { patchText, spliceOperations, ValueEnds } from './splice.ts';
import { type JsonObject, type JsonValue, parseJson, printJson } from './text.ts';

const cases = Number(process.env.HOLDFAST_PATCH_CASES ?? 50_000) / 10;

describe('ValueEnds', () => {
  test('chains of patches give the same texts with and without it', { timeout: 60_000 + cases * 20 }, () => {
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
  });

  test('a second position in a large document is found without a scan', () => {
    const rows = Array.from({ length: 400 }, (_, n) => ({ n, text: 'x'.repeat(600) }));
    let text = JSON.stringify({ rows, last: 1 });
    let ends = new ValueEnds();
    const took: number[] = [];
    for (let n = 0; n < 200; n++) {
      const operations = readOperations([{ op: 'replace', path: '/rows/399/n', value: 1_000 + n }]);
      if ('kind' in operations) throw new Error(operations.message);
      const begun = performance.now();
      const patched = patchText(text, operations, ends);
      took.push(performance.now() - begun);
      if (patched.kind !== 'patched' || patched.ends === undefined) throw new Error('the patch is refused');
      ({ text, ends } = { text: patched.text, ends: patched.ends });
    }
    expect(JSON.parse(text).rows[399].n).toBe(1_199);
    const later = took.slice(100).sort((one, other) => one - other);
    expect(later[50]).toBeLessThan(took[0] as number);
  });

  test('a failing patch leaves the known positions valid', () => {
    const text = JSON.stringify({ a: [[1, 2, 3], { b: [4] }], c: 5 });
    const ends = new ValueEnds(2);
    const failing = readOperations([
      { op: 'add', path: '/a/0/0', value: 'longer than before' },
      { op: 'remove', path: '/a/9' },
    ]);
    const removal = readOperations([{ op: 'remove', path: '/a/1/b' }]);
    if ('kind' in failing || 'kind' in removal) throw new Error('the operations are refused');
    expect(patchText(text, failing, ends)).toMatchObject({ kind: 'failure', operation: 1 });
    expect(patchText(text, removal, ends)).toMatchObject({ text: '{"a":[[1,2,3],{}],"c":5}' });
  });
});
