/** Rules have the same meaning as in flagd: compared with its library, operator by operator. */
import { FeatureFlag, type Flag } from '@openfeature/flagd-core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Budget } from './budget.ts';
import { RuleCompiler } from './compile.ts';
import { EvaluationFault, toText } from './values.ts';

type Rule = unknown;
type Context = Readonly<Record<string, unknown>>;

const flagKey = 'flag';
const silent = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };

/** The text of a rule's result, `null`, or `fault`. */
function ours(rule: Rule, context: Context): string | null {
  const budget = new Budget();
  const value = { ...context, $flagd: { flagKey, timestamp: 0 } };
  try {
    const compiled = new RuleCompiler({}).compile(rule);
    const result = compiled({ evaluation: { budget, flagKey, context: value }, value, list: undefined, outer: undefined });
    return result === null || result === undefined ? null : `"${toText(result, budget)}"`;
  } catch (error) {
    if (error instanceof EvaluationFault) return 'fault';
    throw error;
  }
}

/** The same from the library, whose message contains a name that no variant has. */
function theirs(rule: Rule, context: Context): string | null {
  const flag = { state: 'ENABLED', variants: {}, targeting: rule } as unknown as Flag;
  const made = new FeatureFlag(flagKey, flag, silent, { disableDynamicCodeGeneration: true });
  let resolution: ReturnType<typeof made.evaluate>;
  try {
    resolution = withoutNestedTexts(() => made.evaluate(context as never));
  } catch {
    return 'fault';
  }
  const { reason, errorMessage = '' } = resolution;
  if (reason === 'DEFAULT') return null;
  const [, text] = /^Variant '(.*)' not found/s.exec(errorMessage) ?? [];
  return text === undefined || text === 'NaN' ? 'fault' : `"${text}"`;
}

const context: Context = {
  targetingKey: 'ada',
  zero: 0,
  one: 1,
  two: 2.5,
  minus: -3,
  no: false,
  yes: true,
  nothing: null,
  empty: '',
  text: 'abc',
  number: '12',
  mail: 'ada@studio.example',
  version: '1.2.3',
  older: 'v1.1',
  list: [1, 2, 3],
  texts: ['a', 'abc', '12'],
  mixed: [0, '', null, 'b', true],
  none: [],
  pairs: [
    { name: 'a', n: 1 },
    { name: 'b', n: 2 },
  ],
  record: { name: 'x', inner: { deep: 'd' }, 'dotted.name': 7 },
  bare: {},
  fields: ['text', 'absent', 'record.inner.deep', 'record.none'],
  weights: 25,
};
const names = Object.keys(context);

/** A rule contains a literal only where it must: the library evaluates constant parts beforehand, even unreachable ones. */
const variable = fc.constantFrom(...names, 'absent').map((name) => ({ var: name }));
const paths = fc.constantFrom(
  'record.name',
  'record.inner.deep',
  'record.inner.none',
  'record.dotted\\.name',
  'pairs.1.name',
  'list.0',
  'none.0',
  'text.length',
  'none.length',
  'record.inner.deep.more',
);
const leaf = fc.oneof(
  { weight: 4, arbitrary: variable },
  paths.map((path) => ({ var: path })),
  fc.tuple(fc.constantFrom('absent', 'text', 'nothing'), variable).map(([name, unset]) => ({ var: [name, unset] })),
);
const scalar = fc
  .constantFrom('zero', 'one', 'two', 'minus', 'yes', 'nothing', 'text', 'number', 'version', 'older', 'absent')
  .map((name) => ({ var: name }));
const versionOperator = fc.constantFrom('=', '!=', '<', '<=', '>=', '>', '^', '~', '?');
const inItem = fc.oneof(
  fc.constantFrom('', 'name', 'n', '../index', '../../text', '../../list', '../../../index').map((path) => ({ var: path })),
);
/** A short cut of the library takes any member of `false` and 0 to be `false` and 0; its other code does not. */
const memberOfCurrent = { if: [{ var: 'current' }, { var: 'current.n' }, { var: 'absent' }] };
const inReduce = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('current', 'accumulator', '../../one').map((path) => ({ var: path })) },
  fc.constant(memberOfCurrent),
);

/** For these the library has a short cut, which fails without a list. Its other code treats nothing as an empty list. */
const operandOfSum = String.raw`\{"var":"(?:accumulator|current)"\}`;
const isSumOfList = new RegExp(String.raw`^\{"[+*]":\[${operandOfSum},${operandOfSum}\]\}$`);

const many = (min: number, max: number, arbitrary: fc.Arbitrary<Rule>) =>
  fc.array(arbitrary, { minLength: min, maxLength: max });
const named = (operators: readonly string[], operand: fc.Arbitrary<unknown>) =>
  fc.tuple(fc.constantFrom(...operators), operand).map(([operator, operands]) => ({ [operator]: operands }));

const eager = ['+', '*', '/', '%', 'max', 'min', 'merge', 'cat', '!', '!!', 'missing'];
const comparisons = ['==', '===', '!=', '!==', '<', '<=', '>', '>='];

/** Rules over these leaves. The library's own operators fail in a list, so `isInItem` leaves them out. */
function rulesOver(leaves: fc.Arbitrary<Rule>, depth: number, isInItem: boolean): fc.Arbitrary<Rule> {
  if (depth === 0) return leaves;
  const inner = rulesOver(leaves, depth - 1, isInItem);
  const common = [
    { weight: 2, arbitrary: leaves },
    { weight: 3, arbitrary: named(eager, fc.oneof(many(1, 3, inner), inner)) },
    { weight: 1, arbitrary: named(['-'], many(2, 3, inner)) },
    { weight: 3, arbitrary: named(comparisons, many(2, 3, inner)) },
    { weight: 2, arbitrary: named(['if', '?:', 'and', 'or'], many(1, 4, inner)) },
    { weight: 1, arbitrary: named(['in'], fc.tuple(inner, inner)) },
    { weight: 1, arbitrary: named(['substr'], fc.tuple(inner, scalar, scalar)) },
    { weight: 1, arbitrary: named(['missing_some'], fc.tuple(scalar, fc.constant({ var: 'fields' }))) },
  ];
  if (isInItem) return fc.oneof(...common);
  const ofItems = rulesOver(inItem, depth - 1, true);
  const ofReduce = rulesOver(inReduce, depth - 1, true).filter((rule) => !isSumOfList.test(JSON.stringify(rule)));
  return fc.oneof(
    ...common,
    { weight: 3, arbitrary: named(['map', 'filter', 'some', 'all', 'none'], fc.tuple(inner, ofItems)) },
    { weight: 2, arbitrary: named(['reduce'], fc.tuple(inner, ofReduce, leaf)) },
    { weight: 2, arbitrary: named(['starts_with', 'ends_with'], many(1, 3, inner)) },
    {
      weight: 2,
      arbitrary: named(['sem_ver'], fc.tuple(scalar, versionOperator, scalar)),
    },
    { weight: 2, arbitrary: named(['fractional'], many(1, 3, many(1, 2, leaf))) },
    { weight: 1, arbitrary: named(['fractional'], fc.tuple(inner, many(1, 2, leaf), many(2, 2, leaf))) },
  );
}

/** The library turns any list of lists into a string; here that is a fault, since no variant has such a name. */
function withoutNestedTexts<Result>(work: () => Result): Result {
  const original = Array.prototype.toString;
  Array.prototype.toString = function (this: unknown[]) {
    if (this.some(Array.isArray)) throw new TypeError('a list of lists');
    return this.join(',');
  };
  try {
    return work();
  } finally {
    Array.prototype.toString = original;
  }
}

describe('rules', () => {
  test('give the same result as flagd', () => {
    const runs = Number(process.env.HOLDFAST_FLAG_RULES ?? 5_000);
    fc.assert(
      fc.property(rulesOver(leaf, 3, false), (rule) => {
        fc.pre(typeof rule === 'object' && rule !== null && !Array.isArray(rule));
        expect(ours(rule, context)).toBe(theirs(rule, context));
      }),
      { numRuns: runs },
    );
  });
});
