import { expect, it } from 'vitest';
import { natures } from '../../../../server/src/schemas/keywords.ts';
import { ruleNames } from '../../../../server/src/schemas/rules.ts';
import { mentionedKeywords, silentKeywords, suggestedKeywords, wordedKeywords } from './keywords.ts';

const names = suggestedKeywords.map(({ name }) => name);

it('the service knows the same keywords', () => {
  const known = new Set([...natures.keys(), ...ruleNames, 'x-ui']);
  // The target of a dynamic reference is found only by an evaluation.
  known.delete('$dynamicRef');
  expect([...new Set([...names, ...silentKeywords])].sort()).toEqual([...known].sort());
});

it('only keywords that belong to others have no role', () => {
  const roles = [...wordedKeywords, ...mentionedKeywords, ...silentKeywords];
  expect(names.filter((name) => !roles.includes(name))).toEqual([
    'minContains',
    'maxContains',
    'allOf',
    'then',
    'else',
    '$ref',
  ]);
});
