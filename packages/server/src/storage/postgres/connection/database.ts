/**
 * The way to the database. Whatever goes wrong on it comes out as `StoreUnavailable`, within two and a half seconds: a request
 * that asks twice is so told within five that the database is unavailable.
 *
 * A statement by itself is a transaction: once it was sent and no answer came, nobody knows whether it was carried out, and it
 * is never repeated here. What the database itself says it has rolled back, for the sake of others that ran at the same time,
 * is tried again.
 */
import { StoreUnavailable } from '../../store.ts';
import type { StoreObserver } from '../../store-observer.ts';
import { type DatabaseAddress, databaseAddress } from './address.ts';
import { ConnectionPool, type Turn, type TurnKind } from './connection-pool.ts';
import { Deadlines } from './deadlines.ts';
import { databaseFault, isRolledBack, tellsOfPooler } from './faults.ts';
import type { Isolation, Query } from './query.ts';
import type { Connection } from './wire.ts';

export interface Database {
  /**
   * Runs one statement by itself. `text` is a constant: it is prepared once for each connection. Rejects with
   * `StoreUnavailable`.
   */
  readonly query: Query;
  /** Runs `work` in a transaction, from the beginning again when the database says that it has rolled it back. */
  transaction<Result>(isolation: Isolation, work: (query: Query) => Promise<Result>): Promise<Result>;
  /** Writes that have no answer yet. */
  waiting(): number;
  /** Waits for what is under way, then ends all connections. */
  close(): Promise<void>;
}

/** How long an answer may take, everything included, where nothing else is said. */
const defaultAnswerMilliseconds = 2_400;
/** By so much the database gives up on a statement before its caller does, and so the connection can go on. */
const statementMarginMilliseconds = 400;
/** About a day: as good as none, and told apart from what a server has by itself. */
const patientTimeoutMilliseconds = 86_399_999;
const retriesMax = 20;

export interface DatabaseOptions {
  /** Gives statements as long as they take: for work that nobody waits for at the other end of a request. */
  readonly isPatient?: boolean;
  /** How long an answer may take, everything included. */
  readonly answerMilliseconds?: number | undefined;
  /** Is told of writes, and of whatever failed. */
  readonly observer?: StoreObserver | undefined;
}

/** Opens a pool. Connections are made when they are needed; nothing is known of the database before the first statement. */
export function openDatabase(place: DatabaseAddress, options: DatabaseOptions = {}): Database {
  return new PooledDatabase(place, options);
}

/**
 * Returns the way to the database of a URL. A pooler that lies between shows itself, also where the URL does not say so. Rejects
 * with `StoreUnavailable` when the database cannot be reached.
 */
export async function reachDatabase(url: string, connectionsMax: number): Promise<DatabaseAddress> {
  const place = databaseAddress(url, connectionsMax);
  const database = openDatabase({ ...place, connectionsMax: 1 });
  try {
    await database.query('SELECT 1');
    return place;
  } catch (error) {
    const { cause } = error as Error;
    if (place.isPooled || !(cause instanceof Error) || !tellsOfPooler(cause.message)) throw error;
    return { ...place, isPooled: true };
  } finally {
    await database.close();
  }
}

/** Statements that change nothing, which wait for no lock. */
const isReading = (text: string): boolean => /^\s*SELECT\b/.test(text) && !/\bFOR UPDATE\b/.test(text);

class PooledDatabase implements Database {
  readonly #pool: ConnectionPool;
  readonly #deadlines: Deadlines;
  readonly #observer: StoreObserver | undefined;
  /** What kind of turn each statement takes: found out once. */
  readonly #kinds = new Map<string, TurnKind>();
  #writesUnderWay = 0;
  #isClosed = false;

  constructor(place: DatabaseAddress, options: DatabaseOptions) {
    const { isPatient = false, answerMilliseconds = defaultAnswerMilliseconds, observer } = options;
    const silenceMilliseconds = isPatient ? Number.POSITIVE_INFINITY : answerMilliseconds;
    const timeoutMilliseconds = isPatient ? patientTimeoutMilliseconds : answerMilliseconds - statementMarginMilliseconds;
    this.#pool = new ConnectionPool(place, { silenceMilliseconds, statementTimeoutMilliseconds: timeoutMilliseconds });
    this.#deadlines = new Deadlines(silenceMilliseconds);
    this.#observer = observer;
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

  transaction<Result>(isolation: Isolation, work: (query: Query) => Promise<Result>): Promise<Result> {
    return this.#attempt('transaction', (connection, isOver) =>
      connection.transaction(isolation, (query) =>
        work((text, values = []) => {
          if (isOver()) throw new StoreUnavailable('the transaction was given up');
          return query(text, values);
        }),
      ),
    );
  }

  waiting(): number {
    return this.#writesUnderWay;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#pool.close();
    this.#deadlines.close();
  }

  /** Has `send` its turn, gives it up at the deadline, and begins again what the database has rolled back. */
  #attempt<Result>(
    kind: TurnKind,
    send: (connection: Connection, isOver: () => boolean) => PromiseLike<Result>,
  ): Promise<Result> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailable('the store is closed'));
    const isWrite = kind !== 'read';
    if (isWrite) this.#writesUnderWay += 1;
    return new Promise<Result>((resolve, reject) => {
      const begunAt = isWrite && this.#observer !== undefined ? performance.now() : 0;
      let tries = 0;
      const end = () => {
        turn.isOver = true;
        deadline.isMet = true;
        if (isWrite) this.#writesUnderWay -= 1;
      };
      const fail = (error: unknown) => {
        if (turn.isOver) return;
        end();
        this.#observer?.onFailure(1);
        reject(databaseFault(error));
      };
      const turn: Turn = {
        kind,
        isOver: false,
        send: (connection) => send(connection, () => turn.isOver),
        succeed: (result) => {
          if (turn.isOver) return;
          end();
          if (isWrite) this.#observer?.onCommit(1, performance.now() - begunAt);
          resolve(result as Result);
        },
        fail: (error) => {
          if (!isRolledBack(error) || tries >= retriesMax || turn.isOver) return fail(error);
          tries += 1;
          setTimeout(() => this.#pool.take(turn), Math.random() * Math.min(200, 2 ** tries));
        },
      };
      const deadline = this.#deadlines.add(() => {
        fail(new StoreUnavailable('the database did not answer in time'));
        this.#pool.tidy();
      });
      this.#pool.take(turn);
    });
  }
}
