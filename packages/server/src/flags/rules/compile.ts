/**
 * Compiles a rule from JSON to functions. Rules may use only the operators of flagd. The contents of `$evaluators` are compiled once,
 * however often a document refers to them.
 *
 * @see https://flagd.dev/reference/flag-definitions/
 */

import { flagFaultMessages } from '@holdfast/contract/messages';
import { isObject } from '../../common/objects.ts';
import { quoted } from '../../common/text/quoted.ts';
import { controlOperators } from './control.ts';
import { flagdOperators } from './flagd-operators.ts';
import { operators, unaryOperators } from './operators.ts';
import { RuleFault, ruleFault } from './rule-fault.ts';
import type { Rule } from './scope.ts';
import { EvaluationFault } from './values.ts';

/** A document has at most 256 levels. References may add the same number. */
const levelsMax = 512;
/** Parts that a rule may have, including those it refers to. */
const referredNodesMax = 100_000;

interface Compiled {
  readonly rule: Rule;
  /** The items of a list that is written in the rule. */
  readonly items: readonly Compiled[] | undefined;
  readonly levels: number;
  /** Parts that come by reference, and all parts. */
  readonly referred: number;
  readonly nodes: number;
}

/** An entry of `$evaluators` that is not a rule. */
interface Failed {
  readonly fault: RuleFault;
  /** The level of the reference. A part that is too deep there may be allowed further up. */
  readonly level: number;
}

const listOperators = { ...operators, ...flagdOperators };

/** Compiles the rules of one document. */
export class RuleCompiler {
  readonly #evaluators: Readonly<Record<string, unknown>>;
  readonly #referred = new Map<string, Compiled | Failed | 'under way'>();

  /** `evaluators` is the member `$evaluators` of a document, of whatever type. */
  constructor(evaluators: unknown) {
    this.#evaluators = isObject(evaluators) ? evaluators : {};
  }

  /** Returns the function that evaluates a rule. Throws `RuleFault` for anything else. */
  compile(rule: unknown): Rule {
    return this.#compile(rule, 0).rule;
  }

  #compile(part: unknown, level: number): Compiled {
    if (level > levelsMax) throw tooDeep();
    if (Array.isArray(part)) return this.#list(part, level);
    if (!isObject(part)) return leaf(() => part);
    const [[name, operand] = ['', undefined], ...others] = Object.entries(part);
    if (others.length > 0) throw ruleFault(flagFaultMessages.members);
    if (name === '$ref') return this.#refer(operand, level);
    if (!isOperator(name)) throw ruleFault(flagFaultMessages.operator, { name: shown(name) });
    const compiled = this.#compile(operand, level + 1);
    return combined([compiled], paid(ruleOf(name, compiled)));
  }

  #list(parts: readonly unknown[], level: number): Compiled {
    const items = parts.map((each) => this.#compile(each, level + 1));
    return { ...combined(items, listRule(parts, items)), items };
  }

  #refer(name: unknown, level: number): Compiled {
    if (typeof name !== 'string' || !Object.hasOwn(this.#evaluators, name)) {
      throw ruleFault(flagFaultMessages.evaluator, { name: shown(name) });
    }
    const known = this.#referred.get(name);
    if (known === 'under way') throw tooDeep();
    const isKnownToFail = known !== undefined && 'fault' in known && known.level <= level;
    if (isKnownToFail) throw known.fault;
    const compiled = known === undefined || 'fault' in known ? this.#compileReferred(name, level) : known;
    const { nodes, levels } = compiled;
    if (nodes > referredNodesMax) throw ruleFault(flagFaultMessages.references, { count: referredNodesMax });
    if (level + levels > levelsMax) throw tooDeep();
    return { ...compiled, levels: levels + 1, referred: nodes };
  }

  #compileReferred(name: string, level: number): Compiled {
    this.#referred.set(name, 'under way');
    try {
      const compiled = this.#compile(this.#evaluators[name], level + 1);
      this.#referred.set(name, compiled);
      return compiled;
    } catch (error) {
      if (error instanceof RuleFault) this.#referred.set(name, { fault: error, level });
      throw error;
    }
  }
}

/** A list of only strings, numbers and the like stays as written: a rule for each would take twenty times the memory. */
function listRule(parts: readonly unknown[], items: readonly Compiled[]): Rule {
  const rules = parts.every(isPlain) ? undefined : items.map(({ rule }) => rule);
  return (scope) => {
    scope.evaluation.budget.items(parts.length);
    return rules === undefined ? parts : rules.map((each) => each(scope));
  };
}

const isPlain = (part: unknown): boolean => typeof part !== 'object' || part === null;

const tooDeep = () => ruleFault(flagFaultMessages.levels);

const leaf = (rule: Rule): Compiled => ({ rule, items: undefined, levels: 0, referred: 0, nodes: 1 });

function combined(parts: readonly Compiled[], rule: Rule): Compiled {
  const levels = 1 + parts.reduce((most, part) => Math.max(most, part.levels), 0);
  const referred = parts.reduce((sum, part) => sum + part.referred, 0);
  const nodes = parts.reduce((sum, part) => sum + part.nodes, 1);
  if (referred > referredNodesMax) throw ruleFault(flagFaultMessages.references, { count: referredNodesMax });
  return { rule, items: undefined, levels, referred, nodes };
}

const paid =
  (rule: Rule): Rule =>
  (scope) => {
    scope.evaluation.budget.steps(1);
    return rule(scope);
  };

/** The names of all operators but `$ref`. */
export const operatorNames: readonly string[] = Object.keys({ ...controlOperators, ...unaryOperators, ...listOperators });

const isOperator = (name: string): boolean => operatorNames.includes(name);

function ruleOf(name: string, operand: Compiled): Rule {
  const control = controlOperators[name];
  if (control !== undefined) return operand.items === undefined ? withoutList(name) : control(rulesOf(operand.items));
  const unary = unaryOperators[name];
  if (unary !== undefined) {
    const { rule } = onlyItemOf(operand) ?? operand;
    return (scope) => unary(rule(scope), scope);
  }
  const operator = listOperators[name];
  if (operator === undefined) throw ruleFault(flagFaultMessages.operator, { name: shown(name) });
  const { rule } = operand; // its items are not kept
  return (scope) => {
    const values = rule(scope);
    return operator(Array.isArray(values) ? values : [values], scope);
  };
}

const rulesOf = (items: readonly Compiled[]): readonly Rule[] => items.map(({ rule }) => rule);

/** The item of a list of one, unless it is itself a list. */
function onlyItemOf({ items }: Compiled): Compiled | undefined {
  const [item, ...others] = items ?? [];
  return item !== undefined && others.length === 0 && item.items === undefined ? item : undefined;
}

/** Operators that choose among their arguments need them in a list that is written in the rule. */
const withoutList =
  (name: string): Rule =>
  () => {
    throw new EvaluationFault(`${name} needs a list`);
  };

const shown = (name: unknown): string => quoted(typeof name === 'string' ? name : typeof name);
