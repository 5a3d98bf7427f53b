/**
 * Turns of transactions that lock the same row first. In the database each would wait for it on a connection of its own, and a node that
 * stops for a while would keep the lock once for each of them.
 */
export class Turns {
  /** Those that wait behind the one whose turn it is. */
  readonly #waiting = new Map<string, (() => boolean)[]>();

  /** Calls `begin` when nothing before it has the turn. It returns whether it takes the turn, until `leave`. */
  enter(name: string, begin: () => boolean): void {
    const waiting = this.#waiting.get(name);
    if (waiting !== undefined) {
      waiting.push(begin);
      return;
    }
    this.#waiting.set(name, []);
    if (!begin()) this.leave(name);
  }

  /** Ends a turn. */
  leave(name: string): void {
    const waiting = this.#waiting.get(name) ?? [];
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) if (next()) return;
    this.#waiting.delete(name);
  }
}
