/**
 * One process's view of a window of a limit that all processes of the store share. A grant is used up here without asking the
 * store, and the next allotment is requested before it is needed.
 */
import { hash } from 'node:crypto';
import { type Awaitable, mapAwaitable } from '../common/async/awaitable.ts';
import type { WindowVerbs } from '../storage/contract/engine-verbs.ts';
import type { Allotment, RateWindow } from '../storage/contract/usage.ts';

/** The source of allotments of windows. */
export interface WindowSource {
  /** The most that all processes together may take from a window. */
  readonly limit: number;
  /** The size of a request for an allotment, unless more callers wait. */
  readonly allotment: number;
  ask(name: string, wanted: number, now: number): Awaitable<Allotment>;
  /** Returns some for all processes. `forgotten`: this process must keep count of it. */
  returnAllotments(name: string, endsAt: number, count: number): Promise<'returned' | 'forgotten'>;
}

/** Returns the hash under which the store keeps a window. */
export const windowHash = (kind: string, name: string): RateWindow['windowHash'] =>
  hash('sha256', `${kind}\n${name}`, 'buffer');

/** A limit: its subject, its maximum, and the length of its windows. */
export interface Limit {
  readonly name: string;
  readonly countMax: number;
  readonly windowSeconds: number;
}

/** Returns the source of the windows of a limit. Each begins with its first count. */
export function windowsOf(store: WindowVerbs, limit: Limit, allotment: number): WindowSource {
  const { name: kind, countMax, windowSeconds } = limit;
  return {
    limit: countMax,
    allotment,
    ask: (name, wanted, now) =>
      store.takeFromWindow(
        { windowHash: windowHash(kind, name), limit: countMax, endsAt: now + windowSeconds * 1000 },
        { wanted, used: 0, now },
      ),
    returnAllotments: (name, endsAt, count) => store.returnToWindow(windowHash(kind, name), endsAt, count),
  };
}

/**
 * Returns a function that opens the windows of a limit by name. Shares are of one, so no process holds anything that another could
 * need.
 */
export const windowOpener =
  (store: WindowVerbs) =>
  (limit: Limit): ((name: string) => SharedWindow) => {
    const source = windowsOf(store, limit, 1);
    return (name) => new SharedWindow(source, name);
  };

/** Times are in milliseconds; `now` is the time of the request. */
export class SharedWindow {
  readonly #source: WindowSource;
  readonly #name: string;
  #endsAt = Number.NEGATIVE_INFINITY;
  /** Unused grants of this process. */
  #held = 0;
  /** The remainder in the store when it was last asked. */
  #left = 0;
  /** Requests that wait for an allotment. */
  #waiting = 0;
  /** Resolves when the requested allotment has arrived. The store is asked for one at a time. */
  #asked: Promise<void> | undefined = undefined;

  constructor(source: WindowSource, name: string) {
    this.#source = source;
    this.#name = name;
  }

  /** Valid while the window lasts. */
  get endsAt(): number {
    return this.#endsAt;
  }

  /** The most that may be taken from it. */
  get limit(): number {
    return this.#source.limit;
  }

  /** The total left, as far as this process knows. */
  get remaining(): number {
    return this.#held + this.#left;
  }

  /** Whether this process holds anything that another could use. */
  get isHolding(): boolean {
    return this.#held > 0;
  }

  hasEnded(now: number): boolean {
    return this.#endsAt <= now;
  }

  /** Whether nothing is left until the window ends, so the store is not asked. */
  isSpent(now: number): boolean {
    return this.#held === 0 && this.#left === 0 && this.#endsAt > now;
  }

  /** Takes one, and returns whether there was one to take. Rejects with `StoreUnavailable` if no allotment can be had. */
  take(now: number): Awaitable<boolean> {
    if (this.#takeHeld(now)) return true;
    if (this.isSpent(now)) return false;
    if (this.#asked === undefined && this.#ask(now) === undefined) return this.#takeHeld(now);
    return this.#takeLater(now);
  }

  /** Puts back one that was taken but not used. */
  putBack(now: number): void {
    if (this.#endsAt > now) this.#held += 1;
  }

  /**
   * Returns one that this or another process has taken, so that any of them may take it. Rejects with `StoreUnavailable` if the store
   * cannot take it back.
   */
  async refund(now: number): Promise<void> {
    // If another process began the window, its end is unknown until the store is asked.
    const isKnown = this.#endsAt > now;
    const taken = !isKnown && (await this.take(now)) ? 1 : 0;
    const outcome = await this.#source.returnAllotments(this.#name, this.#endsAt, taken + 1);
    if (outcome === 'returned') this.#left += taken + 1;
    else if (this.#endsAt > now) this.#held += isKnown ? 1 : taken;
  }

  /** Returns this process's allotments for the store to take back, once a requested one has arrived. Keeps none. */
  async release(): Promise<{ readonly endsAt: number; readonly count: number }> {
    await this.#asked?.catch(() => undefined);
    const count = this.#held;
    this.#held = 0;
    this.#left += count;
    return { endsAt: this.#endsAt, count };
  }

  /** Makes the next request ask the store again, although nothing was left: another process may have returned some. */
  askAgain(): void {
    this.#left = Math.max(this.#left, 1);
  }

  #takeHeld(now: number): boolean {
    if (this.#held === 0 || this.#endsAt <= now) return false;
    this.#held -= 1;
    // Half an allotment lasts until the next one comes. Allotments of one are not requested ahead.
    if (this.#left > 0 && this.#held < this.#source.allotment >> 1 && this.#asked === undefined) {
      // If this fails, the request that needs the allotment asks again and gets the error.
      this.#ask(now)?.catch(() => undefined);
    }
    return true;
  }

  async #takeLater(now: number): Promise<boolean> {
    this.#waiting += 1;
    try {
      for (;;) {
        await (this.#asked ?? this.#ask(now));
        if (this.#takeHeld(now)) return true;
        if (this.isSpent(now)) return false;
      }
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Requests an allotment, enough for all that wait. Returns undefined if the store answers synchronously. */
  #ask(now: number): Promise<void> | undefined {
    const allotment = this.#source.ask(this.#name, Math.max(this.#source.allotment, this.#waiting), now);
    const accepted = mapAwaitable(allotment, (granted) => this.#accept(granted));
    this.#asked = accepted?.finally(() => {
      this.#asked = undefined;
    });
    return this.#asked;
  }

  #accept({ granted, left, endsAt }: Allotment): void {
    if (endsAt !== this.#endsAt) this.#held = 0;
    this.#endsAt = endsAt;
    this.#held += granted;
    this.#left = left;
  }
}
