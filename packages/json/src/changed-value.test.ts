import { expect, test } from 'vitest';
import { changedValue } from './changed-value.ts';
import { parseJson, printJson } from './text.ts';

const document =
  '{"10":1.5,"":"","a":12,"b":{"c":"x","d":[1,{"e":true}],"f":null},"g":":1,","h\\"":"{\\"a\\":1}","l":"é😀"}';

test('a change of one value is found, and the result is what parsing and printing make of the text', () => {
  const changes: [from: string, to: string][] = [
    ['"a":12', '"a":13'],
    ['"a":12', '"a":123'],
    ['"a":12', '"a":"text, \\" and \\n"'],
    ['"a":12', '"a":false'],
    ['"":""', '"":null'],
    ['"c":"x"', '"c":""'],
    ['"c":"x"', '"c":"x\\",\\"y\\":\\"z"'],
    ['"e":true', '"e":false'],
    ['"f":null', '"f":0'],
    ['1.5', '1e+21'],
    ['é😀', 'é😁'],
  ];
  for (const [from, to] of changes) {
    const after = document.replace(from, () => to);
    const edit = changedValue(document, after);
    expect(edit, to).toBeDefined();
    if (edit === undefined) continue;
    expect(document.slice(0, edit.start) + edit.replacement + document.slice(edit.end)).toBe(after);
    expect(printJson(parseJson(after))).toBe(after);
  }
});

test('a text that the parser would refuse or print otherwise has no changed value', () => {
  const others: [from: string, to: string][] = [
    ['"a":12', '"a":012'],
    ['"a":12', '"a":12.0'],
    ['"a":12', '"a":-0'],
    ['"a":12', '"a":1e400'],
    ['"a":12', '"a":12345678901234567890'],
    ['"a":12', '"a": 12'],
    ['"a":12', '"a":'],
    ['"a":12', '"a":1,"a":2'],
    ['"a":12', '"a":1,2'],
    ['"a":12', '"a":[1]'],
    ['"a":12', '"a":"\\u0041"'],
    ['"a":12', '"a":"\t"'],
    ['"a":12', '"b":12'],
    ['"c":"x"', '"c":"x","a":"y"'],
    ['"c":"x"', '"c":"x'],
    ['"c":"x"', '"c":x'],
    ['"d":[1,', '"d":[2,'],
    ['"b":{', '"b":['],
    ['"g":":1,"', '"g":":2,"'],
    ['😀"}', '😀"'],
    ['😀"}', '😀"}}'],
    ['😀"}', '😀"} '],
  ];
  for (const [from, to] of others)
    expect(
      changedValue(
        document,
        document.replace(from, () => to),
      ),
      to,
    ).toBeUndefined();
  expect(changedValue('{"a,":":1,"}', '{"a,":":2,"}')).toBeUndefined();
  expect(changedValue('{"a":1}', `{"a":"${'x'.repeat(20_000)}"}`)).toBeUndefined();
});

test('no change of a character makes a text that parsing would not keep', () => {
  const characters = '{}[]:,"\\ 019-+.eEtrufalsn\n\u0000é\ud83d\ude00';
  for (let at = 0; at <= document.length; at++) {
    for (const removed of [0, 1, 2, 5]) {
      for (const inserted of ['', ...characters]) {
        const after = document.slice(0, at) + inserted + document.slice(at + removed);
        if (changedValue(document, after) !== undefined) expect(printJson(parseJson(after)), after).toBe(after);
      }
    }
  }
});
