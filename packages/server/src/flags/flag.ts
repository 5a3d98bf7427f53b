/** One flag of a document in flagd's format: how it is read, and its value in a context. */

import { fill, flagFaultMessages, flagMessages } from '@holdfast/contract/messages';
import { isObject } from '../common/objects.ts';
import { Budget, BudgetSpent } from './rules/budget.ts';
import type { RuleCompiler } from './rules/compile.ts';
import { ruleFault } from './rules/rule-fault.ts';
import type { Rule } from './rules/scope.ts';
import { EvaluationFault, toText } from './rules/values.ts';

export interface Flag {
  readonly key: string;
  readonly isEnabled: boolean;
  readonly variants: Readonly<Record<string, unknown>>;
  /** Undefined: the client's code has the default. */
  readonly defaultVariant: string | undefined;
  /** Undefined: everybody gets the default. */
  readonly targeting: Rule | undefined;
}

/** The value of a flag, or the reason why it has none. */
export type Resolution =
  | { readonly kind: 'value'; readonly value: unknown; readonly variant: string; readonly reason: ValueReason }
  /** Left to the client's code. */
  | { readonly kind: 'no_value' }
  | { readonly kind: 'fault'; readonly message: string };

type ValueReason = 'STATIC' | 'DEFAULT' | 'TARGETING_MATCH';

/** Reads a flag. Throws `RuleFault` for an unusable one. */
export function readFlag(key: string, flag: unknown, compiler: RuleCompiler): Flag {
  if (!isObject(flag)) throw ruleFault(flagFaultMessages.notObject);
  const { state, variants, targeting } = flag;
  if (!isObject(variants)) throw ruleFault(flagFaultMessages.memberNotObject, { name: 'variants' });
  if (state !== 'ENABLED' && state !== 'DISABLED') throw ruleFault(flagFaultMessages.state);
  const defaultVariant = flag.defaultVariant || undefined;
  if (defaultVariant !== undefined && (typeof defaultVariant !== 'string' || !Object.hasOwn(variants, defaultVariant))) {
    throw ruleFault(flagFaultMessages.defaultVariant);
  }
  return { key, isEnabled: state === 'ENABLED', variants, defaultVariant, targeting: readTargeting(targeting, compiler) };
}

function readTargeting(targeting: unknown, compiler: RuleCompiler): Rule | undefined {
  if (targeting === undefined || targeting === null) return undefined;
  if (!isObject(targeting)) throw ruleFault(flagFaultMessages.memberNotObject, { name: 'targeting' });
  return Object.keys(targeting).length === 0 ? undefined : compiler.compile(targeting);
}

/** The context of a request. Each flag sets `$flagd` in it: a copy for each flag would take longer than most rules. */
export interface FlagContext {
  readonly [name: string]: unknown;
  $flagd?: { readonly flagKey: string; readonly timestamp: number };
}

/** Returns the result of an enabled flag in a context, whose `$flagd` it sets. `now` is in milliseconds since the epoch. */
export function resolveFlag(flag: Flag, context: FlagContext, now: number): Resolution {
  const { key, variants, defaultVariant, targeting } = flag;
  if (targeting === undefined) return resolved(flag, defaultVariant, 'STATIC');
  const budget = new Budget();
  context.$flagd = { flagKey: key, timestamp: Math.floor(now / 1000) };
  try {
    const evaluation = { budget, flagKey: key, context };
    const result = targeting({ evaluation, value: context, list: undefined, outer: undefined });
    if (result === null || result === undefined) return resolved(flag, defaultVariant, 'DEFAULT');
    const variant = toText(result, budget);
    if (Object.hasOwn(variants, variant)) return resolved(flag, variant, 'TARGETING_MATCH');
    return { kind: 'fault', message: fill(flagMessages.noVariant, { name: JSON.stringify(variant.slice(0, 64)) }) };
  } catch (error) {
    if (error instanceof BudgetSpent) return { kind: 'fault', message: flagMessages.tooSlow };
    if (error instanceof EvaluationFault)
      return { kind: 'fault', message: fill(flagMessages.evaluation, { reason: error.message }) };
    throw error;
  }
}

function resolved({ variants }: Flag, variant: string | undefined, reason: ValueReason): Resolution {
  return variant === undefined ? { kind: 'no_value' } : { kind: 'value', value: variants[variant], variant, reason };
}
