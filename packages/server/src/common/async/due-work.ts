/**
 * Work that falls due, on every node: looks for it at intervals, and begins what there is room for. Whoever has a share of the room, such as
 * an account, cannot take that of others.
 */
import type { Awaitable } from './awaitable.ts';

/** Work under way counts in each of its shares. */
interface Share {
  readonly name: string;
  readonly max: number;
}

export interface DueWorkParts<Item> {
  /** How much may be under way. */
  readonly runningMax: number;
  /** The share of the item's owner, then others. */
  sharesOf(item: Item): readonly Share[];
  /** What is due, and in how many milliseconds the next follows, if that is known. `busy` are the names of full shares. */
  look(busy: readonly string[]): Awaitable<{ readonly due: readonly Item[]; readonly nextIn: number | undefined }>;
  /** Carries out what is due; `wake` says that more may be due. */
  carryOut(item: Item, wake: () => void): Promise<void>;
  /** Called with a fault of the store or the program. */
  readonly onFault: (error: unknown) => void;
}

export interface DueWork {
  /** Looks for due work, now and at intervals. */
  start(): void;
  /** Looks soon, since something may be due. */
  wake(): void;
  /** Begins nothing more, and resolves when nothing is under way. */
  close(): Promise<void>;
}

/** Nodes look for what others have stored this often. */
const pollMilliseconds = 1_000;
/** The least time between two looks: it doubles from the first to the second with each look that begins nothing. */
const pauseMilliseconds = { min: 10, max: 80 };

/** Counts work under way in its shares. */
class Shares {
  readonly #counts = new Map<string, number>();
  /** The names of those that have no room. */
  readonly full = new Set<string>();

  /** Whether more work fits. As much as an owner's share is kept for owners that have none under way. */
  haveRoom(shares: readonly Share[], room: number): boolean {
    const [owner] = shares;
    const isFirst = owner === undefined || !this.#counts.has(owner.name);
    return room > (isFirst ? 0 : owner.max) && shares.every(({ name }) => !this.full.has(name));
  }

  add(shares: readonly Share[], by: 1 | -1): void {
    for (const { name, max } of shares) {
      const count = (this.#counts.get(name) ?? 0) + by;
      if (count === 0) this.#counts.delete(name);
      else this.#counts.set(name, count);
      if (count < max) this.full.delete(name);
      else this.full.add(name);
    }
  }
}

/** The time between two looks. */
class Pause {
  #milliseconds = pauseMilliseconds.min;
  #lookedAt = Number.NEGATIVE_INFINITY;

  shorten(): void {
    this.#milliseconds = pauseMilliseconds.min;
  }

  /** Called after each look; `hasBegun` says whether it began something. */
  begin(hasBegun: boolean): void {
    this.#milliseconds = hasBegun ? pauseMilliseconds.min : Math.min(2 * this.#milliseconds, pauseMilliseconds.max);
    this.#lookedAt = performance.now();
  }

  /** How long to wait for a look that is wanted in so many milliseconds. */
  extend(milliseconds: number): number {
    return Math.max(pauseMilliseconds.min, milliseconds, this.#lookedAt + this.#milliseconds - performance.now());
  }
}

/** Returns the work. Nothing begins before it is started. */
export function createDueWork<Item>(parts: DueWorkParts<Item>): DueWork {
  const { runningMax, onFault } = parts;
  const running = new Set<Promise<void>>();
  const shares = new Shares();
  let [isStarted, isClosed, isWoken] = [false, false, false];
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const pause = new Pause();

  function begin(item: Item): void {
    shares.add(parts.sharesOf(item), 1);
    const work = parts
      .carryOut(item, wake)
      .catch(onFault)
      .finally(() => {
        running.delete(work);
        shares.add(parts.sharesOf(item), -1);
        pause.shorten();
        wake();
      });
    running.add(work);
  }

  /** Begins what is due, and looks again later. */
  async function look(): Promise<void> {
    isWoken = false;
    let next = pollMilliseconds;
    let hasBegun = false;
    try {
      const { due, nextIn } = await parts.look([...shares.full]);
      // What is due now, and has not begun, waits for other work to end.
      if (nextIn !== undefined && nextIn > 0) next = nextIn;
      for (const item of due) {
        if (isClosed || !shares.haveRoom(parts.sharesOf(item), runningMax - running.size)) continue;
        begin(item);
        hasBegun = true;
      }
    } catch (error) {
      onFault(error);
    }
    looking = undefined;
    pause.begin(hasBegun);
    schedule(isWoken ? 0 : Math.min(next, pollMilliseconds));
  }

  /** Looks in so many milliseconds, or when the pause is over. */
  function schedule(milliseconds: number): void {
    clearTimeout(timer);
    if (isClosed) return;
    timer = setTimeout(() => {
      looking = look();
    }, pause.extend(milliseconds)).unref();
  }

  function wake(): void {
    if (!isStarted || isClosed || isWoken) return;
    isWoken = true;
    if (looking === undefined) schedule(0);
  }

  return {
    start() {
      isStarted = true;
      schedule(0);
    },
    wake,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await looking;
      await Promise.all(running);
    },
  };
}
