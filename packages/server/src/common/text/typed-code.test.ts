import { expect, it } from 'vitest';
import { plainCode, plainDigits } from './typed-code.ts';

it.each([
  ['123456', '123456'],
  [' 123 456\n', '123456'],
  ['123-456', '123456'],
  ['123\u2013456.', '123456'],
  ['\u0661\u0662\u0663\u0664\u0665\u0666', '123456'],
  ['\u06f1\u06f2\u06f3\u06f4\u06f5\u06f0', '123450'],
  ['\uff11\uff12\uff13\uff14\uff15\uff19', '123459'],
  ['\u{1d7cf}\u{1d7d0}\u{1d7d1}\u{1d7f9}\u{1d7fa}\u{1d7ff}', '123349'],
  ['\u200b123\u200e\u00a0456\ufeff', '123456'],
  ['1\u03012345\u22126', '123456'],
  ['x3k9-p2mq', 'x3k9p2mq'],
  ['12345', '12345'],
  ['1'.repeat(65), ''],
])('%j is read as %j', (typed, code) => {
  expect(plainCode(typed)).toBe(code);
});

it.each([
  ['Code: 123456', '123456'],
  ['Dein Code ist 123 456 789.', '123456789'],
  ['G-123456', '123456'],
  ['no code', ''],
])('%j has the digits %j', (typed, digits) => {
  expect(plainDigits(typed)).toBe(digits);
});
