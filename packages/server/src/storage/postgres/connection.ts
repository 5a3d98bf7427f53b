/**
 * The way to the database: a pool of connections over which statements travel pipelined. Whatever goes wrong on it comes out
 * as `StoreUnavailable`, within four seconds.
 *
 * A statement by itself is a transaction: once it was sent and no answer came, nobody knows whether it was carried out, and it
 * is never repeated here. What the database itself says it has rolled back, for the sake of others that ran at the same time,
 * is tried again.
 */
import postgres from 'postgres';
import { StoreUnavailable } from '../store.ts';
import type { StoreObserver } from '../store-observer.ts';
import { Deadlines } from './deadlines.ts';
import { databaseFault, isRolledBack } from './faults.ts';
import type { DatabasePlace } from './place.ts';
import { SocketWatch } from './socket-watch.ts';

export type Value = string | number | boolean | null | Uint8Array;
export type Row = Readonly<Record<string, unknown>>;

/** Runs one statement and gives its rows. */
export type Query = (text: string, values?: readonly Value[]) => Promise<readonly Row[]>;

/** `serializable` keeps several statements exact without a thought; `read committed` sees what was committed while it waited for a lock. */
export type Isolation = 'serializable' | 'read committed';

export interface Database {
  /**
   * Runs one statement by itself. `text` is a constant: it is prepared once for each connection. Rejects with
   * `StoreUnavailable`.
   */
  readonly query: Query;
  /** Runs `work` in a transaction, from the beginning again when the database says that it has rolled it back. */
  transaction<Result>(isolation: Isolation, work: (query: Query) => Promise<Result>): Promise<Result>;
  /** Statements and transactions that have no answer yet. */
  waiting(): number;
  /** Waits for what is under way, then ends all connections. */
  close(): Promise<void>;
}

/** Less than the five seconds within which a request must be told that the database is unavailable. */
const deadlineMilliseconds = 4_000;
/** The database gives up on a statement before its caller does, and so its connection can go on. */
const statementTimeoutMilliseconds = 3_500;
const connectTimeoutSeconds = 3;
const reconnectSecondsMax = 1;
/** Statements on their way at once, for each connection. Those beyond wait here, where they can be given up. */
const pipelinedPerConnection = 8;
const retriesMax = 20;

/** `bytea`, as plain bytes. */
const bytes = {
  to: 17,
  from: [17],
  serialize: (value: Uint8Array) => `\\x${Buffer.from(value).toString('hex')}`,
  parse: (text: string) => Uint8Array.from(Buffer.from(text.slice(2), 'hex')),
};

/** What waits for its turn. */
interface Turn {
  readonly begin: () => void;
  isOver: boolean;
}

export interface DatabaseOptions {
  /** Gives statements as long as they take: for work that nobody waits for at the other end of a request. */
  readonly isPatient?: boolean;
  /** Is told of statements and transactions, those that only read included. */
  readonly observer?: StoreObserver | undefined;
}

/** Opens a pool. Connections are made when they are needed; nothing is known of the database before the first statement. */
export function openDatabase(place: DatabasePlace, options: DatabaseOptions = {}): Database {
  return new PooledDatabase(place, options);
}

class PooledDatabase implements Database {
  readonly #sql: postgres.Sql;
  readonly #isPrepared: boolean;
  readonly #observer: StoreObserver | undefined;
  readonly #sockets: SocketWatch;
  readonly #deadlines: Deadlines;
  readonly #underWayMax: number;
  #underWay = 0;
  #waiting: Turn[] = [];
  #isClosed = false;

  constructor({ url, connectionsMax, isPooled }: DatabasePlace, { isPatient = false, observer }: DatabaseOptions) {
    const answerMilliseconds = isPatient ? Number.POSITIVE_INFINITY : deadlineMilliseconds;
    this.#sockets = new SocketWatch(answerMilliseconds);
    this.#deadlines = new Deadlines(answerMilliseconds);
    this.#isPrepared = !isPooled;
    this.#observer = observer;
    this.#underWayMax = connectionsMax * pipelinedPerConnection;
    this.#sql = postgres(url, {
      max: connectionsMax,
      socket: this.#sockets.connect,
      connect_timeout: connectTimeoutSeconds,
      backoff: (tries: number) => Math.min(reconnectSecondsMax, 0.05 * 2 ** tries),
      prepare: !isPooled,
      fetch_types: false,
      onnotice: () => undefined,
      types: { wholeNumber: { to: 20, from: [20], serialize: String, parse: Number }, bytes },
      connection: {
        application_name: 'holdfast',
        // A pooler that hands connections from one client to the next takes no settings of one client.
        ...(isPooled ? {} : { statement_timeout: String(isPatient ? 0 : statementTimeoutMilliseconds) }),
      },
    } as unknown as postgres.Options<Record<string, never>>);
    observer?.onOpen(() => this.waiting());
  }

  readonly query: Query = (text, values = []) =>
    this.#attempt(() => this.#sql.unsafe(text, values as postgres.ParameterOrJSON<never>[], { prepare: this.#isPrepared }));

  transaction<Result>(isolation: Isolation, work: (query: Query) => Promise<Result>): Promise<Result> {
    return this.#attempt((isOver) =>
      this.#sql.begin(`isolation level ${isolation}`, (transaction) =>
        work((text, values = []) => {
          if (isOver()) throw new StoreUnavailable('the transaction was given up');
          return transaction.unsafe(text, values as postgres.ParameterOrJSON<never>[], { prepare: this.#isPrepared });
        }),
      ),
    ) as Promise<Result>;
  }

  waiting(): number {
    return this.#underWay + this.#waiting.length;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#sql.end({ timeout: deadlineMilliseconds / 1000 });
    this.#deadlines.close();
    this.#sockets.close();
  }

  /** Has `send` its turn, gives it up at the deadline, and begins again what the database has rolled back. */
  #attempt<Result>(send: (isOver: () => boolean) => PromiseLike<Result>): Promise<Result> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailable('the store is closed'));
    return new Promise<Result>((resolve, reject) => {
      const turn: Turn = { begin: () => begin(), isOver: false };
      const isOver = () => turn.isOver;
      let tries = 0;
      const begunAt = this.#observer === undefined ? 0 : performance.now();
      const settle = () => {
        turn.isOver = true;
        this.#deadlines.meet(deadline);
      };
      const begin = (): void => {
        send(isOver).then(
          (result) => {
            this.#leave();
            settle();
            this.#observer?.onCommit(1, performance.now() - begunAt);
            resolve(result);
          },
          (error: unknown) => {
            if (isRolledBack(error) && tries < retriesMax && !turn.isOver) {
              tries += 1;
              setTimeout(begin, Math.random() * Math.min(200, 2 ** tries));
              return;
            }
            this.#leave();
            settle();
            this.#observer?.onFailure(1);
            reject(databaseFault(error));
          },
        );
      };
      const deadline = this.#deadlines.add(() => {
        turn.isOver = true;
        reject(new StoreUnavailable(`the database did not answer within ${deadlineMilliseconds / 1000} s`));
      });
      this.#enter(turn);
    });
  }

  #enter(turn: Turn): void {
    if (this.#underWay >= this.#underWayMax) {
      this.#waiting.push(turn);
      return;
    }
    this.#underWay += 1;
    turn.begin();
  }

  #leave(): void {
    this.#underWay -= 1;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (next.isOver) continue;
      this.#enter(next);
      return;
    }
  }
}
