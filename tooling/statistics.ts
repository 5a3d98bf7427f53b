/** Figures of measurements, and counts of outcomes. */

/** A median and the spread around it. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Returns the median of some numbers; NaN for none. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length % 2 === 1) return sorted[Math.floor(middle)] as number;
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** Returns the median with the smallest and the largest value. */
export function spread(numbers: readonly number[]): Spread {
  return { median: median(numbers), low: Math.min(...numbers), high: Math.max(...numbers) };
}

/** Returns a quantile of numbers in ascending order; 0 for none. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Returns the sum of a value of some items. */
export const sumOf = <Item>(items: readonly Item[], value: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + value(item), 0);

/** Counts of each outcome. */
export class Counts<Name = string> extends Map<Name, number> {
  /** Adds one, or this many. */
  add(name: Name, more = 1): void {
    this.set(name, (this.get(name) ?? 0) + more);
  }

  /** A readable list: `200: 3, 412: 1`. */
  override toString(): string {
    return Array.from(this, ([name, count]) => `${name}: ${count}`).join(', ');
  }
}

/** Returns the first faults, with a line for the rest. */
export function firstOf(faults: readonly string[], shown: number): readonly string[] {
  return faults.length <= shown ? faults : [...faults.slice(0, shown), `… and ${faults.length - shown} more`];
}

/** Returns numbers from 0 up to 1, reproducible from the seed (xorshift32). */
export function seededRandom(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 0x1_0000_0000;
  };
}
