import { expect, it } from 'vitest';
import { choosing, chosenOf, selectionFor } from './promote-selection.ts';

const ids = ['a', 'b', 'c'];

it('everything is chosen at first, except for players', () => {
  expect(chosenOf(selectionFor('staging'), ids)).toEqual(new Set(ids));
  expect(chosenOf(selectionFor('production'), ids)).toEqual(new Set());
});

it.each(['staging', 'production'])('for %s, exactly the chosen changes are selected', (env) => {
  for (const chosen of [[], ['b'], ['a', 'c'], ids]) {
    const selection = choosing(selectionFor(env), ids, new Set(chosen));
    expect(chosenOf(selection, ids)).toEqual(new Set(chosen));
    expect(chosenOf(choosing(selection, ids, new Set(['c'])), ids)).toEqual(new Set(['c']));
  }
});

it('a change that comes later is as at first, and the others stay', () => {
  const later = [...ids, 'd'];
  const staging = choosing(selectionFor('staging'), ids, new Set(['a']));
  expect(chosenOf(staging, later)).toEqual(new Set(['a', 'd']));
  const production = choosing(selectionFor('production'), ids, new Set(['a']));
  expect(chosenOf(production, later)).toEqual(new Set(['a']));
});
