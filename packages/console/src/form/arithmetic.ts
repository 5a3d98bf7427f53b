/** Sums and products of JSON numbers, exact to the last digit. */
import { type Decimal, decimalOf, isRawNumber, type JsonValue, parseJson, printJson } from '@holdfast/json';

/** Numbers with a longer distance between their digits are left as they are. */
const exponentMax = 400;

/** A number as `units` × 10^`exponent`. */
interface Scaled {
  readonly units: bigint;
  readonly exponent: number;
}

/**
 * Returns a number plus or times another one, given as a literal; undefined if one of them is not a number, or too large or small. With
 * `isWhole`, the result is rounded to an integer, halves away from zero.
 */
export function calculated(value: JsonValue, by: '+' | '×', literal: string, isWhole: boolean): JsonValue | undefined {
  const [one, other] = [scaled(numberText(value)), scaled(literal)];
  if (one === undefined || other === undefined) return undefined;
  const result = by === '×' ? times(one, other) : plus(one, other);
  return parseJson(literalOf(isWhole ? rounded(result) : result));
}

const numberText = (value: JsonValue): string => (typeof value === 'number' || isRawNumber(value) ? printJson(value) : '');

function scaled(literal: string): Scaled | undefined {
  const decimal: Decimal | undefined = decimalOf(literal);
  if (decimal === undefined || Math.abs(decimal.exponent) > exponentMax || decimal.digits.length > exponentMax)
    return undefined;
  const units = BigInt(decimal.digits || '0');
  return { units: decimal.negative ? -units : units, exponent: decimal.exponent };
}

const times = (one: Scaled, other: Scaled): Scaled => ({
  units: one.units * other.units,
  exponent: one.exponent + other.exponent,
});

function plus(one: Scaled, other: Scaled): Scaled {
  const exponent = Math.min(one.exponent, other.exponent);
  const raised = ({ units, exponent: own }: Scaled) => units * 10n ** BigInt(own - exponent);
  return { units: raised(one) + raised(other), exponent };
}

function rounded({ units, exponent }: Scaled): Scaled {
  if (exponent >= 0) return { units, exponent };
  const unit = 10n ** BigInt(-exponent);
  const half = units < 0n ? -unit / 2n : unit / 2n;
  return { units: (units + half) / unit, exponent: 0 };
}

function literalOf({ units, exponent }: Scaled): string {
  if (exponent >= 0) return `${units}${units === 0n ? '' : '0'.repeat(exponent)}`;
  const digits = String(units < 0n ? -units : units).padStart(1 - exponent, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
}
