/** The data that a rule can read: the context, or an item of a list and its surroundings. */
import type { Budget } from './budget.ts';
import { partsOf, valueAt } from './values.ts';

/** One evaluation of a flag. */
interface Evaluation {
  readonly budget: Budget;
  readonly flagKey: string;
  /** The context of the request, with `$flagd`. */
  readonly context: Readonly<Record<string, unknown>>;
}

export interface Scope {
  readonly evaluation: Evaluation;
  /** The target of `var`: the context, or the item of a list. */
  readonly value: unknown;
  /** The target of `../` from an item: its list, or `{iterator, index}`. */
  readonly list: unknown;
  /** The target of `../../` from an item. */
  readonly outer: Scope | undefined;
}

export type Rule = (scope: Scope) => unknown;

/** Returns the value at a path, or undefined. Each `../` leads outwards: from an item to its list, and from a list to its surroundings. */
export function lookUp(scope: Scope, path: string): unknown {
  const { budget } = scope.evaluation;
  budget.read(path.length);
  let here: Scope | undefined = scope;
  let isAtList = false;
  let rest = path;
  while (rest.startsWith('../') && here !== undefined) {
    if (here.outer === undefined && !isAtList) return undefined;
    if (isAtList) here = here.outer;
    isAtList = !isAtList;
    rest = rest.slice(3);
    budget.steps(1);
  }
  if (here === undefined) return undefined;
  const start = isAtList ? here.list : here.value;
  return rest === '' ? start : valueAt(start, partsOf(rest, budget));
}
