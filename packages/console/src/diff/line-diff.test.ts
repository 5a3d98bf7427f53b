import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffByLines } from './line-diff.ts';

const withoutCommas = (text: string) => text.replaceAll(/,$/gm, '');

/** Builds the second text from the first, and checks that the parts between changes are equal but for commas at the ends of lines. */
function applied(a: string, b: string): string {
  let [text, at] = ['', 0];
  let atB = 0;
  for (const { fromA, toA, fromB, toB } of diffByLines(a, b)) {
    expect(withoutCommas(a.slice(at, fromA))).toBe(withoutCommas(b.slice(atB, fromB)));
    text += b.slice(atB, toB);
    [at, atB] = [toA, toB];
  }
  expect(withoutCommas(a.slice(at))).toBe(withoutCommas(b.slice(atB)));
  return text + b.slice(atB);
}

const item = (index: number, price: number) => ({ id: `item_${index}`, price, tags: ['weapon', 'starter'], rate: 0.25 });
const documentOf = (count: number, price: (index: number) => number) =>
  JSON.stringify({ items: Array.from({ length: count }, (_, index) => item(index, price(index))) }, null, 2);

describe('the difference between two texts', () => {
  it('leads from one to the other, for any texts', () => {
    const texts = fc.array(fc.constantFrom('{', '}', '  "a": 1,', '  "b": 22,', '', '  "cc": [],'), { maxLength: 12 });
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const [a, b] = [one.join('\n'), other.join('\n')];
        expect(applied(a, b)).toBe(b);
      }),
      { numRuns: 500 },
    );
  });

  it('is one change for each of a hundred values in a large document', () => {
    const a = documentOf(3_000, (index) => index * 10);
    const b = documentOf(3_000, (index) => index * 10 + (index % 30 === 0 ? 1 : 0));
    expect(diffByLines(a, b)).toHaveLength(100);
    expect(applied(a, b)).toBe(b);
  });

  it('is only the added or removed line, wherever it stands', () => {
    const texts = [{ a: 1 }, { a: 1, b: [2] }, { c: 3, a: 1, b: [2, 3] }].map((one) => JSON.stringify(one, null, 2));
    const linesOf = (a = '', b = '') =>
      diffByLines(a, b).map((one) => [a.slice(one.fromA, one.toA), b.slice(one.fromB, one.toB)]);
    expect(linesOf(texts[0], texts[1])).toEqual([['', '  "b": [\n    2\n  ]\n']]);
    expect(linesOf(texts[1], texts[0])).toEqual([['  "b": [\n    2\n  ]\n', '']]);
    expect(linesOf(texts[1], texts[2])).toEqual([
      ['', '  "c": 3,\n'],
      ['', '    3\n'],
    ]);
  });

  it('is found in texts with almost nothing in common', () => {
    const [a, b] = [documentOf(400, () => 1), documentOf(700, (index) => index)];
    expect(applied(a, b)).toBe(b);
    expect(applied('{}', a)).toBe(a);
    expect(applied(a, '{}')).toBe('{}');
    expect(diffByLines(a, a)).toEqual([]);
    const all = documentOf(3_000, (index) => index + 5_000);
    expect(
      diffByLines(
        documentOf(3_000, (index) => index),
        all,
      ),
    ).toHaveLength(3_000);
  });
});
