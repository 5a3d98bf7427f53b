/** Equality of JSON values: numbers are compared by exact value, objects regardless of member order. */
import { isJsonObject, isRawNumber, type JsonValue } from '@holdfast/json';
import type { StepBudget } from './bounds.ts';
import { isNumber, numberKey } from './decimal.ts';

/** Steps charged for looking up a name in another object; and the number of characters compared per step. */
const stepsOfName = 2;
const comparedCharactersOfStep = 512;

/** Whether two values are equal. Throws `BudgetSpent`. */
export function isSame(a: JsonValue, b: JsonValue, budget: StepBudget): boolean {
  budget.spend(1);
  if (typeof a === 'string' && typeof b === 'string') {
    if (a.length !== b.length) return false;
    budget.spend(a.length / comparedCharactersOfStep);
    return a === b;
  }
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return areEqual(a, b, budget);
  if (isRawNumber(a) || isRawNumber(b)) return areEqual(a, b, budget);
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => isSame(item, b[index], budget));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const names = Object.keys(a);
  budget.spend(stepsOfName * names.length);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && isSame(a[name] ?? null, b[name] ?? null, budget));
}

const areEqual = (a: JsonValue, b: JsonValue, budget: StepBudget): boolean =>
  isNumber(a) && isNumber(b) && numberKey(a, budget) === numberKey(b, budget);

/** Steps charged for a value's key, excluding its text; and the number of characters escaped and copied per step. */
const stepsOfKey = 2;
const keyCharactersOfStep = 16;
/** Characters copied again per step, at each level around a value. */
const copiedCharactersOfStep = 128;

/** Text that is the same for two values exactly if they are equal. Throws `BudgetSpent`. */
export function keyOf(value: JsonValue, budget: StepBudget): string {
  budget.spend(stepsOfKey);
  if (typeof value === 'string') {
    budget.spend(value.length / keyCharactersOfStep);
    return JSON.stringify(value);
  }
  if (typeof value === 'number' || isRawNumber(value)) return numberKey(value, budget);
  if (Array.isArray(value))
    return around(
      value.map((item) => keyOf(item, budget)),
      '[',
      ']',
      budget,
    );
  if (!isJsonObject(value)) return String(value);
  const members = namesInOrder(value, budget).map(
    (name) => `${JSON.stringify(name)}:${keyOf(value[name] ?? null, budget)}`,
  );
  return around(members, '{', '}', budget);
}

/** Charges for the comparisons of sorting: each name may be compared with a few others over its whole length. */
function namesInOrder(value: object, budget: StepBudget): string[] {
  const names = Object.keys(value);
  const rounds = 1 + Math.log2(names.length + 1);
  const characters = names.reduce((sum, { length }) => sum + length, 0);
  budget.spend(names.length * (stepsOfName + rounds) + characters / keyCharactersOfStep + (characters * rounds) / 512);
  return names.sort();
}

function around(parts: readonly string[], open: string, close: string, budget: StepBudget): string {
  const characters = parts.reduce((sum, { length }) => sum + length + 1, 2);
  budget.spend(characters / copiedCharactersOfStep);
  return `${open}${parts.join(',')}${close}`;
}
