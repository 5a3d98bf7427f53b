/** Seeded, adversarial JSON texts and patches, cheap enough for millions of cases and reproducible from the seed. */
import { type Model, NumberModel, readModel } from './model.oracle.ts';
import type { JsonValue } from './text.ts';

/** A number in [0, limit), from a small generator (mulberry32) whose state is its seed. */
export type Dice = (limit: number) => number;

/** Returns the dice of a seed: always the same numbers. */
export function diceOf(seed: number): Dice {
  let state = seed | 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

const names = [
  'a',
  'b',
  '__proto__',
  'toString',
  'constructor',
  '-',
  '01',
  '0',
  '1',
  '2',
  '10',
  '',
  '~',
  '/',
  '~1',
  '~0',
  'a/b',
  'rawJSON',
  'toJSON',
  'length',
  '"',
  '\\',
  '\\"',
  '\u0000',
  '\n',
  '\ud800',
  '\udc00x',
  '\u2028',
  'é',
  '😀',
  'value',
  '4294967295',
];

export const numbers = [
  '0',
  '1',
  '-1',
  '1.5',
  '9007199254740991',
  '9007199254740993',
  '1e400',
  '-1e400',
  '-0',
  '-0.0',
  '-0e5',
  '0.0',
  '1.0',
  '1e3',
  '1E5',
  '1e+21',
  '1e21',
  '123456789012345680000',
  '1.7976931348623157e308',
  '1.7976931348623159e308',
  '5e-324',
  '2e-324',
  '4.9e-324',
  '2.2250738585072014e-308',
  '0.00000000000000000001234',
  '123456789.12345678',
  '0.1234567890123456789',
  '0.1',
  '0.30000000000000004',
  '100000000000000000000000',
  '1.00000000000000000000000000',
  '1e-400',
  '0e99999999999',
  '0.000000000000000000000',
  '1e00000000000000000005',
  '123456789012345',
  '1234567890123456',
  '12345678901234567',
  '0.1e-6',
  '1e99',
  '1e100',
  '999999999999999e99',
  '-0.5',
];

const strings = [
  '',
  'x',
  'lorem ipsum',
  '-0',
  '1e400',
  ':-0,',
  '9007199254740993',
  '[',
  ']',
  '{"a":1}',
  ',"b":',
  '"',
  '\\',
  '\\\\"',
  '\u0001',
  '\ud83d',
  '😀',
  '[1e999,0]',
  '\\u0041',
];

function pick<Item>(dice: Dice, items: readonly Item[]): Item {
  return items[dice(items.length)] as Item;
}

/** A number literal: from the list, or random digits. */
function numberText(dice: Dice): string {
  if (dice(2) === 0) return pick(dice, numbers);
  const digits = (most: number) => Array.from({ length: 1 + dice(most) }, () => dice(10)).join('');
  const whole = dice(3) === 0 ? '0' : `${1 + dice(9)}${digits(20)}`;
  const fraction = dice(2) === 0 ? '' : `.${digits(20)}`;
  const exponent = dice(2) === 0 ? '' : `${pick(dice, ['e', 'E'])}${pick(dice, ['', '+', '-'])}${digits(3)}`;
  return `${dice(3) === 0 ? '-' : ''}${whole}${fraction}${exponent}`;
}

/** A JSON text with white space, escapes and duplicate member names. */
export function jsonText(dice: Dice, levels: number): string {
  const space = () => (dice(4) === 0 ? pick(dice, [' ', '\n', '\t', '\r\n', '  ']) : '');
  const string = (value: string) => (dice(4) === 0 ? `"${[...value].map(escapeUnits).join('')}"` : JSON.stringify(value));
  const value = (level: number): string => {
    const kind = dice(level > 0 ? 9 : 5);
    if (kind < 2) return numberText(dice);
    if (kind === 2) return string(pick(dice, strings));
    if (kind === 3) return string(pick(dice, names));
    if (kind === 4) return pick(dice, ['true', 'false', 'null']);
    const items = Array.from({ length: dice(5) }, () => {
      const item = `${space()}${value(level - 1)}${space()}`;
      return kind < 7 ? item : `${space()}${string(pick(dice, names))}${space()}:${item}`;
    });
    const inner = items.length === 0 ? space() : items.join(',');
    return kind < 7 ? `[${inner}]` : `{${inner}}`;
  };
  return `${space()}${value(levels)}${space()}`;
}

function escapeUnits(character: string): string {
  return [...Array(character.length).keys()]
    .map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`)
    .join('');
}

/** A value for documents and operations. */
export function valueModel(dice: Dice, levels: number): Model {
  const kind = dice(levels > 0 ? 10 : 4);
  if (kind === 0) return new NumberModel(pick(dice, ['0', '7', '9007199254740993', '1e400', '-0', '0.5']));
  if (kind === 1) return pick(dice, strings);
  if (kind === 2) return pick(dice, [true, false, null]);
  if (kind === 3) return dice(2) === 0 ? [] : new Map();
  if (kind < 7) return Array.from({ length: dice(4) }, () => valueModel(dice, levels - 1));
  return objectModel(dice, levels);
}

/** An object, as every document is. */
export function objectModel(dice: Dice, levels: number): Map<string, Model> {
  const members = Array.from({ length: dice(4) }, (): [string, Model] => [pick(dice, names), valueModel(dice, levels - 1)]);
  return new Map(members);
}

/** A document and the `ops` of a patch. */
export interface PatchCase {
  readonly document: Model;
  readonly ops: Model;
}

/** A patch whose paths mostly exist, with one malformed operation in a hundred. */
export function patchCase(dice: Dice, operationsMax: number): PatchCase {
  const document = objectModel(dice, 3);
  const places: Place[] = [];
  collectPlaces(document, [], places);
  const ops = Array.from({ length: 1 + dice(operationsMax) }, () => operationModel(dice, places));
  return { document, ops: dice(500) === 0 ? pick<Model>(dice, [null, [], new Map(), 'add']) : ops };
}

/** An existing path, and what was there when it was noted: the next free index of an array, true for an object. */
interface Place {
  readonly path: readonly string[];
  readonly inside: number | boolean;
}

function collectPlaces(node: Model, path: readonly string[], places: Place[]): void {
  places.push({ path, inside: Array.isArray(node) ? node.length : node instanceof Map });
  const children: [string, Model][] = Array.isArray(node)
    ? node.map((child, index): [string, Model] => [String(index), child])
    : node instanceof Map
      ? [...node]
      : [];
  for (const [segment, child] of children) collectPlaces(child, [...path, segment], places);
}

function operationModel(dice: Dice, places: Place[]): Model {
  const op = pick(dice, ['add', 'add', 'remove', 'replace']);
  const place = pick(dice, places);
  const path = [...place.path];
  if (dice(12) === 0) {
    // Any path, which probably does not exist.
    for (let extra = dice(3); extra > 0; extra--) path.push(pick(dice, names));
    if (path.length > 1 && dice(2) === 0) path[dice(path.length)] = pick(dice, names);
  } else if (op === 'add' && place.inside !== false) {
    if (place.inside === true) path.push(pick(dice, names));
    else path.push(dice(2) === 0 ? '-' : String(dice(place.inside + 1)));
  } else if (path.length === 0 && dice(10) > 0) {
    path.push(pick(dice, names));
  }
  const value = valueModel(dice, 2);
  if (op !== 'remove') collectPlaces(value, path, places);
  else {
    const kept = places.filter(({ path: other }) => path.some((segment, i) => segment !== other[i]));
    places.splice(0, places.length, { path: [], inside: true }, ...kept);
  }
  const pointer = path.map((segment) => `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  const members: [string, Model][] = [
    ['op', op],
    ['path', pointer],
  ];
  if (op !== 'remove' || dice(5) === 0) members.push(['value', value]);
  const operation = new Map(members);
  return dice(100) === 0 ? malformed(dice, operation) : operation;
}

function malformed(dice: Dice, operation: Map<string, Model>): Model {
  const kind = dice(6);
  if (kind === 0) return pick<Model>(dice, [null, [], 'add', new NumberModel('1e400'), new NumberModel('1')]);
  if (kind === 1)
    return operation.set('op', pick<Model>(dice, ['Add', 'move', 'test', '', null, new NumberModel('1e400')]));
  if (kind === 2) operation.delete(pick(dice, ['op', 'path', 'value']));
  if (kind === 3) return operation.set('path', pick<Model>(dice, ['a', '~', '/~', '/~2', '/a~', '/~01~', '#/a', null, []]));
  if (kind === 4) return operation.set('path', '').set('op', 'remove');
  return operation.set('extra', readModel('{"value":1}'));
}

/** Throws if the two differ. Much faster than `expect`, which matters with millions of cases. */
export function expectSame<Value extends string | number>(actual: Value, expected: Value, place: string): void {
  if (actual !== expected) throw new Error(`expected ${expected} but got ${actual}, ${place}`);
}

/** Freezes a value with all its contents, so that every change in place is a TypeError. */
export function freeze(value: JsonValue): JsonValue {
  if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) freeze(child as JsonValue);
    Object.freeze(value);
  }
  return value;
}
