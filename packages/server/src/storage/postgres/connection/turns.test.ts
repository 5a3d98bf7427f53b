import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

it('gives turns in order, one at a time, and others meanwhile', () => {
  const turns = new Turns();
  const begun: string[] = [];
  const begin = (name: string) => () => begun.push(name) > 0;
  for (const name of ['a', 'b', 'c']) turns.enter('one', begin(name));
  turns.enter('another', begin('d'));
  expect(begun).toEqual(['a', 'd']);
  turns.leave('one');
  turns.leave('one');
  expect(begun).toEqual(['a', 'd', 'b', 'c']);
  turns.leave('one');
  turns.enter('one', begin('e'));
  expect(begun.at(-1)).toBe('e');
});

it('passes over any number that no longer want their turn', () => {
  const turns = new Turns();
  const begun: string[] = [];
  turns.enter('one', () => begun.push('first') > 0);
  for (let i = 0; i < 100_000; i++) turns.enter('one', () => false);
  turns.enter('one', () => begun.push('last') > 0);
  turns.leave('one');
  expect(begun).toEqual(['first', 'last']);
  turns.leave('one');
  turns.enter('one', () => false);
  turns.enter('one', () => begun.push('later') > 0);
  expect(begun.at(-1)).toBe('later');
});
