/**
 * What authorises may change on any node, and every node hears of it within a second: each change leaves a row in the
 * transaction that makes it, and every node looks for new rows several times a second.
 */
import { randomUUID } from 'node:crypto';
import { type BackgroundObserver, BackgroundWork } from '../background.ts';
import { Listeners } from '../listeners.ts';
import type { Database, Isolation, Query } from './connection.ts';

/** Between two looks. What takes them longer must still leave time within the second. */
const lookMilliseconds = 300;
/** After a look that failed: changes must be told within a second, and until the next look everything counts as changed. */
const lookRests = { firstMilliseconds: lookMilliseconds, maxMilliseconds: 600 };
/** A look that has no answer by then may have missed something, and so nothing that was remembered is believed until it has. */
const lateMilliseconds = 600;
/** How far back each look goes: longer than any transaction lasts, so that no row is missed that is committed late. */
const overlapSeconds = 30;
/** For how long rows are kept. */
const keptSeconds = 600;
/** Every so many looks what is older is cleared away. */
const looksPerSweep = 1_000;

export interface AccessChanges {
  onChange(listener: () => void): void;
  /**
   * Runs `work`, which tells with its result whether it has taken anything away, in a transaction; listeners are called
   * before the promise resolves, and also when it failed, since it may have been carried out.
   */
  change<Result>(
    work: (query: Query) => Promise<Result>,
    isWithoutEffect: (result: Result) => boolean,
    isolation?: Isolation,
  ): Promise<Result>;
  close(): Promise<void>;
}

/** Begins to look for changes by other nodes: those that come after this has resolved are all told. */
export async function watchAccess(database: Database, background: BackgroundObserver): Promise<AccessChanges> {
  const watch = new AccessWatch(database, background);
  await watch.start();
  return watch;
}

class AccessWatch implements AccessChanges {
  readonly #database: Database;
  readonly #listeners = new Listeners();
  readonly #work: BackgroundWork;
  /** Ids of changes that were told, and of our own, by when they were seen. */
  readonly #known = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #looks = 0;
  #isClosed = false;

  constructor(database: Database, background: BackgroundObserver) {
    this.#database = database;
    this.#work = new BackgroundWork('changes', background, lookRests);
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Takes note of what has changed until now, which nobody remembers yet. */
  async start(): Promise<void> {
    await this.#findNews();
    this.#schedule(lookMilliseconds);
  }

  async change<Result>(
    work: (query: Query) => Promise<Result>,
    isWithoutEffect: (result: Result) => boolean,
    isolation: Isolation = 'serializable',
  ): Promise<Result> {
    const changeId = randomUUID();
    let isChanged = true;
    try {
      const result = await this.#database.transaction(isolation, async (query) => {
        const outcome = await work(query);
        // One row, always.
        if (!isWithoutEffect(outcome))
          await query('INSERT INTO access_changes (change_id, changed_at) VALUES ($1, now())', [changeId]);
        return outcome;
      });
      isChanged = !isWithoutEffect(result);
      return result;
    } finally {
      if (isChanged) {
        this.#known.set(changeId, performance.now());
        this.#tell();
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  #tell(): void {
    this.#listeners.tell();
  }

  #schedule(milliseconds: number): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().then((rest) => this.#schedule(rest));
    }, milliseconds).unref();
  }

  /**
   * Returns the milliseconds until the next look; never rejects. While the database cannot be asked, everything counts as
   * changed.
   */
  async #look(): Promise<number> {
    const late = setInterval(() => this.#tell(), lateMilliseconds);
    try {
      if (await this.#findNews()) this.#tell();
      this.#forget();
      this.#looks += 1;
      if (this.#looks % looksPerSweep === 0) await this.#sweep();
      this.#work.succeed();
      return lookMilliseconds;
    } catch (error) {
      if (this.#isClosed) return lookMilliseconds;
      this.#tell();
      return this.#work.fail(error);
    } finally {
      clearInterval(late);
    }
  }

  /** Whether anything has changed since the last look. */
  async #findNews(): Promise<boolean> {
    // A row for each change of the last half minute.
    const rows = await this.#database.query(
      `SELECT change_id FROM access_changes WHERE changed_at > now() - interval '${overlapSeconds} seconds'`,
    );
    const now = performance.now();
    let isNews = false;
    for (const { change_id: id } of rows) {
      isNews ||= !this.#known.has(id as string);
      this.#known.set(id as string, now);
    }
    return isNews;
  }

  #forget(): void {
    const before = performance.now() - 2 * overlapSeconds * 1000;
    for (const [id, seenAt] of this.#known) if (seenAt < before) this.#known.delete(id);
  }

  async #sweep(): Promise<void> {
    // Any number of rows.
    await this.#database.query(`DELETE FROM access_changes WHERE changed_at < now() - interval '${keptSeconds} seconds'`);
  }
}
