import { expect, test } from 'vitest';
import { parameters, valuesOf } from './parameters.ts';

const { names, at } = parameters('account', 'slug', 'environment');
const statement = { text: `SELECT ${at.account}, ${at.environment}, ${at.slug}`, names };

test('the values of a statement come in the order of its parameters, whatever the order of their names', () => {
  expect(statement.text).toBe('SELECT $1, $3, $2');
  expect(valuesOf(statement, { environment: 2, account: 'a', slug: null })).toEqual(['a', null, 2]);
});

test('a statement takes only the values that it has parameters for', () => {
  const shorter = { ...statement, names: parameters('account').names };
  expect(valuesOf<'account' | 'slug'>(shorter, { account: 'a', slug: 's' })).toEqual(['a']);
});

test('a parameter without a value is named', () => {
  expect(() => valuesOf(statement, { account: 'a', slug: 's' })).toThrow('"environment"');
});
