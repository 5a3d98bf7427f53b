import type { JsonObject } from '@holdfast/json';
import { describe, expect, it } from 'vitest';
import { compare } from '../json-text/changes.ts';
import { takenBack } from './take-back.ts';

/** The document that the first choice writes, and the paths that it leaves. */
function undone(before: JsonObject, after: JsonObject, now: JsonObject) {
  const { target, left } = takenBack(before, after, now);
  const { changes, build } = compare(now, target);
  const leftPaths = changes.flatMap(({ id, path }) => (left.has(id) ? [path.join('/')] : []));
  return { next: build((id) => !left.has(id)), left: leftPaths };
}

describe('a change that is taken back', () => {
  it('keeps everything that changed since', () => {
    const before = { gold: 100, inventory: ['sword', 'shield'], level: 3 };
    const after = { gold: 50, inventory: ['shield'], level: 3 };
    expect(undone(before, after, { gold: 50, inventory: ['shield'], level: 9, pets: ['cat'] })).toEqual({
      next: { gold: 100, inventory: ['sword', 'shield'], level: 9, pets: ['cat'] },
      left: [],
    });
  });

  it('gives back what a list lost, beside what it gained since, and does not choose values changed since', () => {
    const before = { gold: 100, inventory: ['sword', 'shield'] };
    const after = { gold: 50, inventory: ['shield'] };
    expect(undone(before, after, { gold: 1_050, inventory: ['shield', 'potion'] })).toEqual({
      next: { gold: 1_050, inventory: ['sword', 'shield', 'potion'] },
      left: ['gold', 'inventory/# 1'],
    });
  });

  it('removes what it added, and restores what it removed', () => {
    const item = (id: string, price: number) => ({ id, price });
    const before = { items: [item('a', 1), item('b', 2)] };
    const after = { items: [item('b', 2), item('c', 3)] };
    expect(undone(before, after, { items: [item('b', 7), item('c', 3), item('d', 4)] }).next).toEqual({
      items: [item('a', 1), item('b', 7), item('d', 4)],
    });
  });
});
