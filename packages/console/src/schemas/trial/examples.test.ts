import { expect, it } from 'vitest';
import { exampleOf, patchOf } from './examples.ts';

it('an example has the fields that a schema names', () => {
  const schema = {
    properties: {
      gold: { type: 'integer', minimum: 5 },
      hero: { properties: { name: { type: 'string' }, items: { type: 'array' } } },
      mode: { enum: ['calm', 'storm'] },
      again: { $ref: '#' },
    },
  };
  expect(exampleOf(schema)).toMatchObject({ gold: 5, hero: { name: '', items: [] }, mode: 'calm' });
  expect(exampleOf(true)).toEqual({ level: 1 });
});

it('a patch writes the first number or text of a document again', () => {
  expect(patchOf({ a: 'x', b: [{ c: 2 }] })).toEqual([{ op: 'replace', path: '/b/0/c', value: 2 }]);
  expect(patchOf({ a: null, b: 'x' })).toEqual([{ op: 'replace', path: '/b', value: 'x' }]);
  expect(patchOf({})).toEqual([{ op: 'add', path: '/level', value: 1 }]);
});
