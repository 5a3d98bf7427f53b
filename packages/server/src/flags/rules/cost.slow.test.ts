/** An evaluation pays for its cost: compares the steps of each operator over random hostile values with its processor time. */
import { beforeAll, expect, it } from 'vitest';
import { Budget } from './budget.ts';
import { operatorNames, RuleCompiler } from './compile.ts';
import type { Rule } from './scope.ts';
import { EvaluationFault } from './values.ts';

/** An unlimited budget that counts payments. */
class CountingBudget extends Budget {
  paid = 0;

  override steps(count: number): void {
    this.paid += count;
  }

  override text(characters: number): void {
    this.read(characters);
  }

  override items(count: number): void {
    this.steps(count);
  }
}

/** The same numbers in each run. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
const random = randomOf(39);
const one = <T>(choices: readonly T[]): T => choices[random(choices.length)] as T;
/** Mostly small, sometimes as large as a context allows. */
const size = (most: number): number => Math.ceil(2 ** ((random(1_000) / 1_000) * Math.log2(most)));
const some = <T>(most: number, make: (index: number) => T): T[] =>
  Array.from({ length: size(most) }, (_, index) => make(index));

const units = ['x', '9', 'a.', '\\', 'é語', ' ', '../'];
function text(most = 8_000): string {
  const unit = one(units);
  return one(['', '', '0x', '1e', '0.']) + unit.repeat(size(most / unit.length));
}
const version = () =>
  one([
    '1.2.3',
    '1.2',
    `v${'9'.repeat(size(250))}`,
    `1.2.3-${'a.1.'.repeat(size(60))}b`,
    `1.2.3-${one(['a', '-'])}${'a'.repeat(size(200))}`,
    `1.2.3+${'a.'.repeat(size(100))}b`,
  ]);
const scalar = () => one([random(9), null, true, text(40), random(1_000_000) / 1_000]);
const value = (): unknown =>
  one<() => unknown>([
    text,
    scalar,
    () => some(1_000, scalar),
    () => some(200, () => text(200)),
    () => Object.fromEntries(some(300, (index) => [`k${index}`, index])),
  ])();
const same = () => {
  const both = text();
  return [both, `${both}`];
};
const numbers = () => some(500, () => random(99));

/** Values that operators take, besides those that any operator may get. */
const inputs: Readonly<Record<string, () => readonly unknown[]>> = {
  sem_ver: () => [version(), one(['=', '^', '~', '<']), version()],
  fractional: () => [text(), ...some(200, () => [text(10), random(9)])],
  in: () =>
    one([() => [text(), text()], () => [text(), some(500, () => text(30))], () => [scalar(), some(1_000, scalar)]])(),
  substr: () => [text(), random(9) - 4, random(9)],
  var: () => [text()],
  missing: () => some(200, () => text(60)),
  missing_some: () => [1, some(200, () => text(60))],
  starts_with: same,
  ends_with: same,
  max: numbers,
  min: numbers,
  '+': numbers,
  '*': numbers,
  ...Object.fromEntries(['==', '!=', '===', '!==', '<=', '>='].map((name) => [name, same])),
};
/** Rules that operators over a list apply to each item. */
const perItem: Readonly<Record<string, readonly unknown[]>> = {
  map: [{ var: '' }],
  filter: [{ var: '' }],
  some: [false],
  none: [false],
  all: [true],
  reduce: [{ '+': [{ var: 'accumulator' }, { var: 'current' }] }, 0],
};

/** A rule of the operator, and the context of its values. */
function newRule(name: string): { readonly rule: Rule; readonly context: Readonly<Record<string, unknown>> } {
  const each = perItem[name];
  const values = each === undefined ? (inputs[name] ?? (() => [value(), value(), value()]))() : [numbers()];
  const operands = each === undefined ? values.map((_, index) => ({ var: `v${index}` })) : [{ var: 'v0' }, ...each];
  const context = { ...Object.fromEntries(values.map((each, index) => [`v${index}`, each])), targetingKey: 'ada' };
  return { rule: new RuleCompiler({}).compile({ [name]: operands }), context };
}

function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) * 1_000;
}

/**
 * Processor time of a step in nanoseconds, the least of some measurements; undefined for a rule that cannot be evaluated, which ends with
 * the first fault.
 */
function costOf(rule: Rule, context: Readonly<Record<string, unknown>>): number | undefined {
  const once = () => {
    const budget = new CountingBudget();
    const scope = { evaluation: { budget, flagKey: 'flag', context }, value: context, list: undefined, outer: undefined };
    do rule(scope);
    while (budget.paid < 500);
    return budget.paid;
  };
  let least = Number.POSITIVE_INFINITY;
  try {
    for (let round = 0; round < 3; round++) {
      const begun = processorTime();
      let paid = 0;
      do paid += once();
      while (processorTime() - begun < 1_000_000);
      least = Math.min(least, (processorTime() - begun) / paid);
    }
  } catch (error) {
    if (error instanceof EvaluationFault) return undefined;
    throw error;
  }
  return least;
}

/** How many times the cost of an ordinary step one step may cost. */
const timesMax = 12;
let ordinaryCost = 0;
beforeAll(() => {
  const rule = new RuleCompiler({}).compile({ if: [{ '==': [{ var: 'plan' }, 'pro'] }, 'on', 'off'] });
  for (let round = 0; round < 20; round++) ordinaryCost = costOf(rule, { plan: 'free' }) ?? 0;
});

it.each(operatorNames)('%s is charged its cost', { timeout: 600_000 }, (name) => {
  for (let round = 0; round < 6; round++) {
    const { rule, context } = newRule(name);
    let cost = 0;
    // A measurement on a busy machine may be wrong; three of them are not.
    for (let attempt = 0; attempt < 3; attempt++) {
      cost = costOf(rule, context) ?? 0;
      if (cost <= timesMax * ordinaryCost) break;
    }
    expect(cost, JSON.stringify(context).slice(0, 200)).toBeLessThanOrEqual(timesMax * ordinaryCost);
  }
});
