/**
 * Exact arithmetic with JSON numbers: no digit is lost, even if a double cannot hold the number. A double stands for its shortest decimal
 * form, as JSON is read and printed here, so two doubles are compared directly. Costlier work is charged per digit.
 */
import { type Decimal, decimalOf, isRawNumber, type JsonValue, type RawNumber } from '@holdfast/json';
import type { StepBudget } from './bounds.ts';
import { BudgetSpent } from './bounds.ts';

export type JsonNumber = number | RawNumber;

/** A number in a schema: a double, or a decimal if a double cannot hold it. Plain data. */
export type Limit = number | Decimal;

/** The maximum number of digits in exact sums and remainders. Longer numbers exceed the budget. */
const digitsMax = 5_000;

/** Steps charged for a decimal operation, excluding digits; and the number of digits read per step. */
const stepsOfDecimal = 4;
const digitsOfStep = 16;

/** Whether the value is a number, however it is stored. */
export function isNumber(value: JsonValue | undefined): value is JsonNumber {
  return typeof value === 'number' || isRawNumber(value);
}

/** Converts a document's number to the form of a schema's limit. */
export const limitOf = (value: JsonNumber): Limit =>
  typeof value === 'number' ? value : (decimalOf(value.rawJSON) ?? Number.NaN);

/** Whether a limit is above zero, or zero and `orZero`. */
export function isPositive(limit: Limit, orZero = false): boolean {
  if (typeof limit === 'number') return orZero ? limit >= 0 : limit > 0;
  return limit.digits === '' ? orZero : !limit.negative;
}

/** Returns a negative number, zero or a positive number, as `a` is less than, equal to or greater than `b`. Throws `BudgetSpent`. */
export function compareNumbers(a: JsonNumber, b: Limit, budget: StepBudget): number {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : Number(a > b);
  return compareDecimals(exactly(a, budget), exactly(b, budget));
}

/** Whether the number has no fraction: `1.0` and `1e2` have none. Throws `BudgetSpent`. */
export function isInteger(value: JsonNumber, budget: StepBudget): boolean {
  return typeof value === 'number' ? Number.isInteger(value) : exactly(value, budget).exponent >= 0;
}

/** Whether the quotient is an integer. The divisor must be positive. Throws `BudgetSpent`. */
export function isMultipleOf(value: JsonNumber, divisor: Limit, budget: StepBudget): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return Number(value) % Number(divisor) === 0;
  const of = exactly(value, budget);
  const by = exactly(divisor, budget);
  if (of.digits === '') return true;
  // The digits of a decimal have no zero at the end, so no power of ten divides them.
  const zeros = of.exponent - by.exponent;
  if (zeros < 0) return false;
  const modulus = integerOf(by.digits, budget);
  const power = powerModulo(zeros, modulus, by.digits.length, budget);
  return (remainder(of.digits, modulus, by.digits.length, budget) * power) % modulus === 0n;
}

/** Whether `after` is at most `step` above `before`. Throws `BudgetSpent`. */
export function risesAtMost(before: JsonNumber, after: JsonNumber, step: Limit, budget: StepBudget): boolean {
  // A difference that a double would round is larger than any safe step.
  if (Number.isSafeInteger(before) && Number.isSafeInteger(after) && Number.isSafeInteger(step))
    return Number(after) - Number(before) <= Number(step);
  const decimals = [after, before, step].map((number) => exactly(number, budget));
  const exponent = Math.min(...decimals.map((decimal) => decimal.exponent));
  const [high = 0n, low = 0n, most = 0n] = decimals.map((decimal) => scaled(decimal, exponent, budget));
  return high - low <= most;
}

/** Text that is the same for two numbers exactly if they are equal. Throws `BudgetSpent`. */
export function numberKey(value: JsonNumber, budget: StepBudget): string {
  if (typeof value === 'number') return Object.is(value, -0) ? '0' : String(value);
  const { negative, digits, exponent } = exactly(value, budget);
  if (digits === '') return '0';
  // Reading a literal as a double takes as long as reading its digits.
  budget.spend(stepsOfDecimal + digits.length / digitsOfStep);
  const literal = `${negative ? '-' : ''}${digits}e${exponent}`;
  // Some numbers that a double can hold are kept as literals, such as -0.
  const double = Number(literal);
  return exactlyEqual(decimalOf(String(double)), { negative, digits, exponent }) ? String(double) : literal;
}

function exactlyEqual(a: Decimal | undefined, b: Decimal): boolean {
  return a !== undefined && a.negative === b.negative && a.digits === b.digits && a.exponent === b.exponent;
}

function exactly(value: JsonNumber | Limit, budget: StepBudget): Decimal {
  const decimal = typeof value === 'object' && 'digits' in value ? value : decimalPaid(value, budget);
  // A larger exponent is itself inexact.
  if (decimal === undefined || !Number.isSafeInteger(decimal.exponent)) throw new BudgetSpent();
  return decimal;
}

function decimalPaid(value: JsonNumber, budget: StepBudget): Decimal | undefined {
  const literal = typeof value === 'number' ? String(value) : value.rawJSON;
  budget.spend(stepsOfDecimal + literal.length / digitsOfStep);
  return decimalOf(literal);
}

function compareDecimals(a: Decimal, b: Decimal): number {
  const signs = signOf(a) - signOf(b);
  if (signs !== 0) return signs;
  // The number with more digits before the point has the larger magnitude.
  const places = a.digits.length + a.exponent - (b.digits.length + b.exponent);
  const magnitudes = places !== 0 ? places : compareTexts(a.digits, b.digits);
  return a.negative ? -magnitudes : magnitudes;
}

const signOf = ({ negative, digits }: Decimal): number => (digits === '' ? 0 : negative ? -1 : 1);
const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** The decimal as an integer, in units of ten to the power of `exponent`. */
function scaled({ negative, digits, exponent: own }: Decimal, exponent: number, budget: StepBudget): bigint {
  if (digits === '') return 0n;
  const zeros = own - exponent;
  if (digits.length + zeros > digitsMax) throw new BudgetSpent();
  const magnitude = integerOf(digits + '0'.repeat(zeros), budget);
  return negative ? -magnitude : magnitude;
}

function integerOf(digits: string, budget: StepBudget): bigint {
  if (digits.length > digitsMax) throw new BudgetSpent();
  budget.spend(stepsOfDecimal + workOf(digits.length, digits.length));
  return BigInt(digits === '' ? '0' : digits);
}

/** Steps charged for multiplying or dividing integers of this many digits. */
const workOf = (digits: number, others: number): number => 1 + (digits * others) / 50_000;

/** Reads a few digits at a time, so the cost stays proportional to the length of the literal. */
function remainder(digits: string, modulus: bigint, modulusDigits: number, budget: StepBudget): bigint {
  const width = 15;
  budget.spend((digits.length / width) * 4 * workOf(modulusDigits, 40 * width));
  let rest = 0n;
  for (let at = 0; at < digits.length; at += width) {
    const part = digits.slice(at, at + width);
    rest = (rest * 10n ** BigInt(part.length) + BigInt(part)) % modulus;
  }
  return rest;
}

/** Ten to the power of `exponent`, modulo. */
function powerModulo(exponent: number, modulus: bigint, modulusDigits: number, budget: StepBudget): bigint {
  const rounds = exponent === 0 ? 0 : Math.floor(Math.log2(exponent)) + 1;
  budget.spend(1 + rounds * 6 * workOf(modulusDigits, modulusDigits));
  let result = 1n % modulus;
  let factor = 10n % modulus;
  for (let left = BigInt(exponent); left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = (result * factor) % modulus;
    factor = (factor * factor) % modulus;
  }
  return result;
}
