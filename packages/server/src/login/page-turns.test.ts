import { describe, expect, it } from 'vitest';
import { createPageTurns } from './page-turns.ts';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('login page turns', () => {
  it('let a bounded number of pages continue in one turn of the loop, in order', async () => {
    const turns = createPageTurns(3);
    const done: number[] = [];
    const page = async (number: number) => {
      await turns.next();
      done.push(number);
    };
    const pages = Promise.all(Array.from({ length: 8 }, (_, number) => page(number)));
    await nextTurn();
    const after = [done.length];
    await nextTurn();
    after.push(done.length);
    await pages;
    expect(after[0]).toBeLessThanOrEqual(6);
    expect(after[1]).toBeLessThanOrEqual(8);
    expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('never delay a single visitor, even after many have waited', async () => {
    const turns = createPageTurns(2);
    expect(turns.next()).toBeUndefined();
    await Promise.all(Array.from({ length: 5 }, () => turns.next()));
    await nextTurn();
    await nextTurn();
    expect(turns.next()).toBeUndefined();
    expect(turns.next()).toBeUndefined();
    expect(turns.next()).toBeInstanceOf(Promise);
  });
});
