/** The cost of a flag besides its own rules, if there are many flags. */
import { expect, test } from 'vitest';
import { readFlag, resolveFlag } from './flag.ts';
import { RuleCompiler } from './rules/compile.ts';
import { RuleFault } from './rules/rule-fault.ts';

const onOff = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'off' };
const refersTo = (name: string) => ({ ...onOff, targeting: { '!': [{ $ref: name }] } });

test('an invalid evaluator is read once, however many flags refer to it', () => {
  let reads = 0;
  const compiler = new RuleCompiler({
    get wrong() {
      reads += 1;
      return { and: [{ unknown: 1 }] };
    },
  });
  for (let flag = 0; flag < 100; flag++) {
    expect(() => readFlag('a', refersTo('wrong'), compiler)).toThrow(RuleFault);
  }
  expect(reads).toBe(1);
});

test('an evaluator too deep for one flag still works for flags that refer to it higher up', () => {
  const nested = (levels: number, innermost: unknown): unknown =>
    levels === 0 ? innermost : { '!': [nested(levels - 1, innermost)] };
  const compiler = new RuleCompiler({ deep: nested(120, true) });
  const tooDeep = { ...onOff, targeting: nested(200, { $ref: 'deep' }) };
  expect(() => readFlag('a', tooDeep, compiler)).toThrow('nested too deeply');
  expect(() => readFlag('a', refersTo('deep'), compiler)).not.toThrow();
  expect(() => readFlag('a', tooDeep, compiler)).toThrow('nested too deeply');
});

test('the request context is not copied for each flag', () => {
  let copies = 0;
  const context = new Proxy<Record<string, unknown>>(
    { plan: 'gold' },
    {
      ownKeys(target) {
        copies += 1;
        return Reflect.ownKeys(target);
      },
    },
  );
  const rule = { if: [{ '==': [{ var: 'plan' }, 'gold'] }, { var: '$flagd.flagKey' }, null] };
  const variants = { a: 1, b: 2 };
  for (const key of ['a', 'b'] as const) {
    const flag = readFlag(key, { state: 'ENABLED', variants, targeting: rule }, new RuleCompiler({}));
    expect(resolveFlag(flag, context, 0)).toMatchObject({ kind: 'value', value: variants[key] });
  }
  expect(copies).toBe(0);
});

test.each([
  ['1.2.3', '=', '1.2.3', true],
  ['1.2.3', '=', '1.2.4', false],
  ['1.2.3', '!=', '1.2.4', true],
  ['1.2.3', '!=', '1.2.3', false],
  ['1.2.3', '<', '1.2.3', false],
  ['1.2.3-beta', '<', '1.2.3', true],
  ['1.2.3', '<=', '1.2.3', true],
  ['1.2.4', '<=', '1.2.3', false],
  ['1.10.0', '>', '1.9.0', true],
  ['1.2.3', '>', '1.2.3', false],
  ['1.2.3', '>=', '1.2.3', true],
  ['1.2.2', '>=', '1.2.3', false],
  ['1.9.0', '^', '1.2.3', true],
  ['2.2.3', '^', '1.2.3', false],
  ['1.2.9', '~', '1.2.3', true],
  ['1.3.3', '~', '1.2.3', false],
])('the version %s %s %s: %s', (version, operator, other, isSo) => {
  const targeting = { if: [{ sem_ver: [version, operator, other] }, 'on', 'off'] };
  expect(resolveFlag(readFlag('a', { ...onOff, targeting }, new RuleCompiler({})), {}, 0)).toMatchObject({ value: isSo });
});

test.each([
  ['+', [1, 2, 4], 7],
  ['-', [9, 2, 4], 3],
  ['*', [2, 3, 4], 24],
  ['/', [24, 2, 3], 4],
  ['%', [17, 10, 4], 3],
  ['max', [1, 4, 2], 4],
  ['min', [4, 1, 2], 1],
])('%s of %j is %d', (operator, values, result) => {
  const targeting = { if: [{ '===': [{ [operator]: values }, result] }, 'on', 'off'] };
  expect(resolveFlag(readFlag('a', { ...onOff, targeting }, new RuleCompiler({})), {}, 0)).toMatchObject({ value: true });
});
