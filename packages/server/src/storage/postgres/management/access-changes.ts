/**
 * Access can change on any node, and every node sees the change within a second. Each change adds a row that names the changed object, in
 * the same transaction, and every node looks for new rows several times a second.
 */

import { randomUUID } from 'node:crypto';
import {
  type AccessChange,
  type AccessListener,
  AccessListeners,
  accountChange,
  everything,
} from '../../caches/access-changes.ts';
import type { BackgroundObserver } from '../../contract/store-observer.ts';
import { type Row, textAt } from '../../rows/columns.ts';
import { BackgroundWork } from '../../sql/upkeep/background-work.ts';
import type { Database } from '../connection/database.ts';
import { arrayLiteral, type Isolation, type Query } from '../connection/query.ts';
import type { RevokedTokenFeed } from '../sign-in/revoked-tokens.ts';

/** The pause between two polls. Delays must still fit within the second. */
const pollMilliseconds = 300;
/** The pauses after a failed poll. Changes must be reported within a second; until a poll succeeds, everything counts as changed. */
const pollBackoff = { firstMilliseconds: pollMilliseconds, maxMilliseconds: 600 };
/** A poll without a response by then may have missed a change, so cached records are not used until it responds. */
const lateMilliseconds = 600;
/** How far back each poll reaches: longer than any transaction lasts, so rows that are committed late are not missed. */
const overlapSeconds = 30;
/** How long rows are kept. */
const keptSeconds = 600;
/** How many polls there are between two deletions of old rows. */
const pollsPerSweep = 1_000;
/**
 * If an account has made more changes than this here within the overlap, a single row about the whole account replaces their rows.
 * Otherwise every node would read, at every poll, as many rows as one account can cause in a loop.
 */
const rowsOfAccountMax = 100;

export interface AccessChanges {
  onChange(listener: AccessListener): void;
  /**
   * Runs `work` in a transaction. Its result says whether it removed the access that `invalidates` names. If so, listeners are called
   * before the promise resolves. They are also called if it failed, since it may have been carried out.
   */
  change<Result>(
    invalidates: AccessChange,
    work: (query: Query) => Promise<Result>,
    isWithoutEffect: (result: Result) => boolean,
    isolation?: Isolation,
    turn?: string,
  ): Promise<Result>;
  close(): Promise<void>;
}

/** A row of this node that other nodes may not have seen yet. */
interface OwnRow {
  readonly changeId: string;
  readonly writtenAt: number;
}

/** Starts polling for changes by other nodes. All changes after this has resolved are reported. */
export async function watchAccess(
  database: Database,
  background: BackgroundObserver,
  ended: RevokedTokenFeed,
): Promise<AccessChanges> {
  const watch = new AccessWatch(database, background, ended);
  await watch.start();
  return watch;
}

class AccessWatch implements AccessChanges {
  readonly #database: Database;
  readonly #listeners = new AccessListeners();
  readonly #ended: RevokedTokenFeed;
  readonly #work: BackgroundWork;
  /** Ids of reported changes and of this node's changes, with the time when each was seen. */
  readonly #known = new Map<string, number>();
  /** Rows about something in an account that were written here within the overlap. */
  readonly #own = new Map<string, OwnRow[]>();
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> = Promise.resolve();
  #polls = 0;
  #isClosed = false;

  constructor(database: Database, background: BackgroundObserver, ended: RevokedTokenFeed) {
    this.#database = database;
    this.#ended = ended;
    this.#work = new BackgroundWork('changes', background, pollBackoff);
  }

  onChange(listener: AccessListener): void {
    this.#listeners.add(listener);
  }

  /** Records the changes so far. Caches are still empty. */
  async start(): Promise<void> {
    await this.#findUnseen();
    this.#schedule(pollMilliseconds);
  }

  async change<Result>(
    invalidates: AccessChange,
    work: (query: Query) => Promise<Result>,
    isWithoutEffect: (result: Result) => boolean,
    isolation: Isolation = 'serializable',
    turn?: string,
  ): Promise<Result> {
    const changeId = randomUUID();
    let isChanged = true;
    try {
      const change = async (query: Query) => {
        const outcome = await work(query);
        if (!isWithoutEffect(outcome)) await insertRow(query, changeId, invalidates);
        return outcome;
      };
      const result = await this.#database.transaction(isolation, change, turn);
      isChanged = !isWithoutEffect(result);
      return result;
    } finally {
      if (isChanged) {
        this.#noteOwn(changeId, invalidates);
        this.#listeners.notify(invalidates);
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#polling;
  }

  #noteOwn(changeId: string, invalidates: AccessChange): void {
    const writtenAt = performance.now();
    this.#known.set(changeId, writtenAt);
    if (!('accountId' in invalidates)) return;
    const rows = this.#own.get(invalidates.accountId);
    if (rows === undefined) this.#own.set(invalidates.accountId, [{ changeId, writtenAt }]);
    else rows.push({ changeId, writtenAt });
  }

  #notifyEverything(): void {
    this.#listeners.notify(everything);
  }

  #schedule(milliseconds: number): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#polling = this.#poll().then((rest) => this.#schedule(rest));
    }, milliseconds).unref();
  }

  /** Returns the milliseconds until the next poll; never rejects. While the database is unreachable, everything counts as changed. */
  async #poll(): Promise<number> {
    const late = setInterval(() => this.#notifyEverything(), lateMilliseconds);
    try {
      const [unseen] = await Promise.all([this.#findUnseen(), this.#ended.poll()]);
      for (const change of unseen) this.#listeners.notify(change);
      this.#forget();
      await this.#foldOwnRows();
      this.#polls += 1;
      if (this.#polls % pollsPerSweep === 0) await this.#sweep();
      this.#work.succeed();
      return pollMilliseconds;
    } catch (error) {
      if (this.#isClosed) return pollMilliseconds;
      this.#notifyEverything();
      return this.#work.fail(error);
    } finally {
      clearInterval(late);
    }
  }

  /** Returns the changes since the last poll. */
  async #findUnseen(): Promise<AccessChange[]> {
    // A row for each change of the last half minute.
    const rows = await this.#database.query(
      `SELECT change_id, subject FROM access_changes
       WHERE changed_at > now() - interval '${overlapSeconds} seconds'`,
    );
    const now = performance.now();
    const unseen = rows.filter((row) => !this.#known.has(textAt(row, 'change_id'))).map(toChange);
    for (const row of rows) this.#known.set(textAt(row, 'change_id'), now);
    return unseen;
  }

  #forget(): void {
    const now = performance.now();
    const before = now - 2 * overlapSeconds * 1000;
    for (const [id, seenAt] of this.#known) if (seenAt < before) this.#known.delete(id);
    const oldest = now - overlapSeconds * 1000;
    for (const [accountId, rows] of this.#own) {
      const recent = rows.filter(({ writtenAt }) => writtenAt > oldest);
      if (recent.length > 0) this.#own.set(accountId, recent);
      else this.#own.delete(accountId);
    }
  }

  /** A node that has not seen the deleted rows sees the row that replaces them. */
  async #foldOwnRows(): Promise<void> {
    for (const [accountId, rows] of this.#own) {
      if (rows.length <= rowsOfAccountMax) continue;
      const changeId = randomUUID();
      await this.#database.transaction('read committed', async (query) => {
        await insertRow(query, changeId, accountChange(accountId));
        // As many rows as are named, unless one was not committed.
        await query('DELETE FROM access_changes WHERE change_id = ANY($1::uuid[])', [
          arrayLiteral(rows.map((row) => row.changeId)),
        ]);
      });
      this.#known.set(changeId, performance.now());
      this.#own.set(accountId, [{ changeId, writtenAt: performance.now() }]);
    }
  }

  async #sweep(): Promise<void> {
    // Any number of rows.
    await this.#database.query(`DELETE FROM access_changes WHERE changed_at < now() - interval '${keptSeconds} seconds'`);
  }
}

/** Adds the row of a change, which every node finds within a second. */
export async function insertRow(query: Query, changeId: string, change: AccessChange): Promise<void> {
  // One row, always.
  await query('INSERT INTO access_changes (change_id, changed_at, subject) VALUES ($1, now(), $2)', [
    changeId,
    JSON.stringify(change),
  ]);
}

/** A kind of change that only a newer release knows counts as a change of everything. */
function toChange({ subject }: Row): AccessChange {
  const { kind, accountId, slug, keyId, purpose, player } = JSON.parse(subject as string) as Readonly<
    Record<string, string>
  >;
  if (kind === 'signing_keys' && (purpose === 'access_token' || purpose === 'id_token')) return { kind, purpose };
  if (accountId === undefined) return everything;
  if (kind === 'account') return { kind, accountId };
  if (kind === 'player' && player !== undefined) return { kind, accountId, slug: slug ?? null, player };
  if (slug === undefined) return everything;
  if (kind === 'project') return { kind, accountId, slug };
  return kind === 'api_key' && keyId !== undefined ? { kind, accountId, slug, keyId } : everything;
}
