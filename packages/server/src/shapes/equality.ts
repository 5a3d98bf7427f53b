/** When two JSON values are the same: numbers by their exact value, objects whatever the order of their members. */
import { isJsonObject, isRawNumber, type JsonValue } from '@holdfast/json';
import { isNumber, numberKey } from './decimal.ts';

/** What pays for looking at values. */
export interface Payer {
  /** Pays for so many steps. Throws `BudgetSpent`. */
  spend(steps: number): void;
}

/** Whether two values are the same. Throws `BudgetSpent`. */
export function isSame(a: JsonValue, b: JsonValue, payer: Payer): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return isNumber(a) && isNumber(b) && numberKey(a) === numberKey(b);
  }
  if (isNumber(a) || isNumber(b)) return isNumber(a) && isNumber(b) && numberKey(a) === numberKey(b);
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    payer.spend(a.length);
    return a.every((item, index) => isSame(item, b[index], payer));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const names = Object.keys(a);
  payer.spend(names.length);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && isSame(a[name] ?? null, b[name] ?? null, payer));
}

/** Text that is the same for the same values, and for no others. Throws `BudgetSpent`. */
export function keyOf(value: JsonValue, payer: Payer): string {
  payer.spend(1);
  if (typeof value === 'string') {
    payer.spend(value.length >> 5);
    return JSON.stringify(value);
  }
  if (typeof value === 'number' || isRawNumber(value)) return numberKey(value);
  if (Array.isArray(value)) return `[${value.map((item) => keyOf(item, payer)).join(',')}]`;
  if (!isJsonObject(value)) return String(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${keyOf(value[name] ?? null, payer)}`).join(',')}}`;
}
