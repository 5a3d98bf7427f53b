/** Queued changes: their outcomes for the user, and changes stored by another release of the application. */
import {
  defineMutators,
  type Mutators,
  memoryStorage,
  openQueue,
  type Queue,
  type QueuedChange,
  type Settled,
  type TextStorage,
} from '@holdfast/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Project } from '../support/server.ts';
import { type ClientWorld, openClientWorld } from './world.ts';

let world: ClientWorld;
beforeAll(async () => {
  world = await openClientWorld();
});
afterAll(() => world.server.stop());

interface Save {
  gold: number;
  log?: string[];
}

const addGold = (draft: Save, n: number): void => {
  if (n < 0) throw new Error('that is theft');
  draft.gold += n;
};
const note = (draft: Save, text: string, times = 1): void => {
  draft.log = [...(draft.log ?? []), text.repeat(times)];
};
/** Two releases of an application: the second changes the argument of `addGold` and adds a mutator. */
const first = defineMutators({ addGold, note });
const second = defineMutators({
  addGold: {
    version: 2,
    change: (draft: Save, coins: { gold: number; from: string }) => {
      addGold(draft, coins.gold);
      note(draft, coins.from);
    },
    older: { 1: addGold },
  },
  note,
  reset: (): Save => ({ gold: 0 }),
});

/** A player's device, on a network that can be switched off and delayed. */
async function openDevice(project: Project, storage: TextStorage = memoryStorage(), timeoutMs = 3_000) {
  const network = { isDown: true, hold: undefined as ((method: string) => Promise<void> | undefined) | undefined };
  const reach: typeof fetch = async (input, init) => {
    if (network.isDown) throw new TypeError('no network');
    const response = await fetch(input, init);
    await network.hold?.(init?.method ?? 'GET');
    return response;
  };
  const { userState } = await world.userClientOf<{ userState: Save }>(project, 'ada', { fetch: reach, timeoutMs });
  const settled: Settled[] = [];
  return {
    network,
    userState,
    settled,
    storage,
    open<Defined extends Mutators<Save>>(mutators: Defined) {
      const onSettled = (each: Settled) => settled.push(each);
      const queue = openQueue<Save, Defined>(userState, mutators, {
        name: 'save',
        storage,
        initial: { gold: 0 },
        onSettled,
      });
      onTestFinished(() => queue.close());
      return queue;
    },
  };
}

/** A device with changes that an earlier, always offline page has stored. */
async function openAfter<Defined extends Mutators<Save>>(
  mutators: Defined,
  store: (queue: Queue<Save, Defined>) => Promise<unknown>,
) {
  const project = await world.newProject();
  const earlier = await openDevice(project, memoryStorage(), 100);
  const queue = earlier.open(mutators);
  await store(queue);
  queue.close();
  return openDevice(project, earlier.storage);
}

const short = ({ name, outcome, version }: Settled) => [name, outcome, version];

describe('a change from another release of the application', () => {
  test('is made by the mutator of its version', async () => {
    const device = await openAfter(first, async ({ run }) => {
      await run.addGold(5);
      await run.note('old');
    });
    const after = device.open(second);
    await after.run.addGold({ gold: 2, from: 'shop' });
    expect(await after.preview({ gold: 1 })).toEqual({ gold: 8, log: ['old', 'shop'] });
    expect((await after.list()).map(({ name, version, status }) => [name, version, status])).toEqual([
      ['addGold', 1, 'waiting'],
      ['note', 1, 'waiting'],
      ['addGold', 2, 'waiting'],
    ]);
    device.network.isDown = false;
    await after.flush();
    expect((await device.userState.get())?.state).toEqual({ gold: 7, log: ['old', 'shop'] });
    expect(device.settled.map(short)).toEqual([
      ['addGold', 'applied', 1],
      ['note', 'applied', 1],
      ['addGold', 'applied', 1],
    ]);
  });

  test('without a mutator here is kept and shown, does not hold up the others, and is sent by a release that has one', async () => {
    const device = await openAfter(second, async ({ run }) => {
      await run.note('a');
      await run.addGold({ gold: 2, from: 'shop' });
      await run.reset();
      await run.note('b');
    });
    device.network.isDown = false;
    const older = device.open(first);
    await expect.poll(() => older.pending()).toBe(0);
    await older.flush();
    expect((await device.userState.get())?.state).toEqual({ gold: 0, log: ['a', 'b'] });
    expect(device.settled.map(short)).toEqual([
      ['note', 'applied', 1],
      ['addGold', 'unhandled', undefined],
      ['reset', 'unhandled', undefined],
      ['note', 'applied', 2],
    ]);
    expect(device.settled[1]?.error).toMatchObject({
      code: 'unknown_mutator',
      message: 'cannot make a change: there is no mutator addGold of version 2',
    });
    const kept = [
      { id: 1, name: 'addGold', version: 2, args: [{ gold: 2, from: 'shop' }], status: 'unhandled' },
      { id: 2, name: 'reset', version: 1, args: [], status: 'unhandled' },
    ];
    expect(await older.list()).toMatchObject(kept);
    expect(await older.discard(2)).toBe(true);
    expect(await older.list()).toMatchObject(kept.slice(0, 1));
    older.close();
    const again = device.open(second);
    await expect.poll(() => again.list()).toEqual([]);
    expect((await device.userState.get())?.state).toEqual({ gold: 2, log: ['a', 'b', 'shop'] });
    expect(device.settled.slice(4).map(({ id, ...settled }) => [id, ...short({ id, ...settled })])).toEqual([
      [1, 'addGold', 'applied', 3],
    ]);
  });

  test('with damaged text is kept and shown, and can be discarded', async () => {
    const device = await openAfter(first, async ({ run }) => {
      await run.addGold(5);
      await run.addGold(6);
    });
    await device.storage.set('holdfast:queue:save:ada:0', '{"name":"addGo');
    device.network.isDown = false;
    const queue = device.open(first);
    await queue.flush();
    expect((await device.userState.get())?.state).toEqual({ gold: 6 });
    expect(await queue.list()).toMatchObject([{ id: 0, name: '', version: 0, status: 'unhandled' }]);
    expect(await queue.discard(0)).toBe(true);
    expect([await queue.list(), await queue.discard(0)]).toEqual([[], false]);
  });

  test('needs mutators with matching versions', async () => {
    const { open } = await openDevice(await world.newProject());
    for (const wrong of [
      { version: 0, change: addGold },
      { version: 1.5, change: addGold },
      { version: 2, change: addGold, older: { 2: addGold } },
      { version: 2, change: addGold, older: { one: addGold } },
      { version: 2, older: { 1: addGold } },
      { version: 2, change: addGold, older: { 1: 'addGold' } },
      null,
    ]) {
      expect(() => open({ addGold: wrong as never })).toThrow('the mutator addGold has to be a function');
    }
  });
});

describe('the outcome of a change', () => {
  test('reaches its caller: applied, or refused with the reason', async () => {
    const device = await openDevice(await world.newProject());
    const queue = device.open(first);
    const changes = [
      await queue.run.addGold(5),
      await queue.run.addGold(-1),
      await queue.run.note('x', 300_000), // a document may have 256,000 characters
      await queue.run.note('y'),
    ];
    expect(changes.map(({ id }) => id)).toEqual([0, 1, 2, 3]);
    device.network.isDown = false;
    await queue.flush();
    const outcomes = await Promise.all(changes.map(({ settled }) => settled));
    expect(outcomes).toMatchObject([
      { id: 0, name: 'addGold', args: [5], outcome: 'applied' },
      { id: 1, outcome: 'refused', error: new Error('that is theft') },
      { id: 2, outcome: 'refused', error: { code: 'patch_state_too_large', status: 400 } },
      { id: 3, outcome: 'applied' },
    ]);
    expect(outcomes).toEqual(device.settled);
  });

  test('reaches its tab even if another one sent it', async () => {
    const project = await world.newProject();
    const tab = await openDevice(project, memoryStorage(), 100);
    const queue = tab.open(first);
    const changes = [await queue.run.addGold(5), await queue.run.note('x', 300_000), await queue.run.addGold(-1)];
    const other = await openDevice(project, tab.storage);
    other.network.isDown = false;
    await other.open(first).flush();
    expect(other.settled).toHaveLength(3);
    expect(await queue.list()).toEqual([]);
    await queue.flush();
    expect(await Promise.all(changes.map(({ settled }) => settled))).toMatchObject([
      { id: 0, name: 'addGold', args: [5], outcome: 'applied', version: 1 },
      { id: 1, outcome: 'refused', error: { name: 'HoldfastError', code: 'patch_state_too_large', status: 400 } },
      { id: 2, outcome: 'refused', error: new Error('that is theft') },
    ]);
    expect(tab.settled).toEqual([]);
  });
});

describe('the list of waiting changes', () => {
  test('shows waiting and sending changes, and is empty afterwards', async () => {
    const device = await openDevice(await world.newProject());
    const queue = device.open(first);
    const lists: (readonly QueuedChange[])[] = [];
    onTestFinished(queue.watch((changes) => lists.push(changes)));
    const startedAt = Date.now();
    await queue.run.addGold(5);
    await expect.poll(() => lists.at(-1)).toHaveLength(1);
    const [change] = lists.at(-1) ?? [];
    expect(change).toMatchObject({ id: 0, name: 'addGold', version: 1, args: [5], status: 'waiting' });
    const storedAt = change?.storedAt?.getTime() ?? 0;
    expect(storedAt >= startedAt && storedAt <= Date.now()).toBe(true);
    let release = (): void => {};
    device.network.hold = (method) =>
      method === 'PATCH'
        ? new Promise((resolve) => {
            release = resolve;
          })
        : undefined;
    device.network.isDown = false;
    const sent = queue.flush();
    await expect.poll(() => lists.at(-1)?.map(({ status }) => status)).toEqual(['sending']);
    await queue.run.note('behind');
    await expect.poll(() => lists.at(-1)?.map(({ status }) => status)).toEqual(['sending', 'waiting']);
    expect(await queue.discard(0)).toBe(false);
    await expect.poll(() => release.name).not.toBe('release');
    device.network.hold = undefined;
    release();
    await sent;
    await expect.poll(() => lists.at(-1)).toEqual([]);
    expect((await device.userState.get())?.state).toEqual({ gold: 5, log: ['behind'] });
  });

  test('can be shortened: a discarded change is never sent, even just before it would be', async () => {
    const device = await openDevice(await world.newProject());
    let meanwhile: (() => Promise<unknown>) | undefined;
    const mutators = defineMutators({
      ...first,
      slow: (async (draft: Save) => {
        await meanwhile?.();
        draft.gold += 1000;
      }) as unknown as (draft: Save) => void,
    });
    const queue = device.open(mutators);
    const changes = [
      await queue.run.addGold(1),
      await queue.run.addGold(10),
      await queue.run.slow(),
      await queue.run.addGold(100),
    ];
    expect(await queue.discard(1)).toBe(true);
    expect((await queue.list()).map(({ id }) => id)).toEqual([0, 2, 3]);
    expect(await queue.pending()).toBe(3);
    meanwhile = async () => {
      meanwhile = undefined;
      expect(await queue.discard(3)).toBe(true);
    };
    device.network.isDown = false;
    await queue.flush();
    expect((await device.userState.get())?.state).toEqual({ gold: 1001 });
    const outcomes = await Promise.all(changes.map(({ settled }) => settled));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['applied', 'discarded', 'applied', 'discarded']);
    expect(await queue.list()).toEqual([]);
    expect(await queue.discard(0)).toBe(false);
  });

  test('reports a failure of the storage', async () => {
    const device = await openDevice(await world.newProject());
    const queue = device.open(first);
    await device.storage.set('holdfast:queue:save:ada', 'damaged');
    const errors: string[] = [];
    onTestFinished(queue.watch(() => {}, { onError: ({ code }) => errors.push(code) }));
    await expect.poll(() => errors).toEqual(['storage_failed']);
  });
});
