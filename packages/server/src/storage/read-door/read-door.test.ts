import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createParseScheduler } from '../../http/turns/parse-scheduler.ts';
import { type Store, StoreUnavailable } from '../store.ts';
import { createReadDoor, throughReadDoor } from './read-door.ts';

class Refused extends Error {}

const owner = (account: string, subject = 'one') => ({ account, subject });

/** A read door with a clock that advances by 3 ms with each read. */
function open() {
  let time = 0;
  const done: string[] = [];
  const door = createReadDoor({ inTurn: createParseScheduler(0.5, () => time).run, refusal: () => new Refused() });
  const read = (account: string, name: string) =>
    door(owner(account), () => {
      time += 3;
      done.push(name);
      return name;
    });
  return { door, read, done };
}

describe('the read door', () => {
  it('lets the first read in immediately, and one more in each turn of the event loop', async () => {
    const { read, done } = open();
    const all = Array.from({ length: 30 }, (_, n) => read('a', `a${n}`));
    expect(done).toEqual(['a0']);
    for (let turn = 1; turn <= 5; turn++) {
      await nextTurn();
      expect(done.length).toBeLessThanOrEqual(turn + 1);
    }
    expect(await Promise.all(all)).toHaveLength(30);
    expect(done).toEqual(Array.from({ length: 30 }, (_, n) => `a${n}`));
  });

  it('lets accounts in by turns', async () => {
    const { read, done } = open();
    const flood = Array.from({ length: 300 }, (_, n) => read('greedy', `g${n}`));
    await read('other', 'other');
    expect(done.length).toBeLessThanOrEqual(10);
    await Promise.all(flood);
    expect(done).toHaveLength(301);
  });

  it('runs a few reads at a time, half of them from one account', async () => {
    const { door } = open();
    const ends: (() => void)[] = [];
    const begin = (account: string) => door(owner(account), () => new Promise<void>((resolve) => ends.push(resolve)));
    const all = ['a', 'b', 'c'].flatMap((account) => Array.from({ length: 20 }, () => begin(account)));
    const settled = async () => {
      for (let turn = 0; turn < 40; turn++) await nextTurn();
    };
    const [ofOne] = [Array.from({ length: 20 }, () => begin('a'))];
    await settled();
    expect(ends).toHaveLength(8);
    while (ends.length > 0) {
      ends.shift()?.();
      await settled();
      expect(ends.length).toBeLessThanOrEqual(8);
    }
    await Promise.all([...all, ...ofOne]);
  });

  it('refuses a read that would wait too long, and lets others in', async () => {
    const { door, read } = open();
    const flood = Array.from({ length: 6_000 }, () => door(owner('greedy'), () => 1).catch((error: unknown) => error));
    const other = read('other', 'other');
    const refused = (await Promise.all(flood)).filter((outcome) => outcome !== 1);
    expect(refused.length).toBeGreaterThan(1_000);
    expect(refused[0]).toBeInstanceOf(Refused);
    expect(await other).toBe('other');
  });

  it('rejects with the error of a read, and continues', async () => {
    const { door, read } = open();
    await expect(door(owner('a'), () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk');
    await expect(
      door(owner('a'), () => {
        throw new Error('no row');
      }),
    ).rejects.toThrow('no row');
    expect(await read('a', 'next')).toBe('next');
  });

  it('refuses reads that waited as long as one refused by an unreachable store, and no others', async () => {
    const { door, read } = open();
    const ends: (() => void)[] = [];
    const hanging = Array.from({ length: 300 }, () =>
      door(owner('a'), () => new Promise<void>((_, reject) => ends.push(() => reject(new StoreUnavailable('no answer'))))),
    );
    const outcomes = Promise.allSettled(hanging);
    const settle = async () => {
      for (let turn = 0; turn < 20; turn++) await nextTurn();
    };
    await settle();
    expect(ends).toHaveLength(4);
    for (const end of ends.splice(0)) end();
    await settle();
    expect(ends).toHaveLength(4);
    const [later, other] = [read('a', 'later'), read('b', 'other')];
    for (const end of ends.splice(0)) end();
    expect((await outcomes).map(({ status }) => status)).toEqual(Array.from({ length: 300 }, () => 'rejected'));
    expect(ends).toEqual([]);
    expect([await later, await other]).toEqual(['later', 'other']);
  });
});

it('a store sends only its large reads through the door, with their owners', async () => {
  const seen: unknown[] = [];
  const given = {
    listUserStates: async (...args: unknown[]) => args,
    listUsers: async (...args: unknown[]) => args,
    readUserState: (...args: unknown[]) => args,
  };
  const others = new Proxy({}, { get: () => () => undefined });
  const store = new Proxy(given, {
    get: (target, name) => Reflect.get(target, name) ?? Reflect.get(others, name),
  }) as unknown as Store;
  const reads = throughReadDoor(store, (of, read) => {
    seen.push(of);
    return Promise.resolve(read());
  });
  const turned: Store = { ...given, ...reads } as unknown as Store;
  const key = { accountId: 'acc_1', slug: 'p', environment: 'staging', playerId: 'ada' } as const;
  expect(turned.readUserState(key)).toEqual([key]);
  expect(await turned.listUserStates(key, { after: null, itemsMax: 1 })).toEqual([key, { after: null, itemsMax: 1 }]);
  await turned.listUsers('acc_2', { after: null, itemsMax: 1 });
  expect(seen).toEqual([
    { account: 'acc_1', subject: 'reads of p/staging/ada' },
    { account: 'acc_2', subject: '' },
  ]);
});
