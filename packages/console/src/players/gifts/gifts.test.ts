import { type JsonObject, type JsonValue, parseJson, pointerOf } from '@holdfast/json';
import { expect, it } from 'vitest';
import { hintsOf } from '../../fields/hints.ts';
import { entryName, firstEntry, type Target, targetsIn, withGift } from './gifts.ts';

const json = (text: string) => parseJson(text) as JsonObject;
const found = (save: JsonObject, schema?: JsonValue) =>
  targetsIn(save, hintsOf(schema)).map(({ path, name, kind }) => [pointerOf(path), name.join(' › '), kind]);
function target(save: JsonObject, pointer: string, schema?: JsonValue): Target {
  const one = targetsIn(save, hintsOf(schema)).find(({ path }) => pointerOf(path) === pointer);
  if (one === undefined) throw new Error(`no target ${pointer}`);
  return one;
}

it('numbers and lists can be given to, with what identifies the objects of a list', () => {
  const save = json('{"gold":5,"name":"Ada","bag":[{"id":"rope","count":2},7,{"count":1}]}');
  expect(found(save)).toEqual([
    ['/gold', 'Gold', 'number'],
    ['/bag', 'Bag', 'list'],
    ['/bag/0/count', 'Bag › rope › Count', 'number'],
    ['/bag/2/count', 'Bag › 2 › Count', 'number'],
  ]);
});

it('a save can be given what its schema has and it lacks', () => {
  const schema = json(
    '{"type":"object","properties":{"gems":{"type":"integer"},"tags":{"type":"array"},"at":{"type":"string"}}}',
  );
  expect(found(json('{}'), schema)).toEqual([
    ['/gems', 'Gems', 'number'],
    ['/tags', 'Tags', 'list'],
  ]);
  const gems = target(json('{}'), '/gems', schema);
  expect(withGift(json('{}'), gems, { amount: '3' })).toEqual(json('{"gems":3}'));
});

it('targets are limited in number and depth', () => {
  const wide = json(`{${Array.from({ length: 501 }, (_, index) => `"f${index}":1`).join()}}`);
  expect(found(wide)).toHaveLength(500);
  const deep = (levels: number) => json(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
  expect([found(deep(8)).length, found(deep(9)).length]).toEqual([1, 0]);
});

it('a new entry has the form of the others without their content, or that of the schema', () => {
  const hints = hintsOf(undefined);
  const first = (bag: string) => firstEntry(target(json(`{"bag":${bag}}`), '/bag'), hints);
  expect(first('[{"id":"rope","count":9,"isNew":true,"tags":["x"],"in":{"slot":4},"no":null}]')).toEqual(
    json('{"id":"","count":1,"isNew":false,"tags":[],"in":{"slot":1},"no":null}'),
  );
  expect([first('["rope"]'), first('[7]')]).toEqual(['', 1]);
  const schema = json('{"properties":{"bag":{"type":"array","items":{"type":"boolean"}}}}');
  expect(firstEntry(target(json('{"bag":["rope"]}'), '/bag', schema), hintsOf(schema))).toBe(false);
});

it('an entry is named by its identity and amount, if that fits on a button', () => {
  expect(entryName(json('{"id":"","name":"Rope","count":5}'))).toBe('5 × Rope');
  expect(entryName(json('{"id":"rope"}'))).toBe('rope');
  expect([entryName('torch'), entryName(json('{"count":1}')), entryName('x'.repeat(41))]).toEqual([
    'torch',
    undefined,
    undefined,
  ]);
});

it('a gift needs a target that can still take it', () => {
  const gold = target(json('{"gold":5}'), '/gold');
  expect(withGift(json('{"gold":6,"level":1}'), gold, { amount: '-2' })).toEqual(json('{"gold":4,"level":1}'));
  expect(withGift(json('{"gold":"much"}'), gold, { amount: '1' })).toBeUndefined();
  const bag = target(json('{"bag":[]}'), '/bag');
  expect(withGift(json('{"bag":["a"]}'), bag, { entry: 'b' })).toEqual(json('{"bag":["a","b"]}'));
  expect(withGift(json('{"bag":{}}'), bag, { entry: 'b' })).toBeUndefined();
});
