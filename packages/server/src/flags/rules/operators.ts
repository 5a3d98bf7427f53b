/**
 * Operators whose arguments are evaluated before them: those of JsonLogic as flagd has them.
 *
 * @see https://jsonlogic.com/operations.html
 */
import type { Budget } from './budget.ts';
import type { Scope } from './scope.ts';
import { lookUp } from './scope.ts';
import {
  concatenated,
  EvaluationFault,
  isTruthy,
  numeric,
  partsOf,
  readNumber,
  toNumber,
  toText,
  valueAt,
} from './values.ts';

export type Operator<Result = unknown> = (values: readonly unknown[], scope: Scope) => Result;
/** Takes a single value, or the list of several. */
export type UnaryOperator = (operand: unknown, scope: Scope) => unknown;

function requireValues(values: readonly unknown[], least: number): void {
  if (values.length < least) throw new EvaluationFault(`an operator needs at least ${least} values`);
}

/** Combines numbers, from `start` on, or from the first. */
const arithmetic =
  (least: number, combine: (result: number, number: number) => number, start?: number): Operator<number> =>
  (values, { evaluation: { budget } }) => {
    requireValues(values, least);
    budget.steps(values.length + 1);
    let result = start;
    for (const value of values) {
      const number = toNumber(value, budget);
      result = result === undefined ? number : combine(result, number);
    }
    return numeric(result ?? Number.NaN);
  };

const extreme =
  (choose: (...numbers: number[]) => number): Operator =>
  (values, { evaluation: { budget } }) => {
    requireValues(values, 1);
    budget.steps(values.length);
    let result: number | undefined;
    for (const value of values) {
      if (typeof value !== 'number') throw new EvaluationFault('max and min need numbers');
      result = result === undefined ? value : choose(result, value);
    }
    return result;
  };

function divided(result: number, divisor: number): number {
  if (divisor === 0) throw new EvaluationFault('division by zero');
  return result / divisor;
}

const quotient = arithmetic(1, divided);
const difference = arithmetic(1, (result, number) => result - number);
const sum = arithmetic(0, (result, number) => result + number, 0);

const divide: Operator = (values, scope) => {
  const result = quotient(values.length === 1 ? [1, ...values] : values, scope);
  if (!Number.isFinite(result)) throw new EvaluationFault('the result is not a number');
  return result;
};

const contains: Operator = ([item, whole], { evaluation: { budget } }) => {
  if (!whole) return false;
  if (typeof whole === 'string') {
    const part = toText(item, budget);
    // If every position of a string begins like the part, each costs the length of the part.
    budget.read(whole.length + whole.length * Math.min(part.length, whole.length));
    return whole.includes(part);
  }
  if (!Array.isArray(whole)) throw new EvaluationFault('in needs a text or a list');
  budget.steps(whole.length);
  if (typeof item === 'string') budget.read(whole.length * item.length);
  return whole.includes(item);
};

const part: Operator = ([text, from, length], { evaluation: { budget } }) => {
  if (typeof text !== 'string') throw new EvaluationFault('substr needs a text');
  budget.text(text.length);
  const start = toInteger(from, budget);
  const begin = start < 0 ? Math.max(text.length + start, 0) : start;
  const rest = text.slice(begin);
  if (length === undefined) return rest;
  const count = toInteger(length, budget);
  return count < 0 ? rest.slice(0, Math.max(rest.length + count, 0)) : rest.slice(0, count);
};

/** Anything but a number counts as 0. */
const toInteger = (value: unknown, budget: Budget): number => Math.trunc(readNumber(value ?? 0, budget)) || 0;

const merge: Operator = (values, { evaluation: { budget } }) => {
  budget.items(values.reduce<number>((count, value) => count + (Array.isArray(value) ? value.length : 1), 0));
  return values.flat(1);
};

const missing: Operator<readonly unknown[]> = (paths, { value, evaluation: { budget } }) => {
  budget.items(paths.length);
  budget.steps(2 * paths.length);
  return paths.filter((each) => {
    const path = toText(each, budget);
    budget.read(path.length);
    return valueAt(value, partsOf(path, budget)) === undefined;
  });
};

const missingSome: Operator = ([needed, paths], scope) => {
  if (!Array.isArray(paths)) throw new EvaluationFault('missing_some needs a number and a list');
  const absent = missing(paths, scope);
  return paths.length - absent.length >= readNumber(needed, scope.evaluation.budget) ? [] : absent;
};

/** Operators that take a list of values; a single value is a list of one. */
export const operators: Readonly<Record<string, Operator>> = {
  '*': arithmetic(0, (result, number) => result * number, 1),
  '/': divide,
  '%': arithmetic(2, (result, number) => result % number),
  max: extreme(Math.max),
  min: extreme(Math.min),
  in: contains,
  substr: part,
  merge,
  missing,
  missing_some: missingSome,
};

const add: UnaryOperator = (operand, scope) => sum(Array.isArray(operand) ? operand : [operand], scope);

const subtract: UnaryOperator = (operand, scope) => {
  const values = Array.isArray(operand) ? operand : [operand];
  return values.length === 1 ? difference([0, ...values], scope) : difference(values, scope);
};

const firstOf = (operand: unknown): unknown => (Array.isArray(operand) ? operand[0] : operand);

const concatenate: UnaryOperator = (operand, { evaluation: { budget } }) => {
  if (!Array.isArray(operand)) {
    if (operand === null || operand === undefined) throw new EvaluationFault('cat needs more than null');
    return toText(operand, budget);
  }
  budget.steps(operand.length);
  return concatenated(
    operand.filter((value) => value !== null && value !== undefined).map((value) => toText(value, budget)),
    budget,
  );
};

const variable: UnaryOperator = (operand, scope) => {
  const [path, unset] = Array.isArray(operand) ? operand : [operand];
  if (path === null || path === undefined || path === '') return scope.value;
  const found = lookUp(scope, toText(path, scope.evaluation.budget));
  return found === undefined ? (unset ?? null) : found;
};

/** Operators that take a value as it is: a list of one item stands for the item. */
export const unaryOperators: Readonly<Record<string, UnaryOperator>> = {
  '+': add,
  '-': subtract,
  '!': (operand) => !isTruthy(firstOf(operand)),
  '!!': (operand) => isTruthy(firstOf(operand)),
  cat: concatenate,
  var: variable,
};
