import { expect, test } from 'vitest';
import { hasVersion, hasWeakTag } from './conditional-read.ts';

const namesVersion = (ifNoneMatch: string, version: number) => hasVersion({ 'if-none-match': ifNoneMatch }, version);

const named = [
  '"7"',
  '*',
  'W/"7"',
  '"1", "7"',
  '"7","8"',
  '"1",W/"7" , "9"',
  ' "7" ',
  '\t"7"\t,"8"',
  '"17","7"',
  ',,"7",,',
];
const unnamed = ['', '7', '"17"', '"77"', 'w/"7"', '"1""7"', '"7"x', 'x"7"', 'W /"7"', '"7" "8"', '/"7"', '"8", W/', '"1"'];

test.each(named)('%j names version 7', (ifNoneMatch) => expect(namesVersion(ifNoneMatch, 7)).toBe(true));
test.each(unnamed)('%j does not name version 7', (ifNoneMatch) => expect(namesVersion(ifNoneMatch, 7)).toBe(false));

test('reads lists like a split at commas', () => {
  const bySplitting = (list: string) =>
    list === '*' || list.split(',').some((member) => member.trim().replace(/^W\//, '') === '"7"');
  const pieces = ['"7"', '"17"', ',', ' ', '\t', 'W/', '/', 'W', 'x', '"', '7'];
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let round = 0; round < 20_000; round++) {
    const list = Array.from({ length: random(8) }, () => pieces[random(pieces.length)]).join('');
    const isNamed = bySplitting(list);
    expect([list, namesVersion(list, 7)]).toEqual([list, isNamed]);
    expect([list, hasWeakTag({ 'if-none-match': list }, 'W/"7"')]).toEqual([list, isNamed]);
  }
});
