import { expect, it } from 'vitest';
import { printable } from './print.ts';

it.each([
  ['\u0000\u001b[31m', String.raw`\u0000\u001b[31m`],
  ['a\tb\r\nc', String.raw`a\u0009b\u000d\u000ac`],
  ['\u007f\u009b2J', String.raw`\u007f\u009b2J`],
  ['\u2028\u2029', String.raw`\u2028\u2029`],
  ['\u202etxt.exe\u2066', String.raw`\u202etxt.exe\u2066`],
  ['\ud800', String.raw`\ud800`],
])('%j is printed as %s', (text, shown) => {
  expect(printable(text)).toBe(shown);
});

it.each(['Acme Games', 'Größe "ok" \\ 日本語 🎮', ''])('%s is printed unchanged', (text) => {
  expect(printable(text)).toBe(text);
});
