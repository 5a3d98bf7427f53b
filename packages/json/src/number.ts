/** A decimal number as sign, significant digits and power of ten. Equal values have equal parts. */
export interface Decimal {
  readonly negative: boolean;
  /** Without zeros at either end; empty for zero. */
  readonly digits: string;
  /** The power of ten by which the digits, as an integer, are multiplied; 0 for zero. */
  readonly exponent: number;
}

/** The smallest normal double. Below it fewer than 15 digits may survive. */
const normalMin = 2 ** -1022;

const numberLiteral = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/;

/**
 * Whether a JSON number literal keeps its decimal value if read as a double and printed. `-0` does not: as a double it prints as `0`. The
 * result is meaningful for number literals only.
 */
export function doubleHolds(literal: string): boolean {
  const value = Number(literal);
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return false;
  // With an exponent and at most 17 characters, there are at most 15 digits, which every normal double holds.
  const magnitude = Math.abs(value);
  if (literal.length <= 17 && magnitude >= normalMin && magnitude < Number.POSITIVE_INFINITY && /[eE]/.test(literal)) {
    return true;
  }
  const printed = String(value);
  if (printed === literal) return true;
  const written = decimalOf(literal);
  if (written === undefined) return true; // not a number literal, so nothing is lost
  const held = decimalOf(printed);
  if (held === undefined) return false;
  return written.negative === held.negative && written.digits === held.digits && written.exponent === held.exponent;
}

/** Returns the decimal value of a JSON number literal; undefined for other text. An exponent over 2^53 is not exact. */
export function decimalOf(literal: string): Decimal | undefined {
  const parts = numberLiteral.exec(literal);
  if (parts === null) return undefined;
  const fraction = parts[3] ?? '';
  const digits = `${parts[2]}${fraction}`;
  // Loops, because a pattern such as /0+$/ takes quadratic time on a long run of zeros within the digits.
  let start = 0;
  while (start < digits.length && digits.charCodeAt(start) === 0x30) start++;
  let end = digits.length;
  while (end > start && digits.charCodeAt(end - 1) === 0x30) end--;
  const negative = parts[1] === '-';
  if (start === end) return { negative, digits: '', exponent: 0 };
  const exponent = Number(parts[4] ?? 0) - fraction.length + (digits.length - end);
  return { negative, digits: digits.slice(start, end), exponent };
}
