/** When two JSON values are equal: numbers by exact value, objects in any order of members. */
import { isJsonObject, isRawNumber, type JsonValue } from '@holdfast/json';
import type { Payer } from './bounds.ts';
import { isNumber, numberKey } from './decimal.ts';

/** Steps of looking up a name in another object, and characters of equal texts that are compared for one step. */
const stepsOfName = 2;
const comparedCharactersOfStep = 512;

/** Whether two values are equal. Throws `BudgetSpent`. */
export function isSame(a: JsonValue, b: JsonValue, payer: Payer): boolean {
  payer.spend(1);
  if (typeof a === 'string' && typeof b === 'string') {
    if (a.length !== b.length) return false;
    payer.spend(a.length / comparedCharactersOfStep);
    return a === b;
  }
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return areEqual(a, b, payer);
  if (isRawNumber(a) || isRawNumber(b)) return areEqual(a, b, payer);
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => isSame(item, b[index], payer));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const names = Object.keys(a);
  payer.spend(stepsOfName * names.length);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && isSame(a[name] ?? null, b[name] ?? null, payer));
}

const areEqual = (a: JsonValue, b: JsonValue, payer: Payer): boolean =>
  isNumber(a) && isNumber(b) && numberKey(a, payer) === numberKey(b, payer);

/** Steps of the key of a value besides its text, and characters of a text that are escaped and copied for one step. */
const stepsOfKey = 2;
const keyCharactersOfStep = 16;
/** Characters that are copied again for one step, at each level around a value. */
const copiedCharactersOfStep = 128;

/** Text that equal values share, and no others. Throws `BudgetSpent`. */
export function keyOf(value: JsonValue, payer: Payer): string {
  payer.spend(stepsOfKey);
  if (typeof value === 'string') {
    payer.spend(value.length / keyCharactersOfStep);
    return JSON.stringify(value);
  }
  if (typeof value === 'number' || isRawNumber(value)) return numberKey(value, payer);
  if (Array.isArray(value))
    return around(
      value.map((item) => keyOf(item, payer)),
      '[',
      ']',
      payer,
    );
  if (!isJsonObject(value)) return String(value);
  const members = namesInOrder(value, payer).map((name) => `${JSON.stringify(name)}:${keyOf(value[name] ?? null, payer)}`);
  return around(members, '{', '}', payer);
}

/** Names may be compared over their whole length, each with a few others. */
function namesInOrder(value: object, payer: Payer): string[] {
  const names = Object.keys(value);
  const rounds = 1 + Math.log2(names.length + 1);
  const characters = names.reduce((sum, { length }) => sum + length, 0);
  payer.spend(names.length * (stepsOfName + rounds) + characters / keyCharactersOfStep + (characters * rounds) / 512);
  return names.sort();
}

function around(parts: readonly string[], open: string, close: string, payer: Payer): string {
  const characters = parts.reduce((sum, { length }) => sum + length + 1, 2);
  payer.spend(characters / copiedCharactersOfStep);
  return `${open}${parts.join(',')}${close}`;
}
