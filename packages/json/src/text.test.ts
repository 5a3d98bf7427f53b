import { describe, expect, test } from 'vitest';
import { printModel, readModel } from './model.oracle.ts';
import { compareNumbers, compareRefusals, compareValues, modelOf, refusal } from './text.fixture.ts';
import {
  exceedsNestingDepth,
  isContainer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  printJson,
} from './text.ts';

const { rawJSON } = JSON as unknown as { rawJSON(literal: string): JsonValue };

describe('parseJson and printJson: numbers', () => {
  test.each([
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['1e400', '1e400'],
    ['-1E+400', '-1E+400'],
    ['1e-400', '1e-400'],
    ['2e-324', '2e-324'],
    ['1.7976931348623159e308', '1.7976931348623159e308'],
    ['0.1234567890123456789', '0.1234567890123456789'],
    ['1.00000000000000000001', '1.00000000000000000001'],
    ['-0', '-0'],
    ['-0.0', '-0.0'],
    ['-0e5', '-0e5'],
    ['-0E-99999999999999999999', '-0E-99999999999999999999'],
    ['4.9e-324', '4.9e-324'],
    ['9007199254740993e1', '9007199254740993e1'],
    ['0.1234567890123456789e1', '0.1234567890123456789e1'],
  ])('%s, which exceeds a double, is returned as written', (literal, printed) => {
    expect(printJson(parseJson(literal))).toBe(printed);
    expect(printJson(parseJson(`\n [ ${literal}\t] `))).toBe(`[${printed}]`);
    expect(printJson(parseJson(`{"a":${literal},"b":[${literal},"${literal}"]}`))).toBe(
      `{"a":${printed},"b":[${printed},"${literal}"]}`,
    );
    expect(typeof parseJson(literal)).toBe('object');
  });

  test.each([
    ['1.0', '1'],
    ['1e3', '1000'],
    ['1E5', '100000'],
    ['0e99999999999999999999', '0'],
    ['0.000000000000000000000', '0'],
    ['-0.5', '-0.5'],
    ['5e-324', '5e-324'],
    ['1.7976931348623157e308', '1.7976931348623157e+308'],
    ['2.2250738585072014e-308', '2.2250738585072014e-308'],
    ['123456789.12345678', '123456789.12345678'],
    ['0.00000000000000000001234', '1.234e-20'],
    ['100000000000000000000000', '1e+23'],
    ['123456789012345680000', '123456789012345680000'],
    ['1.50000000000000000000000', '1.5'],
    ['1e00000000000000000005', '100000'],
  ])('%s, which fits a double, becomes the number %s', (literal, printed) => {
    expect(printJson(parseJson(`[${literal}]`))).toBe(`[${printed}]`);
    expect(typeof parseJson(literal)).toBe('number');
  });

  test('digits inside strings and names are unchanged', () => {
    const text = '{"1e400":"9007199254740993","\\":-0,":"\\\\","-0":[":9007199254740993,"]}';
    expect(printJson(parseJson(text))).toBe(text);
  });

  test('the last of duplicate names counts, whichever of them is raw', () => {
    expect(printJson(parseJson('{"a":1e400,"a":1}'))).toBe('{"a":1}');
    expect(printJson(parseJson('{"a":1,"a":1e400}'))).toBe('{"a":1e400}');
    expect(printJson(parseJson('{"a":{"b":1e400},"a":{"c":-0}}'))).toBe('{"a":{"c":-0}}');
    expect(printJson(parseJson('{"a":1.00000000000000000001,"a":1}'))).toBe('{"a":1}');
  });

  test('a literal of a million digits takes linear time', () => {
    const literal = `0.${'0'.repeat(500_000)}1${'0'.repeat(500_000)}1`;
    expect(printJson(parseJson(`[${literal}]`))).toBe(`[${literal}]`);
  });
});

describe('parseJson and printJson: names and strings', () => {
  test.each(['__proto__', 'constructor', 'toString', 'toJSON', '', '\u0000', '\ud800', '\udc00', '\u2028', 'é', '😀'])(
    'the name %j is an ordinary member',
    (name) => {
      const text = `{${JSON.stringify(name)}:{"x":9007199254740993}}`;
      const value = parseJson(text) as JsonObject;
      expect(Object.hasOwn(value, name)).toBe(true);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(printJson(value)).toBe(text);
    },
  );

  test('a name with an escape is read as written, whatever was read before', () => {
    // The runtime's parser mistakes the second name for the first: https://github.com/nodejs/node/issues/63785
    for (const [earlier, later] of [
      ['{"h":[],"\\\\":0}', '{"h":1,"\\"":2}'],
      ['{"p":1,"\\\\n":1}', '{"p":1,"\\nn":[{"\\u0041\\/" : {}}]}'],
    ] as const) {
      parseJson(earlier);
      JSON.parse(earlier);
      expect(printModel(modelOf(parseJson(later)))).toBe(printModel(readModel(later)));
    }
  });

  test('an escaped name equals the name that it spells', () => {
    expect(printJson(parseJson('{"a":1,"\\u0061":2,"b":3,"a":4}'))).toBe('{"a":4,"b":3}');
    expect(printJson(parseJson('{"\\u005f_proto__":1,"b":3,"__proto__":4}'))).toBe('{"__proto__":4,"b":3}');
  });

  test('a raw number can be the value of __proto__', () => {
    expect(printJson(parseJson('{"__proto__":-0,"a":1}'))).toBe('{"__proto__":-0,"a":1}');
  });
});

describe('parseJson: refusals', () => {
  test.each([
    ['', 0],
    ['  ', 2],
    ['nul', 0],
    ['{"a":}', 5],
    ['[1,2', 4],
    ['[1,]', 3],
    ['{"a":1,}', 7],
    ['{"a" 1}', 5],
    ['{a:1}', 1],
    ['[1 2]', 3],
    ['01', 1],
    ['1.', 1],
    ['.5', 0],
    ['-', 0],
    ['+1', 0],
    ['1e', 1],
    ['[1e400', 6],
    ['01234567890123456789', 1],
    ['-01e400', 2],
    ['1e4001.5', 6],
    ['1e400e400', 5],
    ['[1e400]]', 7],
    ['{1e400:1}', 1],
    ['--1e400', 0],
    ['NaN', 0],
    ['"abc', 0],
    ['"a\\x"', 2],
    ['"\\u12G4"', 1],
    ['"a\nb"', 2],
    ['\ufeff{}', 0],
    ['{}{}', 2],
    ['{"a":1]', 6],
    ['[1}', 2],
    [']', 0],
    ['[1]\u00a0', 3],
    ['{"a":1,1}', 7],
    ['{,}', 1],
    ['[,]', 1],
    ['{"a"}', 4],
    [':', 0],
  ])('%j is not JSON, from position %i on', (text, position) => {
    expect(refusal(text)).toMatchObject({ reason: 'syntax', position });
    expect(refusal(text).message).toContain(`position ${position}`);
  });

  test('the message quotes none of the text', () => {
    expect(refusal('{"token":"hush-hush" hush}').message).toBe('cannot parse JSON: unexpected character at position 21');
    expect(refusal('{"token":"hush-hush').message).toBe('cannot parse JSON: the string does not end at position 9');
    expect(refusal('[1').message).toBe('cannot parse JSON: the text ends too early at position 2');
  });

  test('256 levels pass, 257 are refused as too deep, and no number of levels overflows the stack', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"":', '}'],
      ['[{"a":', '}]'],
    ] as const) {
      const per = open.length === 6 ? 2 : 1;
      const nested = (levels: number, core: string) => `${open.repeat(levels / per)}${core}${close.repeat(levels / per)}`;
      const text = nested(256, '0');
      expect(printJson(parseJson(text))).toBe(text);
      expect(printJson(parseJson(nested(256, '1e400')))).toBe(nested(256, '1e400'));
      expect(refusal(nested(256, '[]'))).toMatchObject({ reason: 'depth', position: (256 / per) * open.length });
      expect(refusal(nested(1_000_000, '0')).reason).toBe('depth');
      expect(refusal(open.repeat(1_000_000)).reason).toBe('depth');
    }
    expect(refusal('[[]]', 1)).toMatchObject({ reason: 'depth', position: 1 });
    expect(refusal('[[]]', 1).message).toBe('cannot parse JSON: nested deeper than 1 levels at position 1');
    expect(parseJson('1', 0)).toBe(1);
  });

  test('brackets in strings and many siblings do not count as nesting', () => {
    const text = JSON.stringify([...Array.from({ length: 1000 }, () => [{}]), '['.repeat(1000), `\\"${'{'.repeat(1000)}`]);
    expect(printJson(parseJson(text))).toBe(text);
  });
});

describe('parseJson and a simple parser agree', () => {
  test('on every value, for texts with adversarial numbers, names, escapes and white space', () => compareValues(1_000));

  test('on every number, whatever its literal', () => compareNumbers(2_000));

  test('on refusals: the text is refused exactly if the runtime refuses it', () => compareRefusals(1_000));
});

describe('kinds of values', () => {
  test('only objects are JSON objects: not arrays, null, scalars or raw numbers', () => {
    for (const value of [[], null, 1, 'x', true, undefined, rawJSON('1e400')]) expect(isJsonObject(value)).toBe(false);
    for (const value of [{}, { rawJSON: '1e400' }, parseJson('{"__proto__":null}')]) expect(isJsonObject(value)).toBe(true);
  });

  test('only arrays and objects are containers', () => {
    for (const value of [null, 1, 'x', true, undefined, rawJSON('1e400')]) expect(isContainer(value)).toBe(false);
    for (const value of [{}, []]) expect(isContainer(value)).toBe(true);
  });

  test('the depth of a value counts arrays and objects', () => {
    for (const value of [1, 'x', null, rawJSON('-0')]) expect(exceedsNestingDepth(value, 0)).toBe(false);
    expect(exceedsNestingDepth([], 0)).toBe(true);
    expect(exceedsNestingDepth([], 1)).toBe(false);
    expect(exceedsNestingDepth({ a: [1], b: { c: [{}] } }, 3)).toBe(true);
    expect(exceedsNestingDepth({ a: [1], b: { c: [{}] } }, 4)).toBe(false);
    let deep: JsonValue = [];
    for (let i = 1; i < 100_000; i++) deep = [deep];
    expect(exceedsNestingDepth(deep, 99_999)).toBe(true);
    expect(exceedsNestingDepth(deep, 100_000)).toBe(false);
    expect(exceedsNestingDepth(deep)).toBe(true);
  });
});
