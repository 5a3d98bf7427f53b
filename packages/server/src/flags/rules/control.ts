/** Operators that decide which of their arguments are evaluated, how often, and with what. */
import type { Budget } from './budget.ts';
import type { Rule, Scope } from './scope.ts';
import { EvaluationFault, isTruthy, toNumber } from './values.ts';

/** Makes the rule of an operator from the rules of its arguments. */
export type ControlOperator = (rules: readonly Rule[]) => Rule;

const nothing: Rule = () => null;

const choose: ControlOperator = (rules) => {
  const [only] = rules;
  if (only !== undefined && rules.length === 1) return only;
  return (scope) => {
    for (let at = 0; at + 1 < rules.length; at += 2) {
      if (isTruthy(rules[at]?.(scope))) return rules[at + 1]?.(scope);
    }
    return rules.length % 2 === 1 ? rules.at(-1)?.(scope) : null;
  };
};

const firstWhere =
  (isFound: (value: unknown) => boolean): ControlOperator =>
  (rules) =>
  (scope) => {
    let value: unknown = null;
    for (const rule of rules) {
      value = rule(scope);
      if (isFound(value)) break;
    }
    return value;
  };

type Comparison = (one: unknown, other: unknown) => boolean;

/** Each value is compared with the next. */
const chain =
  (compare: (one: unknown, other: unknown, budget: Budget) => boolean): ControlOperator =>
  (rules) => {
    const [first, ...others] = rules;
    return (scope) => {
      if (first === undefined || others.length === 0) throw new EvaluationFault('a comparison needs two values');
      let one = first(scope);
      for (const rule of others) {
        const other = rule(scope);
        if (!compare(one, other, scope.evaluation.budget)) return false;
        one = other;
      }
      return true;
    };
  };

const isTextOrNull = (value: unknown): value is string | null => typeof value === 'string' || value === null;

function readTexts(one: unknown, other: unknown, budget: Budget): void {
  if (typeof one === 'string' && typeof other === 'string') budget.read(Math.min(one.length, other.length));
}

/** Strings are compared as strings, everything else as numbers. */
const loosely = (compare: Comparison): ControlOperator =>
  chain((one, other, budget) => {
    readTexts(one, other, budget);
    return isTextOrNull(one) && isTextOrNull(other)
      ? compare(one, other)
      : compare(toNumber(one, budget), toNumber(other, budget));
  });

const strictly = (compare: Comparison): ControlOperator =>
  chain((one, other, budget) => {
    readTexts(one, other, budget);
    return compare(one, other);
  });

/** JavaScript's comparisons, after {@link loosely} has made both sides alike. */
const less = (one: unknown, other: unknown) => (one as number) < (other as number);
const atMost = (one: unknown, other: unknown) => (one as number) <= (other as number);

/** The scope of an item of a list. */
const within = (outer: Scope, value: unknown, list: unknown): Scope => {
  outer.evaluation.budget.steps(1);
  return { evaluation: outer.evaluation, value, list, outer };
};

/** A list; an empty or absent value is an empty one. */
function listOf(value: unknown): readonly unknown[] {
  if (!value) return [];
  if (Array.isArray(value)) return value;
  throw new EvaluationFault('an operator for lists needs a list');
}

/** Makes a new list from the items of another. */
const listed =
  (make: (list: readonly unknown[], ruleAt: (item: unknown, index: number) => unknown) => unknown[]): ControlOperator =>
  ([source = nothing, rule = nothing]) =>
  (scope) => {
    const list = listOf(source(scope));
    scope.evaluation.budget.items(list.length);
    return make(list, (item, index) => rule(within(scope, item, { iterator: list, index })));
  };

/** Whether a rule holds for one item of a list, or one character of a string. */
const someItem =
  (whenEmpty: boolean, wanted: boolean): ControlOperator =>
  ([source = nothing, rule = nothing]) =>
  (scope) => {
    const list = source(scope) || [];
    if (!Array.isArray(list) && typeof list !== 'string') return false;
    if (list.length === 0) return whenEmpty;
    for (let at = 0; at < list.length; at++) {
      if (isTruthy(rule(within(scope, list[at], list))) === wanted) return true;
    }
    return false;
  };

const not =
  (operator: ControlOperator): ControlOperator =>
  (rules) => {
    const rule = operator(rules);
    return (scope) => !rule(scope);
  };

const some = someItem(false, true);

const reduce: ControlOperator =
  ([source = nothing, rule = nothing, start]) =>
  (scope) => {
    const first = start && flat(start(scope), scope);
    const list = listOf(source(scope));
    if (start === undefined && list.length === 0) throw new EvaluationFault('reduce needs a start value for an empty list');
    let accumulator: unknown = start === undefined ? list[0] : first;
    for (let at = start === undefined ? 1 : 0; at < list.length; at++) {
      accumulator = flat(rule(within(scope, { accumulator, current: list[at] }, list)), scope);
    }
    return accumulator;
  };

/** A value that contains no list or object, so that an accumulator cannot grow inwards. Throws `EvaluationFault`. */
function flat(value: unknown, { evaluation: { budget } }: Scope): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const members = Array.isArray(value) ? value : Object.values(value);
  budget.steps(members.length);
  if (members.some((member) => typeof member === 'object' && member !== null)) {
    throw new EvaluationFault('an accumulator can hold only texts, numbers, booleans and null');
  }
  return value;
}

export const controlOperators: Readonly<Record<string, ControlOperator>> = {
  if: choose,
  '?:': choose,
  or: firstWhere(isTruthy),
  and: firstWhere((value) => !isTruthy(value)),
  '==': loosely((one, other) => one === other),
  '!=': loosely((one, other) => one !== other),
  '<': loosely(less),
  '<=': loosely(atMost),
  '>': loosely((one, other) => less(other, one)),
  '>=': loosely((one, other) => atMost(other, one)),
  '===': strictly((one, other) => one === other),
  '!==': strictly((one, other) => one !== other),
  map: listed((list, ruleAt) => list.map(ruleAt)),
  filter: listed((list, ruleAt) => list.filter((item, index) => isTruthy(ruleAt(item, index)))),
  some,
  none: not(some),
  all: not(someItem(true, false)),
  reduce,
};
