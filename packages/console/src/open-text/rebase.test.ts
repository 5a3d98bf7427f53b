import { type JsonObject, type JsonValue, parseJson } from '@holdfast/json';
import { expect, it } from 'vitest';
import { rebased, settled } from './rebase.ts';

const json = (text: string) => parseJson(text) as JsonObject;
const stored = (version: number, value: JsonValue) => ({ version, comment: null, value });
const contentOf = ({ value }: { readonly value: JsonValue }) => value;
const base = stored(1, json('{"gold":1,"name":"Ada"}'));

it('a change of the stored version stays as it is', () => {
  const change = { base, next: json('{"gold":2}') };
  expect(rebased(base, change, contentOf)).toEqual(change);
  expect(rebased(null, change, contentOf)).toEqual({ ...change, base: null });
  expect(rebased(stored(1, true), { base: null, next: false }, contentOf)).toMatchObject({ mergedVersion: 1 });
});

it('a change contains what somebody else has changed since', () => {
  const theirs = stored(2, json('{"gold":1,"name":"Ida"}'));
  const next = json('{"gold":2,"name":"Ada"}');
  const merged = { base: theirs, next: json('{"gold":2,"name":"Ida"}'), mergedVersion: 2 };
  expect(rebased(theirs, { base, next }, contentOf)).toEqual(merged);
});

it('values that both sides changed wait for decisions', () => {
  const theirs = stored(2, json('{"gold":5,"name":"Ada"}'));
  const found = rebased(theirs, { base, next: json('{"gold":2,"name":"Ida"}') }, contentOf);
  if (!('merge' in found)) throw new Error('the change was merged');
  expect(found.merge.conflicts.map(({ path }) => path)).toEqual([['gold']]);
  expect(settled(theirs, found.merge.build('theirs'))).toEqual({
    base: theirs,
    next: json('{"gold":5,"name":"Ida"}'),
    mergedVersion: 2,
  });
});
