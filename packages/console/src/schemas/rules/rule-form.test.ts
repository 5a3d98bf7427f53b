import { expect, it } from 'vitest';
import { faultsOf, formOf, furtherKeywords, withKind } from './rule-form.ts';

const filled = (bounds: object, rest: object = {}) => {
  const form = formOf({}, false);
  return { ...form, ...rest, bounds: { ...form.bounds, ...bounds } };
};

it('names the keywords that only the JSON can change', () => {
  const shown = { type: 'integer', minimum: 0, maxLength: 3, enum: [1, 'a'], pattern: 'x', 'x-write': 'server' };
  const silent = { title: 'A', description: 'B', default: 1, 'x-ui': {}, properties: {}, items: {}, required: ['a'] };
  expect(furtherKeywords({ ...shown, ...silent, additionalProperties: false })).toEqual([]);
  const further = { type: ['string', 'null'], minimum: '1', multipleOf: 2, anyOf: [], $ref: '#', enum: [' padded '] };
  expect(furtherKeywords(further)).toEqual(Object.keys(further));
});

it.each<[ReturnType<typeof filled>, object]>([
  [filled({ minimum: '1', maximum: ' 1,5 ' }), {}],
  [filled({ minimum: 'one' }), { minimum: 'number' }],
  [filled({ minimum: '2', maximum: '1' }), { maximum: 'order' }],
  [filled({ minLength: '-1', maxItems: '1.5' }), { minLength: 'count', maxItems: 'count' }],
  [filled({}, { kind: 'number', choices: '1\nx' }), { choices: 'number' }],
  [filled({}, { kind: 'integer', choices: '1.5' }), { choices: 'whole' }],
  [filled({}, { kind: 'string', choices: 'x' }), {}],
  [filled({}, { pattern: '(' }), { pattern: 'pattern' }],
])('%j has the faults %j', (form, faults) => {
  expect(faultsOf(form)).toEqual(faults);
});

it('empties what cannot bound another kind of value', () => {
  const form = filled({ minimum: '1', maxLength: '9' }, { pattern: 'x', choices: 'a', isClosed: true });
  expect(withKind(form, 'integer')).toEqual(filled({ minimum: '1' }, { kind: 'integer', choices: 'a' }));
  expect(withKind(form, 'boolean')).toEqual(filled({}, { kind: 'boolean' }));
  expect(withKind(form, 'object')).toEqual(filled({}, { kind: 'object', isClosed: true }));
});
