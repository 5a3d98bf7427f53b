/** No rule creates more than its budget allows. */

import { flagMessages } from '@holdfast/contract/messages';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FlagDocument } from '../document.ts';
import { evaluateFlags } from '../evaluate.ts';
import { hostileContext, hostileFamilies } from '../hostile-rules.fixture.ts';
import { Budget, BudgetSpent, charactersMax, itemsMax } from './budget.ts';
import { operatorNames, RuleCompiler } from './compile.ts';
import { EvaluationFault } from './values.ts';

const onOff = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'off' };
const body = Buffer.from(JSON.stringify({ context: { ...hostileContext, targetingKey: 'ada' } }));

/** The result of a rule, or its refusal. */
function outcomeOf(rule: unknown): unknown {
  const value = { ...hostileContext, targetingKey: 'ada' };
  const evaluation = { budget: new Budget(), flagKey: 'flag', context: value };
  try {
    return new RuleCompiler({}).compile(rule)({ evaluation, value, list: undefined, outer: undefined });
  } catch (error) {
    if (error instanceof BudgetSpent || error instanceof EvaluationFault) return error;
    throw error;
  }
}

/** Characters and items of a value that is written out. Stops over the maximum. */
function sizeOf(value: unknown): number {
  let size = 0;
  const rest = [value];
  while (rest.length > 0 && size <= charactersMax + itemsMax) {
    const next = rest.pop();
    if (typeof next === 'string') size += next.length;
    if (Array.isArray(next)) {
      size += next.length;
      rest.push(...next.slice(0, itemsMax));
    }
  }
  return size;
}

/** The rules exceed the budget or the limit on references. */
const refusal = new RegExp(`^(GENERAL: ${flagMessages.tooSlow}|PARSE_ERROR: .*(\\$ref adds|too deeply).*)$`);

describe.each(hostileFamilies)('$name', ({ rules, evaluators = {} }) => {
  test.each(Object.keys(rules))('%s', (key) => {
    const flag = { ...onOff, targeting: rules[key] };
    const document = new FlagDocument(JSON.stringify({ flags: { [key]: flag }, $evaluators: evaluators }));
    const outcome = evaluateFlags(document, { body, key, targetingKey: undefined, at: 0, skipped: [] }, () => {});
    const fault = outcome.kind === 'failed' && `${outcome.errorCode}: ${outcome.message}`;
    expect(fault).toMatch(refusal);
  });
});

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
const accumulator = { var: 'accumulator' };
const text = { var: 'text' };
const list = { var: 'list' };

describe('every operator stays within its budget', () => {
  test.each(operatorNames)('%s, applied repeatedly to its own result', (name) => {
    for (const start of ['a', text, list, 1]) {
      for (const operands of [
        [accumulator, accumulator],
        [accumulator, list],
        [accumulator, text, text],
        [[accumulator], text],
      ]) {
        const outcome = outcomeOf({ reduce: [numbers(60), { [name]: operands }, start] });
        expect(sizeOf(outcome)).toBeLessThanOrEqual(charactersMax + itemsMax);
      }
    }
  });

  test.each(operatorNames)('%s of large values, for each item of nested lists', (name) => {
    const [ofText, ofList] = [{ var: '../../../../text' }, { var: '../../../../list' }];
    for (const operands of [[ofText, ofText], [ofList, ofList], ofList, [ofList, { var: '' }, ofList], ['x', [ofList]]]) {
      const rule = { map: [list, { map: [{ var: '../../list' }, { [name]: operands }] }] };
      expect(outcomeOf(rule)).toBeInstanceOf(Error); // a million times
    }
  });

  test('in any order: no result is larger than the budget', () => {
    const rule = fc.letrec<{ rule: unknown }>((tie) => ({
      rule: fc.oneof(
        { maxDepth: 5, depthSize: 'large' },
        fc.constantFrom<unknown>(text, list, accumulator, { var: '' }, { var: 'current' }, { var: '../../list' }, 3, 'a'),
        fc
          .tuple(
            fc.constantFrom(...operatorNames, 'cat', 'merge', 'map', 'reduce'),
            fc.array(tie('rule'), { maxLength: 3 }),
          )
          .map(([name, operands]) => ({ [name]: operands })),
      ),
    })).rule;
    fc.assert(
      fc.property(rule, (one) => {
        expect(sizeOf(outcomeOf({ reduce: [numbers(40), one, 'a'] }))).toBeLessThanOrEqual(charactersMax + itemsMax);
      }),
      { numRuns: Number(process.env.HOLDFAST_FLAG_RULES ?? 2_000) },
    );
  });
});
