import type { SchemaMode } from '@holdfast/contract';
import type { JsonObject } from '@holdfast/json';
import { expect, it } from 'vitest';
import { texts as schemasEn } from '../../texts/schemas-en.ts';
import { ruleChanges } from './rule-changes.ts';

const gold = { type: 'integer', 'x-write': 'server' };
const name = { type: 'string' };
const document = (mode: SchemaMode, properties: JsonObject): JsonObject => ({ mode, schema: { properties } });
const changesOf = (from: JsonObject, to: JsonObject) => ruleChanges(schemasEn, from, to, 'en');
const path = [{ name: 'gold' }];

it.each<[string, JsonObject, JsonObject, number]>([
  ['a removed rule', document('report', { gold, name }), document('enforce', { name }), 1],
  ['a rule without its writer', document('enforce', { gold }), document('enforce', { gold: { type: 'integer' } }), 1],
  ['a mode that blocks nothing', document('enforce', { gold }), document('report', { gold }), 1],
  ['a new mode over the same rules', document('report', { gold }), document('enforce', { gold }), 0],
  ['another rule', document('enforce', { gold, name }), document('enforce', { gold }), 0],
])('the fields that players may write from now on: %s', (_, from, to, count) => {
  expect(changesOf(from, to).opened).toEqual(Array(count).fill(path));
});

it('lists the mode, changed rules and removed ones', () => {
  const changes = changesOf(document('report', { gold, name }), document('enforce', { name: { ...name, minLength: 1 } }));
  expect(changes.mode).toEqual({ before: 'report', after: 'enforce' });
  expect(changes.rules).toEqual([
    { path: [{ name: 'name' }], before: 'Must be a text', after: 'Must be a text, at least 1 character' },
    { path, before: 'Must be a whole number, only game servers may change it', after: undefined },
  ]);
});
