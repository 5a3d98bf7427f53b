/**
 * The connection to the database. Every failure becomes a `StoreError` within two and a half seconds, so a request with two queries fails
 * within five.
 *
 * A single statement is a transaction. If it was sent and no response came, it is unknown whether it was carried out, so it is never
 * repeated here. A transaction that the database has rolled back because of concurrent transactions is retried.
 */

import type { StoreObserver } from '../../contract/store-observer.ts';
import { StoreUnavailable } from '../../store.ts';
import { type DatabaseAddress, databaseAddress } from './address.ts';
import { type AttemptContext, attempt } from './attempt.ts';
import { ConnectionPool, type JobKind } from './connection-pool.ts';
import { Deadlines } from './deadlines.ts';
import { isUnsupported, namesPooler } from './faults.ts';
import type { Isolation, Query } from './query.ts';
import { Turns } from './turns.ts';
import type { Connection } from './wire.ts';

export interface Database {
  /** Runs a single statement. `text` is a constant: each connection prepares it once. Rejects with a `StoreError`. */
  readonly query: Query;
  /**
   * Runs `work` in a transaction, and runs it again if the database reports that it has rolled it back. Of those with the same `turn`, this
   * process runs one at a time, in order.
   */
  transaction<Result>(
    isolation: Isolation,
    work: (query: Query) => Promise<Result>,
    turn?: string | undefined,
  ): Promise<Result>;
  /** The number of writes without an outcome. */
  waiting(): number;
  /** Throws a `StoreFault` if the engine refused a statement in the last minute because it cannot run such statements. */
  requireSupported(): void;
  /** Waits for running statements, then ends all connections. */
  close(): Promise<void>;
}

/** The default time limit of a response. */
const defaultAnswerMilliseconds = 2_400;
/** The database gives up on a statement this much earlier than its caller does, so the connection can be reused. */
const statementMarginMilliseconds = 400;
/** About a day: practically no timeout, but different from the server's own setting. */
const patientTimeoutMilliseconds = 86_399_999;
/** How long the database counts as unfit after it has refused a statement that it cannot run. */
const unsupportedMilliseconds = 60_000;

export interface DatabaseOptions {
  /** Gives statements unlimited time: for work that no request waits for. */
  readonly isPatient?: boolean;
  /** The time limit of a response. */
  readonly answerMilliseconds?: number | undefined;
  /** Observes writes and failures. */
  readonly observer?: StoreObserver | undefined;
}

/** Opens a pool. Connections are opened as needed; nothing is checked before the first statement. */
export function openDatabase(address: DatabaseAddress, options: DatabaseOptions = {}): Database {
  return new PooledDatabase(address, options);
}

/** Runs `work` with one connection, for work that no request waits for, and always closes it. Rejects as `work` does. */
export async function withDatabase<Result>(
  address: DatabaseAddress,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase({ ...address, connectionsMax: 1 }, { isPatient: true });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/**
 * Returns the address of the database of a URL. Detects a pooler in between even if the URL does not name one. Rejects with
 * `StoreUnavailable` if the database cannot be reached within the time limit of a response.
 */
export async function reachDatabase(
  url: string,
  connectionsMax: number,
  answerMilliseconds?: number,
): Promise<DatabaseAddress> {
  const address = databaseAddress(url, connectionsMax, answerMilliseconds);
  const database = openDatabase({ ...address, connectionsMax: 1 }, { answerMilliseconds });
  try {
    await database.query('SELECT 1');
    return address;
  } catch (error) {
    const { cause } = error as Error;
    if (address.isPooled || !(cause instanceof Error) || !namesPooler(cause.message)) throw error;
    return { ...address, isPooled: true };
  } finally {
    await database.close();
  }
}

/** Whether a statement changes nothing and waits for no lock. */
const isReading = (text: string): boolean => /^\s*SELECT\b/.test(text) && !/\bFOR UPDATE\b/.test(text);

class PooledDatabase implements Database {
  readonly #context: AttemptContext;
  /** The kind of each statement, determined once. */
  readonly #kinds = new Map<string, JobKind>();
  #writesUnderWay = 0;
  #isClosed = false;
  #unsupported: { readonly fault: Error; readonly at: number } | undefined;

  constructor(address: DatabaseAddress, options: DatabaseOptions) {
    const { isPatient = false, answerMilliseconds = defaultAnswerMilliseconds, observer } = options;
    const silenceMilliseconds = isPatient ? Number.POSITIVE_INFINITY : answerMilliseconds;
    const timeoutMilliseconds = isPatient ? patientTimeoutMilliseconds : answerMilliseconds - statementMarginMilliseconds;
    this.#context = {
      pool: new ConnectionPool(address, { silenceMilliseconds, statementTimeoutMilliseconds: timeoutMilliseconds }),
      deadlines: new Deadlines(silenceMilliseconds),
      turns: new Turns(),
      observer,
      onEnd: (kind) => {
        if (kind !== 'read') this.#writesUnderWay -= 1;
      },
      onFault: (error, fault) => {
        if (isUnsupported(error)) this.#unsupported = { fault, at: performance.now() };
      },
    };
    observer?.onOpen(() => this.waiting());
  }

  readonly query: Query = (text, values = []) => {
    let kind = this.#kinds.get(text);
    if (kind === undefined) {
      kind = isReading(text) ? 'read' : 'write';
      this.#kinds.set(text, kind);
    }
    return this.#attempt(kind, (connection) => connection.query(text, values));
  };

  transaction<Result>(
    isolation: Isolation,
    work: (query: Query) => Promise<Result>,
    turn?: string | undefined,
  ): Promise<Result> {
    const send = (connection: Connection, isOver: () => boolean) =>
      connection.transaction(isolation, (query) =>
        work((text, values = []) => {
          if (isOver()) throw new StoreUnavailable('the transaction was given up');
          return query(text, values);
        }),
      );
    return this.#attempt('transaction', send, turn);
  }

  waiting(): number {
    return this.#writesUnderWay;
  }

  requireSupported(): void {
    const { fault, at } = this.#unsupported ?? {};
    if (at !== undefined && performance.now() - at < unsupportedMilliseconds) throw fault;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#context.pool.close();
    this.#context.deadlines.close();
  }

  #attempt<Result>(
    kind: JobKind,
    send: (connection: Connection, isOver: () => boolean) => PromiseLike<Result>,
    turn?: string | undefined,
  ): Promise<Result> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailable('the store is closed'));
    if (kind !== 'read') this.#writesUnderWay += 1;
    return attempt(this.#context, { kind, send, turn });
  }
}
