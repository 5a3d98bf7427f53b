import { expect, test } from 'vitest';
import { diceOf } from './cases.oracle.ts';
import { ChunkedList } from './chunked-list.ts';

test('a list that is filled, read, changed and emptied at any index holds the same as an array', () => {
  for (let seed = 1; seed <= 12; seed++) {
    const dice = diceOf(seed);
    const array = Array.from({ length: [0, 1, 511, 512, 513, 5000][seed % 6] as number }, (_, i) => i);
    const list = new ChunkedList(array);
    // Grows, then shrinks to nothing. A favoured position makes chunks split and become empty.
    for (const growth of [7, 2]) {
      for (let step = 0; step < 12_000; step++) {
        const spot = dice(3) === 0 ? dice(array.length + 1) : Math.min(array.length, dice(40));
        if (dice(10) < growth) {
          array.splice(spot, 0, step);
          list.insert(spot, step);
        } else if (spot < array.length) {
          array.splice(spot, 1);
          list.remove(spot);
        }
        if (spot < array.length) {
          if (list.at(spot) !== array[spot]) throw new Error(`seed ${seed}, step ${step}: element ${spot} differs`);
          if (dice(4) === 0) {
            array[spot] = -step;
            list.set(spot, -step);
          }
        }
      }
      expect(list.length).toBe(array.length);
      expect(list.toArray()).toEqual(array);
    }
    while (array.length > 0) {
      const spot = dice(array.length);
      array.splice(spot, 1);
      list.remove(spot);
    }
    expect(list.toArray()).toEqual([]);
    list.insert(0, 1);
    list.insert(1, 2);
    expect(list.toArray()).toEqual([1, 2]);
  }
});
