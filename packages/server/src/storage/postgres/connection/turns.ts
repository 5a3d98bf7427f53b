/**
 * Turns of transactions that lock the same row first. In the database each would wait for it on a connection of its own, and a node that
 * stops for a while would keep the lock once for each of them.
 */
export class Turns {
  /** Those that wait behind the one whose turn it is. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Calls `begin` when nothing before it has the turn. It must be followed by `leave`. */
  enter(name: string, begin: () => void): void {
    const waiting = this.#waiting.get(name);
    if (waiting !== undefined) {
      waiting.push(begin);
      return;
    }
    this.#waiting.set(name, []);
    begin();
  }

  /** Ends a turn. */
  leave(name: string): void {
    const next = this.#waiting.get(name)?.shift();
    if (next === undefined) this.#waiting.delete(name);
    else next();
  }
}
