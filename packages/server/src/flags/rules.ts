/**
 * Rules of flags are a stranger's input for the rule engine. They may name the operators of flagd and nothing else: the engine would
 * also take names that every JavaScript object inherits, and operators that print.
 *
 * @see https://flagd.dev/reference/flag-definitions/
 */

/** Rules that stand in for `$ref` in one document: what comes in by reference can grow without bound otherwise. */
const referredNodesMax = 100_000;
/** A document has at most 256 levels. References may add as many. */
const levelsMax = 512;

const operators: ReadonlySet<string> = new Set([
  ...['var', 'missing', 'missing_some', 'if', '?:', '==', '===', '!=', '!==', '!', '!!', 'or', 'and'],
  ...['>', '>=', '<', '<=', 'max', 'min', '+', '-', '*', '/', '%', 'map', 'filter', 'reduce', 'all', 'none', 'some'],
  ...['merge', 'in', 'cat', 'substr', 'fractional', 'sem_ver', 'starts_with', 'ends_with'],
]);

/** Says what is wrong with a rule, in words for the developer. */
export class RuleFault extends Error {}

/** What `$ref` can name in a document. */
export class Evaluators {
  readonly #rules: Readonly<Record<string, unknown>>;
  #nodesLeft = referredNodesMax;

  /** `rules` is the member `$evaluators` of a document, whatever it is. */
  constructor(rules: unknown) {
    this.#rules = isObject(rules) ? rules : {};
  }

  /** Returns a copy of a rule with references replaced. Throws `RuleFault` for what is none. */
  resolve(rule: unknown): unknown {
    return this.#copy(rule, 0, false);
  }

  #copy(rule: unknown, level: number, isReferred: boolean): unknown {
    if (level > levelsMax) throw new RuleFault('it is nested too deeply, or refers to itself');
    if (isReferred && --this.#nodesLeft < 0) throw new RuleFault(`more than ${referredNodesMax} nodes come by $ref`);
    if (Array.isArray(rule)) return rule.map((part) => this.#copy(part, level + 1, isReferred));
    if (!isObject(rule)) return rule;
    const [[name, operand] = ['', undefined], ...others] = Object.entries(rule);
    if (others.length > 0) throw new RuleFault('an object with more than one member is no rule');
    if (name === '$ref') return this.#refer(operand, level);
    if (!operators.has(name)) throw new RuleFault(`there is no operator ${shown(name)}`);
    return { [name]: this.#copy(operand, level + 1, isReferred) };
  }

  #refer(name: unknown, level: number): unknown {
    if (typeof name === 'string' && Object.hasOwn(this.#rules, name)) {
      return this.#copy(this.#rules[name], level + 1, true);
    }
    throw new RuleFault(`$evaluators has no ${shown(name)}`);
  }
}

/** Whether a JSON value is an object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shown = (name: unknown): string => JSON.stringify(typeof name === 'string' ? name.slice(0, 64) : typeof name);
