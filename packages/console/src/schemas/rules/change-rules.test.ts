import { type JsonObject, type JsonValue, parseJson } from '@holdfast/json';
import { expect, it } from 'vitest';
import { changed, textChanges } from '../../json-text/text-changes.ts';
import { ownForm, withoutRules, withRules } from './change-rules.ts';
import type { FieldPath } from './field-path.ts';
import type { RuleForm } from './rule-form.ts';

const at = (...names: string[]): FieldPath =>
  names.map((name) => (name === 'each' || name === 'other' || name === 'member' ? name : { name }));
const price = at('shop', 'items', 'each', 'price');

/** Changes a form as somebody would, and applies it. */
const filled = (
  schema: JsonValue,
  path: FieldPath,
  change: Partial<Omit<RuleForm, 'bounds'>> & { bounds?: Partial<RuleForm['bounds']> },
  names: readonly string[] = [],
) => {
  const form = ownForm(schema, path);
  return withRules(schema, path, { ...form, ...change, bounds: { ...form.bounds, ...change.bounds } }, names);
};

it('adds rules of a field within lists, and keeps everything around it', () => {
  expect(filled({}, price, { bounds: { minimum: '1' } })).toEqual({
    properties: { shop: { properties: { items: { items: { properties: { price: { minimum: 1 } } } } } } },
  });
  const schema = {
    title: 'Game',
    properties: { shop: { $comment: 'old', properties: { items: { uniqueItems: true, items: { required: ['id'] } } } } },
    $defs: { a: true },
  };
  expect(JSON.stringify(filled(schema, price, { kind: 'integer', isRequired: true }))).toBe(
    '{"title":"Game","properties":{"shop":{"$comment":"old","properties":{"items":{"uniqueItems":true,"items":{"required":["id","price"],"properties":{"price":{"type":"integer"}}}}}}},"$defs":{"a":true}}',
  );
});

it('changes the text of nothing else, digit for digit', () => {
  const text =
    '{ "x-ui": 1.50,\n "properties": { "gold": {"maximum": 12345678901234567890, "minimum": 0}, "a": {"enum":[1.0]} } }';
  const before = parseJson(text) as JsonObject;
  const after = filled(before, at('gold'), { bounds: { minimum: '0.5' }, kind: 'number' }) as JsonObject;
  expect(changed(text, textChanges(text, before, after))).toBe(
    text.replace('"minimum": 0}', '"minimum": 0.5, "type": "number"}'),
  );
});

it('keeps what a form cannot show', () => {
  const own = { type: ['string', 'null'], multipleOf: 3, anyOf: [true], minimum: 'x', enum: [{}] };
  expect(filled({ properties: { a: own } }, at('a'), { bounds: { maximum: '5' } })).toEqual({
    properties: { a: { ...own, maximum: 5 } },
  });
});

it('takes out a bound that was emptied, and the choices with the last one', () => {
  const schema = { properties: { a: { minimum: 1, maximum: 2 }, b: { enum: ['x'] }, c: { const: 'x', title: 'C' } } };
  expect(filled(schema, at('a'), { bounds: { minimum: '' } })).toMatchObject({ properties: { a: { maximum: 2 } } });
  expect(filled(schema, at('b'), { choices: '' })).toMatchObject({ properties: { b: {} } });
  const changedChoices = filled(schema, at('c'), { choices: 'x\ny' });
  expect(changedChoices).toEqual({ properties: { ...schema.properties, c: { title: 'C', enum: ['x', 'y'] } } });
});

it('writes choices as the kind of value that they are', () => {
  expect(filled({}, at('a'), { kind: 'integer', choices: '1\n 2 \n\n2' })).toEqual({
    properties: { a: { type: 'integer', enum: [1, 2] } },
  });
  expect(filled({}, at('a'), { kind: 'string', choices: '1' })).toEqual({
    properties: { a: { type: 'string', enum: ['1'] } },
  });
  const numbers = { properties: { a: { type: 'number', enum: [1, 2] } } };
  expect(filled(numbers, at('a'), { kind: 'string' })).toEqual({ properties: { a: { type: 'string', enum: ['1', '2'] } } });
  expect(filled({ properties: { a: { enum: ['1'] } } }, at('a'), { kind: 'integer' })).toEqual({
    properties: { a: { enum: [1], type: 'integer' } },
  });
  const mixed = { properties: { a: { enum: [1, 'one', true, null] } } };
  expect(filled(mixed, at('a'), { choices: '1\none\ntrue\nnull\ntwo' })).toEqual({
    properties: { a: { enum: [1, 'one', true, null, 'two'] } },
  });
});

it('lets a field keep the rules of every other field when it gets a place of its own', () => {
  const schema = {
    properties: { offers: { additionalProperties: { type: 'object', properties: { price: { minimum: 1 } } } } },
  };
  expect(filled(schema, at('offers', 'spring', 'price'), { bounds: { maximum: '9' } })).toEqual({
    properties: {
      offers: {
        additionalProperties: { type: 'object', properties: { price: { minimum: 1 } } },
        properties: { spring: { type: 'object', properties: { price: { minimum: 1, maximum: 9 } } } },
      },
    },
  });
});

it('keeps existing fields allowed when an object is closed', () => {
  expect(filled({ properties: { a: {}, b: { minimum: 1 } } }, [], { isClosed: true }, ['b', 'c'])).toEqual({
    properties: { a: {}, b: { minimum: 1 }, c: {} },
    additionalProperties: false,
  });
});

it('requires a field without naming it, unless its object is closed', () => {
  expect(filled({}, at('season'), { isRequired: true })).toEqual({ required: ['season'] });
  const closed = { additionalProperties: false };
  expect(filled(closed, at('season'), { isRequired: true })).toEqual({
    ...closed,
    properties: { season: {} },
    required: ['season'],
  });
  expect(filled({ required: ['a', 'b'] }, at('a'), { isRequired: false })).toEqual({ required: ['b'] });
});

it('removes the rules of a field with the places that became empty, but not those around it or in it', () => {
  const schema = filled({ type: 'object', properties: {} }, price, { bounds: { minimum: '1' }, isRequired: true });
  expect(withoutRules(schema, price)).toEqual({ type: 'object', properties: {} });
  const shop = { type: 'object', properties: { open: { type: 'boolean' } }, additionalProperties: false };
  expect(withoutRules({ properties: { shop } }, at('shop'))).toEqual({
    properties: { shop: { properties: { open: { type: 'boolean' } } } },
  });
  expect(withoutRules({ properties: { a: { minimum: 1, description: 'A', anyOf: [true] } } }, at('a'))).toEqual({
    properties: { a: { description: 'A', anyOf: [true] } },
  });
  expect(withoutRules({ properties: { a: false, b: true } }, at('a'))).toEqual({ properties: { b: true } });
});

it('leaves a field allowed when its last rule goes from a closed object, and takes it out the second time', () => {
  const schema = { properties: { a: { minimum: 1 } }, additionalProperties: false };
  const once = withoutRules(schema, at('a'));
  expect(once).toEqual({ properties: { a: {} }, additionalProperties: false });
  expect(withoutRules(once, at('a'))).toEqual({ properties: {}, additionalProperties: false });
});

it('changes nothing when nothing was changed', () => {
  const schema = { properties: { a: { minimum: 1 } }, required: ['a'] };
  expect(withRules(schema, at('a'), ownForm(schema, at('a')), [])).toEqual(schema);
  expect(withRules(schema, at('b'), ownForm(schema, at('b')), [])).toBe(schema);
});
