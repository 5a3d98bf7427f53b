/**
 * Rules of change: limits on how a player's write may change the values of a user state. They are schema members such as `x-write`, allowed
 * only where no write can escape them: on the path from the root through `properties`, `items`, `prefixItems`, `additionalProperties` and
 * local references. Position alone therefore decides which rules apply, whatever the document contains.
 *
 * @see docs/contract.md §5.6
 */
import { schemaFaultMessages, shownNumber } from '@holdfast/contract/messages';
import { type JsonObject, type JsonValue, printJson } from '@holdfast/json';
import { isNumber, isPositive, type Limit, limitOf } from './decimal.ts';
import type { Pattern } from './pattern.ts';

/** How far a number may move in one write, and how messages show that. */
interface Step {
  readonly limit: Limit;
  readonly shown: string;
}

/** The rules of one value. Like all types here, plain data. */
export interface Rules {
  readonly location: string;
  readonly isServers: boolean;
  readonly increaseMax: Step | undefined;
  readonly decreaseMax: Step | undefined;
  readonly isAppendOnly: boolean;
}

/** The rules of one schema and of its subschemas. */
export interface RuleNode {
  rules: Rules | undefined;
  /** The node of the referenced schema, which applies to the same value. */
  referred: RuleNode | undefined;
  readonly properties: Map<string, RuleNode>;
  /** Rules for members that the schema neither names nor matches. */
  others: RuleNode | undefined;
  /** The names in its `properties`, and its `patternProperties`: `others` does not apply to their members. */
  readonly names: ReadonlySet<string>;
  readonly patterns: readonly Pattern[];
  readonly prefix: (RuleNode | undefined)[];
  /** Rules for items after the prefix. */
  items: RuleNode | undefined;
}

/** The keywords of the rules. */
export const ruleNames = ['x-write', 'x-increase-max', 'x-decrease-max', 'x-append-only'] as const;
export type RuleName = (typeof ruleNames)[number];

export const ruleNamesIn = (schema: JsonObject): RuleName[] => ruleNames.filter((name) => Object.hasOwn(schema, name));

/** Returns what is wrong with a rule's value; undefined if it is valid. */
export function ruleFault(name: RuleName, value: JsonValue | undefined) {
  switch (name) {
    case 'x-write':
      return value === 'server' ? undefined : schemaFaultMessages.server;
    case 'x-append-only':
      return value === true ? undefined : schemaFaultMessages.true;
    default:
      return isNumber(value) && isPositive(limitOf(value), true) ? undefined : schemaFaultMessages.notNegative;
  }
}

/** Returns a schema's own rules, already checked by {@link ruleFault}; undefined if it has none. */
export function readRules(schema: JsonObject, location: string): Rules | undefined {
  if (ruleNamesIn(schema).length === 0) return undefined;
  const { 'x-write': write, 'x-increase-max': increase, 'x-decrease-max': decrease, 'x-append-only': appendOnly } = schema;
  return {
    location,
    isServers: write === 'server',
    increaseMax: stepOf(increase),
    decreaseMax: stepOf(decrease),
    isAppendOnly: appendOnly === true,
  };
}

function stepOf(value: JsonValue | undefined): Step | undefined {
  if (!isNumber(value)) return undefined;
  return { limit: limitOf(value), shown: shownNumber(printJson(value)) };
}
