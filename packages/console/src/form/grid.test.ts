import { parseJson, printJson } from '@holdfast/json';
import { describe, expect, it } from 'vitest';
import { hintsOf, noHint } from '../fields/hints.ts';
import { kindOf } from '../fields/kinds.ts';
import { numberOf } from '../fields/values.ts';
import { calculated } from './arithmetic.ts';
import { cellText, valueFromText } from './cells.ts';
import { printRows, readFileRows, readRows } from './csv.ts';
import { type Container, gridOf, identityColumn, withCopies, withoutRows } from './grid.ts';
import { rowsForFile, withBulk, withFile, withNewRow, withPasted } from './grid-edits.ts';

const hints = hintsOf(undefined);
const container = (text: string) => parseJson(text) as Container;
const grid = (value: Container) => gridOf(value, noHint, hints);

describe('numbers', () => {
  it.each([
    ['0.1', '×', '1.1', false, '0.11'],
    ['9007199254740993', '+', '1', true, '9007199254740994'],
    ['85', '×', '1.1', true, '94'],
    ['-25', '×', '0.1', true, '-3'],
    ['0.10000000000000000555', '+', '0.2', false, '0.30000000000000000555'],
    ['1e3', '+', '-5', false, '995'],
  ] as const)('%s %s %s, whole: %s, are %s exactly', (value, by, literal, isWhole, result) => {
    const found = calculated(parseJson(value), by, literal, isWhole);
    expect(found === undefined ? undefined : printJson(found)).toBe(result);
  });

  it('are read with a point or a comma, and nothing else is one', () => {
    expect(['1,5', '+2', '007', '.5', '1.50', '12345678901234567890'].map((text) => cellText(numberOf(text)))).toEqual([
      '1.5',
      '2',
      '7',
      '0.5',
      '1.5',
      '12345678901234567890',
    ]);
    expect(['', '1,000,000', 'NaN', '0x10', '1 2'].map(numberOf)).toEqual(Array(5).fill(undefined));
  });

  it('without end are left as they are', () => {
    expect(calculated(parseJson('1e999999'), '+', '1', false)).toBeUndefined();
  });
});

describe('files', () => {
  it('are read back as they were printed', () => {
    const rows = [
      ['a', 'b;"c"', ' d'],
      ['', 'two\r\nlines', '\t'],
    ];
    for (const separator of [',', ';', '\t']) expect(readFileRows(printRows(rows, separator), separator)).toEqual(rows);
    expect(readRows('a;b\n1;2')).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
    expect(readRows('"open')).toEqual([['open']]);
    expect(readRows('"a"b,c\n')).toEqual([['a', 'c']]);
  });

  it('contain no formulas', () => {
    const cells = ['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\t=1', "'=1", "''-x", '-5', '1', "'x"];
    const file = printRows([cells], ',');
    expect(file.slice(1).split(',')).toEqual([
      "'=1+1",
      "'+cmd",
      "'-2+3",
      "'@SUM(A1)",
      `"'\t=1"`,
      "''=1",
      "'''-x",
      '-5',
      '1',
      "'x\r\n",
    ]);
    expect(readFileRows(file, ',')).toEqual([cells]);
  });

  it('change cells, add rows, and keep rows that they lack', () => {
    const before = container('[{"id":"a","n":1},{"id":"b","n":12345678901234567890},{"id":"c","n":3}]');
    const found = withFile(
      before,
      grid(before),
      [
        ['id', 'n', 'x'],
        ['b', '12345678901234567890', ''],
        ['d', '4', ''],
        ['a', 'many', ''],
      ],
      (from, of) => withNewRow(from, of, noHint, hints),
    );
    expect(found).toMatchObject({ changed: 0, added: 1, unfit: 1, unknown: ['x'], foundBy: 'id', missing: [['2']] });
    expect(printJson(found.container)).toBe(
      '[{"id":"a","n":1},{"id":"b","n":12345678901234567890},{"id":"c","n":3},{"id":"d","n":4}]',
    );
  });

  it('name the rows of maps and texts', () => {
    const map = container('{"a":{"n":1},"b":{"n":2},"c":{"n":3}}');
    expect(rowsForFile(map, grid(map))).toEqual([
      ['#', 'n'],
      ['a', '1'],
      ['b', '2'],
      ['c', '3'],
    ]);
    const texts = container('{"en":{"x":{"y":"Y"}},"de":{"z":"Z"}}');
    expect(rowsForFile(texts, grid(texts))).toEqual([
      ['#', 'en', 'de'],
      ['x/y', 'Y', ''],
      ['z', '', 'Z'],
    ]);
  });
});

describe('a grid', () => {
  const items = container('[{"id":"a","cost":{"gold":1,"gems":null},"tags":["x"]},{"id":"b","cost":{"gold":2,"gems":5}}]');

  it('has a column for each value within its rows', () => {
    expect(grid(items).columns).toMatchObject([
      { name: 'id', kind: 'text', isOptional: false },
      { name: 'cost › gold', kind: 'number', isWhole: true },
      { name: 'cost › gems', kind: 'number', isNullable: true },
      { name: 'tags', kind: 'json', isOptional: true },
    ]);
    expect(identityColumn(grid(items), items)?.name).toBe('id');
  });

  it('follows the order, the types and the choices of a schema, after the member that names a row', () => {
    const schema = parseJson(
      '{"properties":{"rows":{"items":{"$ref":"#/$defs/row"}}},"$defs":{"row":{"required":["n"],"properties":{"n":{"type":"integer"},"kind":{"enum":["a","b"]}}}}}',
    );
    const known = hintsOf(schema);
    const hint = known.below(known.root, 'rows', false);
    const rows = container('[{"kind":"a","extra":true,"id":"x"}]');
    expect(gridOf(rows, hint, known).columns).toMatchObject([
      { name: 'id', kind: 'text' },
      { name: 'n', kind: 'number', isOptional: true },
      { name: 'kind', kind: 'choice', isOptional: true },
      { name: 'extra', kind: 'boolean' },
    ]);
    expect(kindOf([], hint)).toBe('table');
  });

  it('copies and removes rows, with a new identity for each copy', () => {
    const { container: copied, copies } = withCopies(items, grid(items), [['0'], ['1']]);
    expect(copies).toEqual([['1'], ['3']]);
    expect((copied as { id: string }[]).map(({ id }) => id)).toEqual(['a', 'a-2', 'b', 'b-2']);
    expect(withoutRows(copied, grid(copied), copies)).toEqual(items);
  });

  it('takes a block of texts, and leaves cells that do not fit', () => {
    const {
      container: next,
      changed,
      unfit,
    } = withPasted(items, grid(items), grid(items).rows, { row: 0, column: 1 }, [['7', ''], ['seven', '8'], ['beyond']]);
    expect([changed, unfit]).toEqual([2, 1]);
    expect(next).toMatchObject([{ cost: { gold: 7, gems: null } }, { cost: { gold: 2, gems: 8 } }]);
  });

  it('sets and calculates a column', () => {
    const [, gold] = grid(items).columns;
    if (gold === undefined) throw new Error('no column');
    const { container: next } = withBulk(items, grid(items), [['1']], gold, { kind: '×', by: '1.5' });
    expect(next).toMatchObject([{ cost: { gold: 1 } }, { cost: { gold: 3 } }]);
    expect(valueFromText(gold, 1, '')).toBeUndefined();
  });

  it('is what alike objects under many names are, and languages', () => {
    const kind = (text: string) => kindOf(parseJson(text), noHint);
    expect(kind('{"a":{"n":1},"b":{"n":2},"c":{"n":3,"m":1}}')).toBe('table');
    expect(kind('{"season":{"id":1},"limits":{"max":2},"shop":{"items":[]}}')).toBe('group');
    expect(kind('{"en":{"a":"A"},"zh-Hant":{"b":{"c":"C"}}}')).toBe('table');
    expect(kind('{"hp":{"a":"A"},"xp":{"a":"A"}}')).toBe('group');
  });
});
