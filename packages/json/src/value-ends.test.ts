import { describe, expect, test } from 'vitest';
import { readOperations } from './read-operations.ts';
import { patchText, ValueEnds } from './splice.ts';
import { compareChains } from './value-ends.fixture.ts';

describe('ValueEnds', () => {
  test('chains of patches give the same texts with and without it', () => compareChains(1_000));

  test('a second position in a large document is found without a scan', () => {
    const rows = Array.from({ length: 400 }, (_, n) => ({ n, text: 'x'.repeat(600) }));
    /** Returns the processor time of a hundred patches, each with the positions that `next` makes of the last ones. */
    const timeOf = (next: (ends: ValueEnds) => ValueEnds) => {
      let text = JSON.stringify({ rows, last: 1 });
      let ends = new ValueEnds();
      const begun = process.threadCpuUsage();
      for (let n = 0; n < 100; n++) {
        const operations = readOperations([{ op: 'replace', path: '/rows/399/n', value: 1_000 + n }]);
        if ('kind' in operations) throw new Error(operations.message);
        const patched = patchText(text, operations, next(ends));
        if (patched.kind !== 'patched' || patched.ends === undefined) throw new Error('the patch is refused');
        ({ text, ends } = { text: patched.text, ends: patched.ends });
      }
      expect(JSON.parse(text).rows[399].n).toBe(1_099);
      return process.threadCpuUsage(begun).user;
    };
    // In turn, and many: the clock is coarse, and the engine copies the text now and then.
    let [scanning, knowing] = [0, 0];
    for (let round = 0; round < 30; round++) {
      scanning += timeOf(() => new ValueEnds());
      knowing += timeOf((ends) => ends);
    }
    expect(knowing).toBeLessThan(0.85 * scanning);
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
