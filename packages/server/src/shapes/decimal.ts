/**
 * Exact arithmetic with the numbers of JSON: no digit is lost, whatever a double can hold. Doubles stand for the shortest decimal that names
 * them, which is how JSON is read and printed here, so two doubles are compared as they are.
 */
import { type Decimal, decimalOf, isRawNumber, type JsonValue, type RawNumber } from '@holdfast/json';
import { BudgetSpent } from './bounds.ts';

export type JsonNumber = number | RawNumber;

/** Digits that exact sums and remainders are computed with. What needs more is beyond the budget. */
const digitsMax = 5_000;

/** Whether the value is a number, however it is kept. */
export function isNumber(value: JsonValue | undefined): value is JsonNumber {
  return typeof value === 'number' || isRawNumber(value);
}

/** Returns a negative number, zero or a positive number, as `a` is less than, equal to or greater than `b`. Throws `BudgetSpent`. */
export function compareNumbers(a: JsonNumber, b: JsonNumber): number {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : Number(a > b);
  return compareDecimals(exactly(a), exactly(b));
}

/** Whether the number has no fraction: `1.0` and `1e2` have none. Throws `BudgetSpent`. */
export function isInteger(value: JsonNumber): boolean {
  return typeof value === 'number' ? Number.isInteger(value) : exactly(value).exponent >= 0;
}

/** Whether dividing gives an integer. The divisor is greater than zero. Throws `BudgetSpent`. */
export function isMultipleOf(value: JsonNumber, divisor: JsonNumber): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return Number(value) % Number(divisor) === 0;
  const of = exactly(value);
  const by = exactly(divisor);
  if (of.digits === '') return true;
  // The digits of a decimal have no zero at the end, so ten to any power does not divide them.
  const zeros = of.exponent - by.exponent;
  if (zeros < 0) return false;
  const modulus = integerOf(by.digits);
  return (remainder(of.digits, modulus) * powerModulo(10n, BigInt(zeros), modulus)) % modulus === 0n;
}

/** Whether `after` is at most `step` above `before`. Throws `BudgetSpent`. */
export function risesAtMost(before: JsonNumber, after: JsonNumber, step: JsonNumber): boolean {
  if (Number.isSafeInteger(before) && Number.isSafeInteger(after) && Number.isSafeInteger(step)) {
    return BigInt(Number(after)) - BigInt(Number(before)) <= BigInt(Number(step));
  }
  const decimals = [after, before, step].map(exactly);
  const exponent = Math.min(...decimals.map((decimal) => decimal.exponent));
  const [high = 0n, low = 0n, most = 0n] = decimals.map((decimal) => scaled(decimal, exponent));
  return high - low <= most;
}

/** Text that is the same for equal numbers, and for no others. Throws `BudgetSpent`. */
export function numberKey(value: JsonNumber): string {
  if (typeof value === 'number') return Object.is(value, -0) ? '0' : String(value);
  const { negative, digits, exponent } = exactly(value);
  if (digits === '') return '0';
  const literal = `${negative ? '-' : ''}${digits}e${exponent}`;
  // What a double holds as well is kept as a literal now and then, such as -0.
  const double = Number(literal);
  return exactlyEqual(decimalOf(String(double)), { negative, digits, exponent }) ? String(double) : literal;
}

function exactlyEqual(a: Decimal | undefined, b: Decimal): boolean {
  return a !== undefined && a.negative === b.negative && a.digits === b.digits && a.exponent === b.exponent;
}

function exactly(value: JsonNumber): Decimal {
  const decimal = decimalOf(typeof value === 'number' ? String(value) : value.rawJSON);
  // Beyond that an exponent is not exact itself.
  if (decimal === undefined || !Number.isSafeInteger(decimal.exponent)) throw new BudgetSpent();
  return decimal;
}

function compareDecimals(a: Decimal, b: Decimal): number {
  const signs = signOf(a) - signOf(b);
  if (signs !== 0) return signs;
  // How many digits stand before the point; more of them make the larger magnitude.
  const places = a.digits.length + a.exponent - (b.digits.length + b.exponent);
  const magnitudes = places !== 0 ? places : compareTexts(a.digits, b.digits);
  return a.negative ? -magnitudes : magnitudes;
}

const signOf = ({ negative, digits }: Decimal): number => (digits === '' ? 0 : negative ? -1 : 1);
const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** The integer that the decimal is, in units of ten to the power of `exponent`. */
function scaled({ negative, digits, exponent: own }: Decimal, exponent: number): bigint {
  if (digits === '') return 0n;
  const zeros = own - exponent;
  if (digits.length + zeros > digitsMax) throw new BudgetSpent();
  const magnitude = integerOf(digits + '0'.repeat(zeros));
  return negative ? -magnitude : magnitude;
}

function integerOf(digits: string): bigint {
  if (digits.length > digitsMax) throw new BudgetSpent();
  return BigInt(digits === '' ? '0' : digits);
}

/** Reads the digits a few at a time, so that a long literal costs no more than its length. */
function remainder(digits: string, modulus: bigint): bigint {
  const width = 15;
  let rest = 0n;
  for (let at = 0; at < digits.length; at += width) {
    const part = digits.slice(at, at + width);
    rest = (rest * 10n ** BigInt(part.length) + BigInt(part)) % modulus;
  }
  return rest;
}

function powerModulo(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n % modulus;
  let factor = base % modulus;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = (result * factor) % modulus;
    factor = (factor * factor) % modulus;
  }
  return result;
}
