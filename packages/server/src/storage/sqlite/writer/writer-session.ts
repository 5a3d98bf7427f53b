import { statfsSync } from 'node:fs';
import type { QuotaLimits } from '../../contract/usage.ts';
import { integerAt } from '../../rows/columns.ts';
import { readVersionFloor } from '../../sql/upkeep/store-rollback.ts';
import { StoreUnavailable } from '../../store.ts';
import { writerBusyMilliseconds } from '../directory/database.ts';
import { raiseBeat, type StoreMark } from '../directory/mark.ts';
import { isOutage, toFailure } from '../faults.ts';
import { takeSteps } from '../steps.ts';
import { findOrphan, sweepSlice } from '../sweep/sweep.ts';
import type { Command, CommandFailure, CommandName, Reply } from './commands.ts';
import { type CommandRunner, type Connection, connect, forget, runFast, runGuarded, verbOf } from './writer-connection.ts';

/**
 * When the write-ahead log has this many pages of 8 KiB, they are copied into the database. Measured: four times as many pages save a
 * twentieth of the processor time and make the longest pause four times as long.
 */
const checkpointPages = 1_000;

/**
 * When the log has this many pages and they cannot be copied, writing stops: the rest of a nearly full disk belongs to the database,
 * without which the log can never be emptied.
 */
const logPagesMax = 2 * checkpointPages;
const pageBytes = 8_192;

/** Commands of this engine whose deletions must also be removed from the files. */
const forgetting: ReadonlySet<CommandName> = new Set(['clearAccount']);

/** The result of one slice of the sweep. */
export interface Swept {
  /** Whether more may be left to sweep. */
  readonly hasMore: boolean;
  /** Whether another process had changed the database before. */
  readonly hasChanged: boolean;
  /** Whether something that could not be swept earlier still waits for its next attempt. */
  readonly isStuck: boolean;
}

/**
 * The writer's connection, across outages. A failed command is undone alone. After an outage the connection is opened again, and every
 * commit fails until that succeeds.
 */
export class WriterSession {
  readonly #path: string;
  readonly #quotas: QuotaLimits;
  readonly #roomOf: (path: string) => number;
  #connection: Connection | undefined;
  /** `PRAGMA data_version` when last read; it changes through other connections only. Undefined: anything may differ. */
  #dataVersion: number | undefined;
  /** Whether the write-ahead log may hold data that was deleted to be forgotten. */
  #hasToForget = false;
  #hasUnmarked = false;
  /** Whether the write-ahead log is at its bound, and could not be copied. */
  #isLogFull = false;
  /** The pages of the write-ahead log that cannot be copied yet, since a reader uses the state before them. */
  #pagesStillRead = 0;
  /** The orphan that could not be swept at the last attempt. All other orphans come first. */
  #stuckOrphan: number | undefined;

  /** `roomOf` returns the free bytes of the disk that holds a path. */
  constructor(path: string, quotas: QuotaLimits, roomOf = bytesLeft) {
    this.#path = path;
    this.#quotas = quotas;
    this.#roomOf = roomOf;
  }

  /** Opens the database. Throws if that fails. */
  open(): void {
    const connection = connect(this.#path, this.#quotas);
    this.#connection = connection;
    this.#dataVersion = readDataVersion(connection);
  }

  /** Runs all commands in one transaction. Returns the reply to them; never throws. */
  commit(commands: readonly Command[]): Reply {
    if (this.#isLogFull)
      return { outcomes: failures(commands, new StoreUnavailable('the write-ahead log cannot be emptied')) };
    try {
      return this.#commitWith(runFast, commands);
    } catch (error) {
      return isOutage(error) ? this.#failAll(commands, error) : this.#commitGuarded(commands);
    }
  }

  /**
   * Sweeps one slice in its own transaction. Throws if that fails; the next slice is then taken from a different orphan, if there is one.
   * Does nothing while writes are refused.
   */
  sweep(): Swept {
    if (this.#isLogFull) return { hasMore: false, hasChanged: false, isStuck: true };
    // Looked up before anything is locked or written: usually there is nothing to sweep.
    const connection = this.#connected();
    const { database } = connection;
    const stuck = this.#stuckOrphan;
    const orphan = (stuck === undefined ? undefined : findOrphan(database, stuck)) ?? findOrphan(database);
    if (orphan === undefined) {
      this.#stuckOrphan = undefined;
      if (this.#hasToForget) this.#emptyLog(connection);
      return { hasMore: false, hasChanged: false, isStuck: false };
    }
    this.#hasToForget = true;
    try {
      const hasChanged = this.#transact(connection, () => sweepSlice(database, orphan));
      if (stuck !== undefined && orphan.number <= stuck) this.#stuckOrphan = undefined;
      return { hasMore: true, hasChanged, isStuck: this.#stuckOrphan !== undefined };
    } catch (error) {
      this.#stuckOrphan = orphan.number;
      if (isOutage(error)) this.#discard();
      throw error;
    }
  }

  /** Whether anything other than a check of readiness was written since the last mark. */
  get hasUnmarked(): boolean {
    return this.#hasUnmarked;
  }

  /**
   * Raises the number of the mark (directory/mark.ts) and returns its contents. Throws if that fails. Undefined while writes are refused.
   */
  mark(): StoreMark | undefined {
    if (this.#isLogFull) return undefined;
    const connection = this.#connected();
    try {
      let beat = 0;
      // Changes by other processes are reported by the next check.
      if (this.#transact(connection, () => (beat = raiseBeat(connection.database)))) this.#dataVersion = undefined;
      this.#hasUnmarked = false;
      return { beat, versionFloor: takeSteps(connection.database, readVersionFloor()) };
    } catch (error) {
      if (isOutage(error)) this.#discard();
      throw error;
    }
  }

  /** Whether another process has committed since the last check. Throws if that cannot be determined. */
  hasChanged(): boolean {
    try {
      return this.#noteChange(this.#connected());
    } catch (error) {
      this.#discard();
      throw error;
    }
  }

  /**
   * Returns whether the write-ahead log is long enough to be copied. At its bound, writes are refused until it is copied. Call it after
   * every few writes; never throws.
   */
  checkLogLength(): boolean {
    try {
      const left = pagesLeft(this.#connection?.logLength.get());
      this.#pagesStillRead = Math.min(this.#pagesStillRead, left);
      const pages = left - this.#pagesStillRead;
      if (pages >= logPagesMax) this.#isLogFull = true;
      return pages >= checkpointPages;
    } catch {
      this.#discard();
      return true;
    }
  }

  /**
   * Copies the write-ahead log into the database. Call it when no outcome is awaited. Throws if that fails; the log then grows up to its
   * bound. Pages that a reader still needs are left: the log may then grow for as long as the disk has room to copy it.
   */
  copyLog(): void {
    this.#pagesStillRead = 0;
    try {
      const left = pagesLeft(this.#connected().copyLog.get());
      this.#isLogFull = left >= logPagesMax && left * pageBytes > this.#roomOf(this.#path);
      if (!this.#isLogFull) this.#pagesStillRead = left;
    } catch (error) {
      this.#discard();
      throw error;
    }
    if (this.#isLogFull)
      throw new StoreUnavailable('something reads the database, and the disk has no room for a longer log');
  }

  close(): void {
    this.#discard();
  }

  /**
   * A command has failed through its own fault and may have done only half of its work, so the whole transaction was rolled back. This runs
   * all commands again, each in a savepoint, so that only failing commands are undone.
   */
  #commitGuarded(commands: readonly Command[]): Reply {
    try {
      return this.#commitWith(runGuarded, commands);
    } catch (error) {
      return this.#failAll(commands, error);
    }
  }

  #commitWith(run: CommandRunner, commands: readonly Command[]): Reply {
    const outcomes: unknown[] = [];
    const connection = this.#connected();
    const changed = this.#transact(connection, () => {
      for (const command of commands) {
        outcomes.push(run(connection, command));
        if (command[0] !== 'checkReady') this.#hasUnmarked = true;
        if (forgetting.has(command[0]) || verbOf(command)?.forgets === true) this.#hasToForget = true;
      }
      connection.usage.flush();
    });
    return changed ? { outcomes, changed } : { outcomes };
  }

  /** It may be unknown whether the commands were carried out, so the main thread clears its caches as well. */
  #failAll(commands: readonly Command[], error: unknown): Reply {
    this.#discard();
    return { changed: true, outcomes: failures(commands, error) };
  }

  /** Empties the write-ahead log. If a reader is active, this is left for the next time, without waiting. */
  #emptyLog({ database }: Connection): void {
    database.exec('PRAGMA busy_timeout = 0');
    try {
      const result = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {};
      this.#hasToForget = integerAt(result, 'busy') !== 0;
    } finally {
      database.exec(`PRAGMA busy_timeout = ${writerBusyMilliseconds}`);
    }
  }

  /**
   * Runs `work` in a transaction, which is rolled back if it throws. Returns whether another process had changed the database before it.
   */
  #transact(connection: Connection, work: () => void): boolean {
    let changed = false;
    try {
      connection.begin.run();
      // Inside the transaction no other process can write: caches are exact from here on.
      changed = this.#noteChange(connection);
      work();
      connection.commit.run();
      return changed;
    } catch (error) {
      this.#rollBack(connection);
      if (changed) this.#dataVersion = undefined; // not reported yet: the next check reports it
      throw error;
    }
  }

  #rollBack(connection: Connection): void {
    try {
      if (connection.database.isTransaction) connection.database.exec('ROLLBACK');
      forget(connection);
    } catch {
      this.#discard();
    }
  }

  #noteChange(connection: Connection): boolean {
    const dataVersion = readDataVersion(connection);
    if (dataVersion === this.#dataVersion) return false;
    this.#dataVersion = dataVersion;
    forget(connection);
    return true;
  }

  #connected(): Connection {
    this.#connection ??= connect(this.#path, this.#quotas);
    return this.#connection;
  }

  /** Closes the connection, which rolls back what is open. The next use opens a new one, with empty caches. */
  #discard(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#dataVersion = undefined;
    try {
      connection?.database.close();
    } catch {
      // It is discarded in any case.
    }
  }
}

function failures(commands: readonly Command[], error: unknown): CommandFailure[] {
  const failure = toFailure(error);
  return commands.map(() => ({ failure }));
}

function bytesLeft(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

function pagesLeft(log: Record<string, unknown> | undefined): number {
  return log === undefined ? 0 : Number(log.log) - Number(log.checkpointed);
}

function readDataVersion(connection: Connection): number {
  return integerAt(connection.dataVersion.get() ?? {}, 'data_version');
}
