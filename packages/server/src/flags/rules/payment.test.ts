/** Each operator pays in advance for its reads and results. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { Budget, BudgetSpent } from './budget.ts';
import { operatorNames, RuleCompiler } from './compile.ts';
import { EvaluationFault } from './values.ts';

interface Bill {
  readonly steps: number;
  readonly characters: number;
  readonly items: number;
}

/** A budget of this size that reports its payments. */
class MeteredBudget extends Budget {
  readonly paid = { steps: 0, characters: 0, items: 0 };
  readonly #limits: Bill;

  constructor(limits: Bill) {
    super();
    this.#limits = limits;
  }

  override steps(count: number): void {
    this.#pay('steps', count);
    super.steps(count);
  }

  override text(characters: number): void {
    this.#pay('characters', characters);
    super.text(characters);
  }

  override items(count: number): void {
    this.#pay('items', count);
    super.items(count);
  }

  #pay(kind: keyof Bill, amount: number): void {
    this.paid[kind] += amount;
    if (this.paid[kind] > this.#limits[kind]) throw new BudgetSpent();
  }
}

const length = 1_000;
const characters = 8_000;
const items = Array.from({ length }, (_, number) => number);
const names = items.map(() => 'x');
const longText = 'x'.repeat(characters);
const dottedText = 'x.'.repeat(characters / 2);
const plain = { text: longText, dotted: dottedText, list: items, names, short: [1, 2, 3], targetingKey: 'ada' };
const unlimited = { steps: 1e9, characters: 1e9, items: 1e9 };

const kindsOf = (bill: Partial<Bill>) => (['steps', 'characters', 'items'] as const).filter((kind) => kind in bill);

/** The result of a rule and its payments. A rule that cannot be evaluated has paid too. */
function evaluate(rule: unknown, limits: Bill = unlimited, context: Readonly<Record<string, unknown>> = plain) {
  const budget = new MeteredBudget(limits);
  const evaluation = { budget, flagKey: 'flag', context };
  const compiled = new RuleCompiler({}).compile(rule);
  try {
    compiled({ evaluation, value: context, list: undefined, outer: undefined });
  } catch (error) {
    if (error instanceof BudgetSpent) return { isRefused: true, paid: budget.paid };
    if (!(error instanceof EvaluationFault)) throw error;
  }
  return { isRefused: false, paid: budget.paid };
}

const text = { var: 'text' };
const dotted = { var: 'dotted' };
const list = { var: 'list' };
const buckets = [
  ['on', 50],
  ['off', 50],
];
const comparison = (name: string): readonly [string, unknown, Partial<Bill>] => [
  name,
  [text, text],
  { steps: characters / 128 },
];

/** An operator, operands that cost next to nothing, and the least that the operator must pay for them. */
const rows: readonly (readonly [name: string, operands: unknown, least: Partial<Bill>])[] = [
  ...['+', '-', '*', '/', '%', 'max', 'min'].map((name) => [name, list, { steps: length }] as const),
  ['+', [text], { steps: characters / 128 }],
  ...['==', '!=', '===', '!==', '<', '<=', '>', '>='].map(comparison),
  ['<', [text, 1], { steps: characters / 128 }],
  ['in', [-1, list], { steps: length }],
  ['in', [text, { var: 'names' }], { steps: (length * characters) / 128 }],
  ['in', ['xy', text], { steps: (2 * characters) / 128 }],
  ['in', [text, text], { steps: (characters * characters) / 128 }],
  ['substr', [text, 1], { characters: characters - 1 }],
  ['substr', ['abc', text], { steps: characters / 128 }],
  ['merge', [list, list, list], { items: 3 * length }],
  ['missing', list, { items: length, steps: 2 * length }],
  ['missing', [text], { steps: characters / 128 }],
  ['missing', [dotted], { items: characters / 8 }],
  ['missing_some', [1, list], { items: length, steps: 2 * length }],
  ['cat', [text, text], { characters: 2 * characters }],
  ['cat', list, { steps: length, characters: 5 * length }],
  ['cat', [{ var: 'names' }, 'a'], { steps: length, characters: 2 * length - 1 }],
  ['var', text, { steps: characters / 128 }],
  ['var', dotted, { items: characters / 8 }],
  ['var', '../../../../../../text', { steps: 1 }],
  ['starts_with', [text, text], { steps: characters / 128 }],
  ['ends_with', [text, text], { steps: characters / 128 }],
  ['sem_ver', ['1.2.3', '=', '1.2.3'], { steps: 32 }],
  ['fractional', [text, ...buckets], { steps: characters / 8 }],
  ['fractional', [{ cat: [text, ''] }, ...buckets], { characters }],
  ['fractional', list, { steps: length }],
  ['map', [list, true], { items: length, steps: 2 * length }],
  ['filter', [list, true], { items: length, steps: 2 * length }],
  ['some', [list, false], { steps: length }],
  ['none', [list, false], { steps: length }],
  ['all', [list, true], { steps: length }],
  ['some', [text, false], { steps: characters }],
  ['reduce', [list, 1, 0], { steps: length }],
  ['reduce', [{ var: 'short' }, { var: 'accumulator' }, list], { steps: 4 * length }],
  ['if', [true, items], { items: length }],
];
/** These decide by the kind of their arguments, and read and create nothing. */
const free = ['if', '?:', 'or', 'and', '!', '!!'];

test('every operator is covered', () => {
  const known = new Set([...rows.map(([name]) => name), ...free]);
  expect(operatorNames.filter((name) => !known.has(name))).toEqual([]);
});

test.each(rows)('%s of %j is charged', (name, operands, least) => {
  const { paid } = evaluate({ [name]: operands });
  for (const kind of kindsOf(least)) {
    expect(paid[kind], kind).toBeGreaterThanOrEqual(least[kind] ?? 0);
    // With a slightly smaller budget, there is no result.
    const scarce = { ...unlimited, [kind]: paid[kind] - 1 };
    expect(evaluate({ [name]: operands }, scarce).isRefused, kind).toBe(true);
  }
});

/** A list that counts how often an item of it is read. */
function watchedList(values: readonly unknown[]) {
  const seen = { reads: 0 };
  const watched = new Proxy(values, {
    get(target, name) {
      if (typeof name === 'string' && /^\d+$/.test(name)) seen.reads += 1;
      return Reflect.get(target, name);
    },
  });
  return { seen, watched };
}

const sizeOf = (value: unknown): number => (typeof value === 'string' || Array.isArray(value) ? value.length : 0);

const few = 100;

test.each(rows.filter(([, , least]) => Math.max(...Object.values(least)) > few))(
  '%s of %j is charged before it reads or creates anything',
  (name, operands, least) => {
    const [shown, named] = [watchedList(items), watchedList(names)];
    const makers = [
      vi.spyOn(Array.prototype, 'join'),
      vi.spyOn(Array.prototype, 'flat'),
      vi.spyOn(String.prototype, 'slice'),
      vi.spyOn(String.prototype, 'includes'),
    ];
    onTestFinished(() => {
      for (const maker of makers) maker.mockRestore();
    });
    for (const kind of kindsOf(least)) {
      const context = { ...plain, list: shown.watched, names: named.watched };
      expect(evaluate({ [name]: operands }, { ...unlimited, [kind]: few }, context).isRefused).toBe(true);
      // Reading items costs steps; making a string of them also costs characters.
      if (kind !== 'characters') expect(shown.seen.reads + named.seen.reads).toBeLessThanOrEqual(3 * few);
      for (const { mock } of makers) {
        for (const { value } of mock.results) expect(sizeOf(value)).toBeLessThanOrEqual(3 * few);
      }
    }
  },
);
