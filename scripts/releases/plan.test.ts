import { describe, expect, it } from 'vitest';
import { planOf } from './plan.ts';

const pieces = [
  { name: '@holdfast/json@0.2.0', integrity: 'sha512-a' },
  { name: 'holdfast@0.2.0', integrity: 'sha512-b' },
];
const names = (some: readonly { readonly name: string }[]) => some.map(({ name }) => name);

describe('a publication plan', () => {
  it('contains everything the first time, the rest after half a publication, and nothing the second time', () => {
    const at = (...present: readonly (readonly [string, string])[]) => {
      const { left, missing } = planOf(pieces, new Map(present));
      return [names(left), names(missing)];
    };
    expect(at()).toEqual([[], ['@holdfast/json@0.2.0', 'holdfast@0.2.0']]);
    expect(at(['@holdfast/json@0.2.0', 'sha512-a'])).toEqual([['@holdfast/json@0.2.0'], ['holdfast@0.2.0']]);
    expect(at(['@holdfast/json@0.2.0', 'sha512-a'], ['holdfast@0.2.0', 'sha512-b'])[1]).toEqual([]);
  });

  it('fails before the first upload if a version exists with different content', () => {
    expect(() => planOf(pieces, new Map([['holdfast@0.2.0', 'sha512-c']]))).toThrow(
      'published already, with another content; nothing was sent:\n  holdfast@0.2.0: there sha512-c, here sha512-b',
    );
  });
});
