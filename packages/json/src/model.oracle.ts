/**
 * A second, deliberately simple JSON parser to compare the real one with: recursive, character by character, objects as maps, numbers as
 * literals compared with integers of any size.
 */

/** A number, as the literal that it must print. */
export class NumberModel {
  readonly literal: string;
  constructor(literal: string) {
    this.literal = literal;
  }
}

export type Model = null | boolean | string | NumberModel | Model[] | Map<string, Model>;

/** Parses a JSON text that is known to be well-formed. */
export function readModel(text: string): Model {
  const [model, end] = readValue(text, skipSpace(text, 0));
  if (skipSpace(text, end) !== text.length) throw new Error(`trailing text at ${end}`);
  return model;
}

function readValue(text: string, at: number): [Model, number] {
  const first = text.charAt(at);
  if (first === '{') return readObject(text, at + 1);
  if (first === '[') return readArray(text, at + 1);
  if (first === '"') return readString(text, at + 1);
  for (const [word, value] of [
    ['null', null],
    ['true', true],
    ['false', false],
  ] as const) {
    if (text.startsWith(word, at)) return [value, at + word.length];
  }
  let end = at;
  while (end < text.length && '+-.0123456789eE'.includes(text.charAt(end))) end++;
  if (end === at) throw new Error(`no value at ${at}`);
  return [new NumberModel(expectedLiteral(text.slice(at, end))), end];
}

function readObject(text: string, start: number): [Model, number] {
  const members = new Map<string, Model>();
  let at = skipSpace(text, start);
  while (text.charAt(at) !== '}') {
    const [name, nameEnd] = readString(text, skipSpace(text, at) + 1);
    at = skipSpace(text, nameEnd);
    if (text.charAt(at) !== ':') throw new Error(`no colon at ${at}`);
    const [value, valueEnd] = readValue(text, skipSpace(text, at + 1));
    members.set(name, value);
    at = skipSpace(text, valueEnd);
    if (text.charAt(at) === ',') at = skipSpace(text, at + 1);
  }
  return [members, at + 1];
}

function readArray(text: string, start: number): [Model, number] {
  const elements: Model[] = [];
  let at = skipSpace(text, start);
  while (text.charAt(at) !== ']') {
    const [value, end] = readValue(text, at);
    elements.push(value);
    at = skipSpace(text, end);
    if (text.charAt(at) === ',') at = skipSpace(text, at + 1);
  }
  return [elements, at + 1];
}

const escapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', '/': '/' };

function readString(text: string, start: number): [string, number] {
  let value = '';
  for (let at = start; at < text.length; at++) {
    const unit = text.charAt(at);
    if (unit === '"') return [value, at + 1];
    if (unit !== '\\') {
      value += unit;
      continue;
    }
    const escaped = text.charAt(++at);
    if (escaped === 'u') {
      value += String.fromCharCode(Number.parseInt(text.slice(at + 1, at + 5), 16));
      at += 4;
    } else value += escapes[escaped];
  }
  throw new Error('string does not end');
}

function skipSpace(text: string, at: number): number {
  let end = at;
  while (end < text.length && ' \t\r\n'.includes(text.charAt(end))) end++;
  return end;
}

/** The literal to print: as a double if that has the same value, otherwise unchanged. */
export function expectedLiteral(literal: string): string {
  const printed = String(Number(literal));
  if (!/^-?\d/.test(printed)) return literal;
  return sameValue(literal, printed) ? printed : literal;
}

function sameValue(left: string, right: string): boolean {
  const [a, aExponent] = fractionOf(left);
  const [b, bExponent] = fractionOf(right);
  if (a === 0n || b === 0n) return a === b && left.startsWith('-') === right.startsWith('-');
  const difference = aExponent - bExponent;
  if (Math.abs(difference) > 20_000) return false; // no test writes literals long enough to make up for this
  return difference > 0 ? a * 10n ** BigInt(difference) === b : a === b * 10n ** BigInt(-difference);
}

function fractionOf(literal: string): [bigint, number] {
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return [BigInt(whole === '-' ? 0 : `${whole}${fraction}`), Number(exponent) - fraction.length];
}

/** Compact text of a model, with members in the order of first assignment. */
export function printModel(model: Model): string {
  if (model instanceof NumberModel) return model.literal;
  if (Array.isArray(model)) return `[${model.map(printModel).join(',')}]`;
  if (model instanceof Map) {
    return `{${[...model].map(([name, value]) => `${JSON.stringify(name)}:${printModel(value)}`).join(',')}}`;
  }
  return JSON.stringify(model);
}

/** The same model with sorted members in every object. */
export function sortMembers(model: Model): Model {
  if (Array.isArray(model)) return model.map(sortMembers);
  if (!(model instanceof Map)) return model;
  const sorted = [...model].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(sorted.map(([name, value]) => [name, sortMembers(value)]));
}

/** Levels of arrays and objects: 0 for a scalar. */
export function depthOf(model: Model): number {
  if (Array.isArray(model)) return 1 + Math.max(0, ...model.map(depthOf));
  return model instanceof Map ? 1 + Math.max(0, ...[...model.values()].map(depthOf)) : 0;
}
