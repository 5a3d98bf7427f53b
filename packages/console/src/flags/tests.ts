/** The comparisons that a row offers, and its value as text. */
import { listText, readList, readScalar, scalarText } from './scalars.ts';
import { type Comparison, type scalarOperators, type Test, textOperators, versionOperators } from './targeting.ts';

type Tested = Extract<Comparison, { kind: 'attribute' }>;

/** The name of a comparison without its negation. */
function testName(test: Test): string {
  if (test.kind === 'scalar' || test.kind === 'text') return test.operator;
  return test.kind === 'version' ? `version ${test.operator}` : test.kind;
}

/** The value of a comparison in a line of text; undefined if it has none. */
export function operandText(test: Test): string | undefined {
  switch (test.kind) {
    case 'scalar':
      return scalarText(test.value);
    case 'list':
      return listText(test.values);
    case 'set':
      return undefined;
    default:
      return test.value;
  }
}

/** Returns the comparison with another value. */
export function withOperand(test: Test, text: string): Test {
  switch (test.kind) {
    case 'scalar':
      return { ...test, value: readScalar(text) };
    case 'list':
      return { ...test, values: readList(text) };
    case 'set':
      return test;
    default:
      return { ...test, value: text };
  }
}

const ofScalar = (operator: (typeof scalarOperators)[number]): Test => ({ kind: 'scalar', operator, value: '' });
const ofText = (operator: (typeof textOperators)[number]): Test => ({ kind: 'text', operator, value: '' });

/** In the order of their use. A negated one is written with `!`. */
const tests: readonly (readonly [Test, isNegated?: boolean])[] = [
  [ofScalar('==')],
  [ofScalar('!=')],
  [{ kind: 'list', values: [] }],
  [{ kind: 'list', values: [] }, true],
  ...(['>=', '>', '<=', '<'] as const).map((operator) => [ofScalar(operator)] as const),
  ...textOperators.flatMap((operator) => [[ofText(operator)] as const, [ofText(operator), true] as const]),
  ...versionOperators.map((operator) => [{ kind: 'version', operator, value: '' }] as const),
  [{ kind: 'set' }],
  [{ kind: 'set' }, true],
  [ofScalar('===')],
  [ofScalar('!==')],
];

/** The name of a comparison among the choices; a negated one begins with `not`. */
export const choiceOf = (test: Test, isNegated: boolean): string => `${isNegated ? 'not ' : ''}${testName(test)}`;

/** The names of all comparisons that a row offers. */
export const choices: readonly string[] = tests.map(([test, isNegated = false]) => choiceOf(test, isNegated));

/** Returns the row with another comparison. Its value stays, as far as the comparison takes it. */
export function withChoice(row: Tested, choice: string): Tested {
  const [test, isNegated = false] = tests[choices.indexOf(choice)] ?? [row.test, row.negation !== undefined];
  const operand = operandText(row.test);
  const next = operand === undefined ? test : withOperand(test, operand);
  return { kind: 'attribute', attribute: row.attribute, test: next, negation: isNegated ? 'listed' : undefined };
}

/** A row to begin with. */
export const newComparison = (attribute: string): Tested => ({ kind: 'attribute', attribute, test: ofScalar('==') });
