import { expect, it } from 'vitest';
import { invisibleIn } from './invisible.ts';

it.each([
  ['sword\u200b_iron', 'U+200B'],
  ['a\u202eb', 'U+202E'],
  ['\ufeffGold', 'U+FEFF'],
  ['a\u0000', 'U+0000'],
  ['a\ud800', 'U+D800'],
])('a text with a character that is hardly meant names it (%#)', (text, name) => {
  expect(invisibleIn(text)).toBe(name);
});

it('line ends, emojis and marks of other scripts are meant', () => {
  for (const text of ['One\r\nTwo\tThree', '👩‍🚀', 'مدّ\u200f الخريف', 'Donau\u00addampf', '']) {
    expect(invisibleIn(text)).toBeUndefined();
  }
});
