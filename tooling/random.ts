/** Reproducible randomness. */

export interface Random {
  /** A whole number from 0 up to, but excluding, `end`. */
  below(end: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** True once in `times` calls. */
  oneIn(times: number): boolean;
  /** Another generator, with a seed of this one. */
  fork(): Random;
}

/** A generator for each seed (SplitMix32), with the same numbers on every machine. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  const below = (end: number): number => next() % end;
  return {
    below,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
    oneIn: (times) => below(times) === 0,
    fork: () => createRandom(below(2 ** 31)),
  };
}

/** A seed for a run without one. */
export function freshSeed(): number {
  return Math.floor(Math.random() * 0x7fffffff);
}
