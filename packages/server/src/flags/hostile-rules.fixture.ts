/** Rules of strangers that try to take all memory or all time. None may return a value: each exceeds the bounds of an evaluation. */

const accumulator = { var: 'accumulator' };
const current = { var: 'current' };
const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

/** A string of 2 to the power of `times` characters, made of shared halves: it takes almost no memory until it is read. */
const doubled = (times: number) => ({ reduce: [numbers(times), { cat: [accumulator, accumulator] }, 'a'] });
/** A list with the same number of items. */
const doubledList = (times: number) => ({ reduce: [numbers(times), { merge: [accumulator, accumulator] }, [1]] });
const halves = [
  ['on', 50],
  ['off', 50],
];
/** A rule about each of `count` numbers, for each of as many, and so on. */
const loops = (operator: string, count: number, levels: number, innermost: unknown): unknown =>
  levels === 0 ? innermost : { [operator]: [numbers(count), loops(operator, count, levels - 1, innermost)] };
const nested = (levels: number, operator: string, innermost: unknown): unknown =>
  levels === 0 ? innermost : { [operator]: [nested(levels - 1, operator, innermost)] };

export interface HostileFamily {
  readonly name: string;
  readonly rules: Readonly<Record<string, unknown>>;
  /** Rules that the others refer to. */
  readonly evaluators?: Readonly<Record<string, unknown>>;
}

/** As much as a context of 16 KiB can hold; the rules rely on it. */
export const hostileContext = { text: 'x'.repeat(8_000), list: numbers(1_000) };

const text = { var: 'text' };
/** The same, seen from an item of a list. */
const outerText = { var: '../../text' };
const list = { var: 'list' };

const texts: Readonly<Record<string, unknown>> = {
  'a name of a variant': doubled(27),
  'a bucket': { fractional: [doubled(27), ...halves] },
  'an end': { ends_with: [doubled(27), 'a'] },
  'a start': { starts_with: [doubled(27), doubled(26)] },
  'a text inside a text': { in: [doubled(26), doubled(27)] },
  'an item of a list': { in: [doubled(26), [doubled(26), doubled(26)]] },
  'a number': { '+': [doubled(27), 1] },
  'an equation': { '==': [doubled(27), doubled(27)] },
  'a comparison': { '<': [doubled(27), doubled(27)] },
  'a name in the context': { var: doubled(27) },
  'missing names': { missing: [doubled(27)] },
  'a version': { sem_ver: [doubled(27), '=', '1.0.0'] },
  'a part': { substr: [doubled(27), 5] },
  'texts side by side': { map: [list, { cat: [outerText, outerText, outerText] }] },
  'a list as a text': { cat: [[doubledList(22)]] },
  'a text of the context, doubled': { reduce: [numbers(30), { cat: [accumulator, accumulator] }, text] },
  'a text that grows by a bit': { reduce: [list, { cat: [accumulator, outerText] }, ''] },
  'a search that begins again at each place': {
    map: [list, { in: [{ cat: [outerText, 'y'] }, { cat: [outerText, outerText] }] }],
  },
  'names of a thousand parts': { map: [list, { var: { cat: [outerText, '.a.b'] } }] },
};

const lists: Readonly<Record<string, unknown>> = {
  'a list that doubles': doubledList(40),
  'a list that grows by the one of the context': { reduce: [list, { merge: [accumulator, { var: '../../list' }] }, []] },
  'lists in lists': loops('map', 1_000, 3, { var: '' }),
  'lists that are written out': { map: [list, { map: [{ var: '../../list' }, numbers(500)] }] },
  'lists that are made again': { map: [list, { map: [{ var: '../../list' }, [{ var: '' }, { var: '' }, { var: '' }]] }] },
  'all that is left of a list': { map: [list, { filter: [{ var: '../../list' }, true] }] },
  'what is missing': { map: [list, { missing: { var: '../../list' } }] },
  'sums of a long list': { map: [list, { '+': { var: '../../list' } }] },
  'a list searched in a list': { map: [list, { in: [-1, { var: '../../list' }] }] },
};

const steps: Readonly<Record<string, unknown>> = Object.fromEntries(
  ['some', 'all', 'none', 'map', 'filter', 'reduce'].map((operator) => [
    `${operator} in itself`,
    loops(operator, 400, 3, operator === 'all' ? true : operator === 'reduce' ? current : { '>': [{ var: '' }, 1e9] }),
  ]),
);

/** Each refers twice to the next. */
const doubling = Object.fromEntries(
  numbers(40).map((number) => [`e${number}`, { or: [{ $ref: `e${number + 1}` }, { $ref: `e${number + 1}` }] }]),
);

export const hostileFamilies: readonly HostileFamily[] = [
  { name: 'texts that double', rules: texts },
  { name: 'lists that double', rules: lists },
  { name: 'loops in loops', rules: steps },
  {
    name: 'rules that refer to each other',
    evaluators: {
      ...doubling,
      e40: false,
      loop: { '!': [{ $ref: 'loop' }] },
      deep: nested(110, '!', { $ref: 'deeper' }),
      deeper: nested(110, '!', { $ref: 'deepest' }),
      deepest: nested(110, '!', true),
    },
    rules: {
      'twice the one before': { $ref: 'e0' },
      itself: { $ref: 'loop' },
      'too deep': { $ref: 'deep' },
      'twice, for each of a list': { map: [list, { $ref: 'e25' }] },
    },
  },
];
