/** How operators treat values: any JSON, as JsonLogic reads it. */
import { isObject } from '../../common/objects.ts';
import type { Budget } from './budget.ts';

/** The rules cannot be evaluated with this context: an operator got an unsuitable value. */
export class EvaluationFault extends Error {}

/** A list becomes a string of joined items, and no variant has such a name. */
const joinedItemsMax = 1_000;

/** Empty lists and objects count as false, besides the false values of JavaScript. */
export function isTruthy(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) {
    for (const _ in value) return true;
    return false;
  }
  return Boolean(value);
}

/** The number that a value stands for, or NaN. Lists and objects stand for none. */
export function readNumber(value: unknown, budget: Budget): number {
  if (typeof value === 'object' && value !== null) return Number.NaN;
  if (typeof value === 'string') budget.read(value.length);
  return Number(value);
}

/** The same. Throws `EvaluationFault` for anything but a number. */
export const toNumber = (value: unknown, budget: Budget): number => numeric(readNumber(value, budget));

/** Throws `EvaluationFault` for NaN. */
export function numeric(number: number): number {
  if (Number.isNaN(number)) throw new EvaluationFault('the result is not a number');
  return number;
}

/** The value as a string, paid for unless it is one already. Throws `EvaluationFault` for a list of lists, or a long list. */
export function toText(value: unknown, budget: Budget): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return joined(value, budget);
  const text = isObject(value) ? '[object Object]' : String(value);
  budget.text(text.length);
  return text;
}

function joined(list: readonly unknown[], budget: Budget): string {
  if (list.length > joinedItemsMax) throw new EvaluationFault('a list cannot be used as a text');
  budget.steps(list.length);
  if (list.some(Array.isArray)) throw new EvaluationFault('a list cannot be used as a text');
  const parts = list.map((item) => (item === null || item === undefined ? '' : toText(item, budget)));
  return concatenated(parts, budget, ',');
}

/** The strings, concatenated. */
export function concatenated(parts: readonly string[], budget: Budget, separator = ''): string {
  budget.text(parts.reduce((sum, { length }) => sum + length + separator.length, 0));
  return parts.join(separator);
}

/** The parts of a path: names between dots; a backslash precedes a dot, a slash or a backslash in a name. */
export function partsOf(path: string, budget?: Budget): readonly string[] {
  if (path === '') return [];
  if (!path.includes('.') && !path.includes('\\')) return [path];
  budget?.items(path.length / 8);
  budget?.steps(path.length / 8);
  const parts: string[] = [];
  let part = '';
  for (let at = 0; at < path.length; at++) {
    const character = path.charAt(at);
    const next = path[at + 1];
    if (character === '\\' && (next === '\\' || next === '.' || next === '/')) part += path[++at];
    else if (character === '.') {
      parts.push(part);
      part = '';
    } else part += character;
  }
  // A path of only dots has as many parts as dots.
  if (parts.length !== path.length) parts.push(part);
  return parts;
}

/** The value at the path, or undefined. Only members and items of the value itself, and the lengths of lists and strings. */
export function valueAt(value: unknown, parts: readonly string[]): unknown {
  let found = value;
  for (const part of parts) {
    const holder = Object(found ?? {});
    if (!Object.hasOwn(holder, part)) return undefined;
    found = holder[part];
  }
  return found;
}
