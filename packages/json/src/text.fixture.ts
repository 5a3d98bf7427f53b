/** The parser of JSON text, compared with a simple one. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { diceOf, jsonText, numbers } from './cases.oracle.ts';
import { expectedLiteral, type Model, NumberModel, printModel, readModel, sortMembers } from './model.oracle.ts';
import { findSyntaxFault } from './syntax-fault.ts';
import { isJsonObject, JsonTextError, type JsonValue, parseJson, printJson } from './text.ts';

/** Returns the error that refuses a text, and throws if none does. */
export function refusal(text: string, nestingDepthMax?: number): JsonTextError {
  try {
    parseJson(text, nestingDepthMax);
  } catch (error) {
    if (error instanceof JsonTextError) return error;
    throw error;
  }
  throw new Error('the text was not refused');
}

/** Compares values: numbers by literal, members by name, ignoring names that are not own members. */
export function modelOf(value: JsonValue): Model {
  if (typeof value === 'number') {
    // A plain number must print as the literal that it was read from.
    return new NumberModel(Object.is(value, -0) ? 'negative zero as a double' : String(value));
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(modelOf);
  if (!isJsonObject(value)) return new NumberModel((value as { rawJSON: string }).rawJSON);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  return new Map(Object.keys(value).map((name) => [name, modelOf(value[name] as JsonValue)]));
}

/** Both parsers agree on values, for texts with adversarial numbers, names, escapes and white space. */
export function compareValues(cases: number): void {
  const property = fc.property(fc.integer(), (seed) => {
    const text = jsonText(diceOf(seed), 4);
    const value = parseJson(text);
    expect(printModel(sortMembers(modelOf(value)))).toBe(printModel(sortMembers(readModel(text))));
    expect(printModel(sortMembers(readModel(printJson(value))))).toBe(printModel(sortMembers(readModel(text))));
  });
  fc.assert(property, { numRuns: cases });
}

/** Both parsers agree on numbers, whatever their literals. */
export function compareNumbers(cases: number): void {
  const digits = fc.stringMatching(/^[0-9]{1,25}$/);
  const whole = fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,25}$/));
  const exponent = fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-', 'E-'), fc.stringMatching(/^[0-9]{1,4}$/));
  const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value));
  const built = fc
    .tuple(fc.constantFrom('', '-'), whole, fc.option(digits), fc.option(exponent))
    .map(([sign, int, fraction, exp]) => `${sign}${int}${fraction === null ? '' : `.${fraction}`}${exp?.join('') ?? ''}`);
  const property = fc.property(fc.oneof(double, built, fc.constantFrom(...numbers)), (literal) => {
    expect(printJson(parseJson(literal))).toBe(expectedLiteral(literal));
  });
  fc.assert(property, { numRuns: cases });
}

/** A damaged text is refused exactly if the runtime refuses it. */
export function compareRefusals(cases: number): void {
  const property = fc.property(
    fc.integer(),
    fc.nat(),
    fc.constantFrom(...'{}[],:"\\0-.eE1 t\u0000'),
    (seed, where, unit) => {
      const whole = jsonText(diceOf(seed), 3);
      const at = where % (whole.length + 1);
      for (const text of [whole.slice(0, at), whole.slice(0, at) + unit + whole.slice(at + (seed & 1))]) {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        if (valid)
          expect(printModel(modelOf(parseJson(text)))).toBe(printModel(modelOf(parseJson(printJson(parseJson(text))))));
        else expect(refusal(text).reason).toBe('syntax');
        const fault = findSyntaxFault(text);
        expect(fault === undefined, text).toBe(valid);
      }
    },
  );
  fc.assert(property, { numRuns: cases });
}
