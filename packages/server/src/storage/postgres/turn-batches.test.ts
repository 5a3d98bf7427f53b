import { expect, test } from 'vitest';
import { StoreFault } from '../store.ts';
import { createTurnBatches, type TurnBatchesOptions } from './turn-batches.ts';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

interface Item {
  readonly group: string;
  readonly id: number;
  readonly size?: number;
}

/** Batches that are answered by hand, with their contents. */
function setUp(options: Partial<TurnBatchesOptions<Item, string>> = {}) {
  const sent: string[] = [];
  const answers: ((outcomes: readonly (string | Promise<string>)[]) => void)[] = [];
  const carryOut = createTurnBatches<Item, string>({
    groupOf: ({ group }) => group,
    sizeOf: ({ size = 1 }) => size,
    sizeMax: 3,
    carryOut: (items) => {
      sent.push(items.map(({ group, id }) => `${group}${id}`).join(' '));
      return new Promise((resolve) => answers.push(resolve));
    },
    ...options,
  });
  return { sent, answers, carryOut };
}

test('items of one turn with the same name are merged, and sent after the turn', async () => {
  const { sent, answers, carryOut } = setUp({ nameOf: ({ id }) => `name ${id}` });
  const first = carryOut({ group: 'x', id: 1 });
  await Promise.resolve(); // other callbacks of the same turn
  const second = carryOut({ group: 'x', id: 1 });
  expect(sent).toEqual([]);
  await nextTurn();
  expect(sent).toEqual(['x1']);
  answers[0]?.(['found']);
  expect(await Promise.all([first, second])).toEqual(['found', 'found']);
});

test('items without names are sent separately, however similar', async () => {
  const { sent, answers, carryOut } = setUp();
  const both = [carryOut({ group: 'x', id: 1 }), carryOut({ group: 'x', id: 1 })];
  await nextTurn();
  expect(sent).toEqual(['x1 x1']);
  answers[0]?.(['first', 'second']);
  expect(await Promise.all(both)).toEqual(['first', 'second']);
});

test('items of one turn are sent together within their group, up to a size, and each gets its own outcome', async () => {
  const { sent, answers, carryOut } = setUp();
  const sizes = [1, 1, 1, 1, 2, 9, 1];
  const all = sizes.map((size, id) => carryOut({ group: id === 1 ? 'y' : 'x', id, size }));
  await nextTurn();
  expect(sent).toEqual(['x0 x2 x3', 'x4', 'x5', 'x6', 'y1']);
  for (const [index, batch] of sent.entries()) answers[index]?.(batch.split(' ').map((item) => `outcome of ${item}`));
  expect(await Promise.all(all)).toEqual(['x0', 'y1', 'x2', 'x3', 'x4', 'x5', 'x6'].map((item) => `outcome of ${item}`));
});

test('an item that arrives while an earlier one of its name is under way is sent separately', async () => {
  const { sent, answers, carryOut } = setUp({ nameOf: ({ id }) => `name ${id}` });
  const first = carryOut({ group: 'x', id: 1 });
  await nextTurn();
  const late = carryOut({ group: 'x', id: 1 });
  await nextTurn();
  expect(sent).toEqual(['x1', 'x1']);
  answers[1]?.(['new']);
  answers[0]?.(['old']);
  expect([await first, await late]).toEqual(['old', 'new']);
});

test('a pending outcome holds up nobody else', async () => {
  const { answers, carryOut } = setUp();
  const [slow, quick] = [carryOut({ group: 'x', id: 1 }), carryOut({ group: 'x', id: 2 })];
  await nextTurn();
  const later = Promise.withResolvers<string>();
  answers[0]?.([later.promise, 'quick']);
  expect(await quick).toBe('quick');
  later.resolve('slow');
  expect(await slow).toBe('slow');
});

test('a failing batch fails all its items, and no later ones', async () => {
  let isDown = true;
  const { carryOut } = setUp({
    carryOut: async (items) => {
      if (isDown) throw new Error('down');
      return items.map(({ id }) => String(id));
    },
  });
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map((id) => carryOut({ group: 'x', id })));
  expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'rejected'));
  isDown = false;
  expect(await carryOut({ group: 'x', id: 5 })).toBe('5');
});

test('an item at fault fails alone: the others of its batch are sent one by one', async () => {
  const { carryOut } = setUp({
    carryOut: async (items) => {
      if (items.some(({ id }) => id === 2)) throw new StoreFault('a value that does not fit');
      return items.map(({ id }) => String(id));
    },
  });
  const outcomes = await Promise.allSettled([1, 2, 3].map((id) => carryOut({ group: 'x', id })));
  expect(outcomes).toMatchObject([{ value: '1' }, { reason: { name: 'StoreFault' } }, { value: '3' }]);
});

test('while as many batches as allowed are under way, items wait and then share one', async () => {
  const { sent, answers, carryOut } = setUp({ underWayMax: 2 });
  const all: Promise<string>[] = [];
  for (let id = 0; id < 5; id++) {
    all.push(carryOut({ group: 'x', id }));
    await nextTurn();
  }
  expect(sent).toEqual(['x0', 'x1']);
  answers[1]?.(['one']);
  expect(await all[1]).toBe('one');
  await nextTurn();
  await nextTurn();
  expect(sent).toEqual(['x0', 'x1', 'x2 x3 x4']);
  answers[2]?.(['two', 'three', 'four']);
  answers[0]?.(['zero']);
  expect(await Promise.all(all)).toEqual(['zero', 'one', 'two', 'three', 'four']);
});
