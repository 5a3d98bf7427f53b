import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';

const bounds = { weightMax: 32, accountWeightMax: 24 };
const owner = (account: string, subject = 'one') => ({ account, subject });

/** Takes everything that may be taken. */
function takeAll<Item>(queue: FairQueue<Item>): Item[] {
  const taken: Item[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item);
  return taken;
}

describe('a fair queue', () => {
  it('keeps the order of one owner', () => {
    const queue = new FairQueue<number>(bounds);
    for (let i = 0; i < 5; i++) queue.offer(owner('a'), i, 1);
    expect(takeAll(queue)).toEqual([0, 1, 2, 3, 4]);
    expect(queue.take()).toBeUndefined();
  });

  it('serves accounts in turn, and the subjects of each in turn', () => {
    const queue = new FairQueue<string>(bounds);
    for (const item of ['a1', 'a2', 'a3']) queue.offer(owner('a'), item, 1);
    for (const item of ['a4', 'a5']) queue.offer(owner('a', 'two'), item, 1);
    for (const item of ['b1', 'b2']) queue.offer(owner('b'), item, 1);
    expect(takeAll(queue)).toEqual(['a1', 'b1', 'a4', 'b2', 'a2', 'a5', 'a3']);
  });

  it('continues in turn when an account returns', () => {
    const queue = new FairQueue<string>(bounds);
    for (const item of ['a1', 'a2', 'a3']) queue.offer(owner('a'), item, 1);
    expect(queue.take()).toBe('a1');
    queue.offer(owner('b'), 'b1', 1);
    expect(queue.take()).toBe('a2');
    queue.offer(owner('a'), 'a4', 1);
    expect(takeAll(queue)).toEqual(['b1', 'a3', 'a4']);
  });

  it("gives one owner half of its account's room, and an account at most its own", () => {
    const queue = new FairQueue<string>(bounds);
    const fill = (one: { account: string; subject: string }) => {
      let count = 0;
      while (queue.offer(one, 'x', 1)) count++;
      return count;
    };
    expect(fill(owner('a', 'one'))).toBe(12);
    expect(fill(owner('a', 'two'))).toBe(6);
    expect(fill(owner('a', 'three'))).toBe(3);
    expect(fill(owner('b'))).toBe(6); // of the 11 that are left
    expect(queue.offer(owner('c'), 'x', 1)).toBe(true);
    while (queue.take() !== undefined);
    expect(fill(owner('a', 'one'))).toBe(12);
  });

  it('never exceeds its bound, however many ask', () => {
    const queue = new FairQueue<number>(bounds);
    const taken = Array.from({ length: 1_000 }, (_, i) => queue.offer(owner(`account ${i}`), i, 1)).filter(Boolean);
    expect(taken).toHaveLength(32);
  });

  it('accepts a single item of any weight', () => {
    const queue = new FairQueue<string>(bounds);
    expect(queue.offer(owner('a'), 'huge', 1_000)).toBe(true);
    expect(queue.offer(owner('b'), 'small', 1)).toBe(false);
    expect(queue.take()).toBe('huge');
    expect(queue.offer(owner('b'), 'small', 1)).toBe(true);
  });

  it('skips an account at its maximum until some of its work is done', () => {
    const queue = new FairQueue<string>({ ...bounds, accountTakenMax: 1 });
    for (const item of ['a1', 'a2']) queue.offer(owner('a'), item, 1);
    for (const item of ['b1', 'b2']) queue.offer(owner('b'), item, 1);
    expect(takeAll(queue)).toEqual(['a1', 'b1']);
    queue.done('b');
    expect(takeAll(queue)).toEqual(['b2']);
    queue.done('a');
    expect(takeAll(queue)).toEqual(['a2']);
  });

  it('empties in one call', () => {
    const queue = new FairQueue<string>(bounds);
    queue.offer(owner('a'), 'a1', 20);
    queue.offer(owner('b'), 'b1', 1);
    expect(queue.clear()).toEqual(['a1', 'b1']);
    expect(queue.take()).toBeUndefined();
    expect(queue.offer(owner('a'), 'a2', 16)).toBe(true);
  });
});
