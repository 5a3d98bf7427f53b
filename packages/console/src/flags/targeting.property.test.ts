/** Rules become rows and JSON again without a difference. */
import { type JsonValue, parseJson, printJson } from '@holdfast/json';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listText, readList, readScalar, scalarText } from './scalars.ts';
import { readTargeting, type Scalar, scalarOperators, versionOperators, writeTargeting } from './targeting.ts';

const texts = fc.oneof(
  fc.constantFrom('', 'on', 'DE', 'true', '12', '01', '"', 'a, b', ' a', '[1]', 'a"b', 'null', '\\', '"x", y'),
  fc.string({ maxLength: 6 }),
);
const literals = fc.constantFrom('9007199254740993', '1e400', '0.10000000000000000555', '-0', '1.0');
const scalars: fc.Arbitrary<Scalar> = fc.oneof(
  { weight: 3, arbitrary: texts },
  fc.constantFrom<Scalar>(null, true, false, 0, -1, 2.5),
  literals.map((literal) => parseJson(literal) as Scalar),
);
const variables = fc
  .constantFrom<JsonValue>('country', 'targetingKey', 'app.version', '', ['country'], ['country', 'DE'])
  .map((path) => ({ var: path }));

/** Rules close to those that rows express, and everything around them. */
const { rule } = fc.letrec<{ rule: JsonValue }>((tie) => {
  const one = (operator: string, ...operands: fc.Arbitrary<JsonValue>[]) =>
    fc.tuple(...operands).map((values): JsonValue => ({ [operator]: values }));
  const many = (operator: string) =>
    fc.array(tie('rule'), { maxLength: 5 }).map((values): JsonValue => ({ [operator]: values }));
  const share = fc.oneof(
    fc.tuple(texts, fc.integer({ min: -5, max: 100 })),
    fc.tuple(texts),
    fc.tuple(texts, scalars),
    fc.tuple(texts, scalars, scalars),
  );
  return {
    rule: fc.oneof(
      { maxDepth: 4, depthSize: 'large' },
      scalars,
      variables,
      fc.array(scalars, { maxLength: 3 }),
      texts.map((name): JsonValue => ({ $ref: name })),
      fc.constantFrom(...scalarOperators).chain((operator) => one(operator, variables, scalars)),
      fc.constantFrom('starts_with', 'ends_with', 'cat').chain((operator) => one(operator, variables, scalars)),
      one('in', variables, fc.array(scalars, { maxLength: 3 })),
      one('in', scalars, variables),
      one('sem_ver', variables, fc.constantFrom(...versionOperators, '?'), scalars),
      fc.array(share, { maxLength: 3 }).map((shares): JsonValue => ({ fractional: shares })),
      fc.tuple(variables, share).map((parts): JsonValue => ({ fractional: parts })),
      ...['if', 'if', '?:', 'and', 'or', '!', '!='].map(many),
      fc.tuple(fc.oneof(texts, fc.constant({ fractional: [['on']] }))).map((only): JsonValue => ({ if: only })),
      tie('rule').map((inner): JsonValue => ({ '!': inner })),
      fc.tuple(tie('rule'), tie('rule')).map(([first, second]): JsonValue => ({ if: first, and: second })),
      fc.constant({}),
    ),
  };
});

test('any rules are the same after reading and writing', () => {
  fc.assert(
    fc.property(fc.option(rule, { nil: undefined }), (targeting) => {
      const written = writeTargeting(readTargeting(targeting));
      expect(written === undefined ? written : printJson(written)).toBe(
        targeting === undefined ? undefined : printJson(targeting),
      );
    }),
    { numRuns: 1_000 },
  );
});

test('rules that rows express contain no JSON', () => {
  const targeting = {
    if: [
      { and: [{ '==': [{ var: 'country' }, 'DE'] }, { '!': [{ in: [{ var: 'level' }, [1, 2]] }] }, { $ref: 'tester' }] },
      {
        fractional: [
          ['on', 10],
          ['off', 90],
        ],
      },
      {
        or: [
          { sem_ver: [{ var: 'version' }, '>=', '1.2.0'] },
          { in: ['beta', { var: 'email' }] },
          { '!': { var: 'paid' } },
        ],
      },
      'on',
      { ends_with: [{ var: 'email' }, '@studio.example'] },
      { fractional: [{ var: 'team' }, ['on'], ['off', 3]] },
      null,
    ],
  };
  expect(JSON.stringify(readTargeting(targeting))).not.toContain('"json"');
});

test('an edited outcome alone becomes targeting that the service takes', () => {
  const none = readTargeting(undefined);
  expect(writeTargeting({ ...none, otherwise: { kind: 'variant', name: 'on' } })).toEqual({ if: ['on'] });
  const shares = { kind: 'shares', by: undefined, shares: [{ variant: 'on', weight: 1 }] } as const;
  expect(writeTargeting({ ...none, otherwise: shares })).toEqual({ fractional: [['on', 1]] });
  const [first, ...others] = readTargeting({ if: [{ var: 'paid' }, 'on', 'off'] }).rules;
  expect(others).toEqual([]);
  expect(first?.result).toEqual({ kind: 'variant', name: 'on' });
});

test('values and lists are the same after writing and reading', () => {
  const same = (one: JsonValue, other: JsonValue) => {
    expect(printJson(one)).toBe(printJson(other));
  };
  fc.assert(
    fc.property(scalars, (value) => same(readScalar(scalarText(value)), value)),
    { numRuns: 1_000 },
  );
  fc.assert(
    fc.property(fc.array(scalars, { maxLength: 4 }), (list) => same(readList(listText(list)), list)),
    {
      numRuns: 1_000,
    },
  );
});
