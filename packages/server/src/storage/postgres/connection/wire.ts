/**
 * One connection. The driver would replace a broken connection itself, and remains of the old connection have been seen in responses on the
 * new one. Each connection therefore has its own driver, which ends with it.
 */
import { channel } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import postgres from 'postgres';
import { newestMigration } from '../../sql/schema/releases.ts';
import { StoreUnavailable } from '../../store.ts';
import { BehindPooler, isOfConnection, NotPrimary } from './faults.ts';
import type { Isolation, Query, Row, Value } from './query.ts';
import type { SocketWatch } from './socket-watch.ts';

export interface Connection {
  readonly query: Query;
  transaction<Result>(isolation: Isolation, work: (query: Query) => Promise<Result>): Promise<Result>;
}

export interface WireOptions {
  /** The address of one server. */
  readonly url: string;
  readonly isPooled: boolean;
  readonly sockets: SocketWatch;
  readonly statementTimeoutMilliseconds: number;
  /** The time limit for connecting. */
  readonly connectMilliseconds: number;
  /** Called once, when the server has first answered. */
  readonly onProven: () => void;
  /** Called once, when nothing more can be sent. */
  readonly onEnd: (wire: Wire) => void;
}

/** The connection name of nodes: it includes the newest migration that they know, except in 0.1.0. */
const connectionName = `holdfast schema ${newestMigration}`;

const closeSeconds = 2;

/** A node that stops in the middle of a transaction loses its locks earlier than others give up waiting for them. */
const idleShare = 0.5;

/** Publishes the text of each statement, without the values of its parameters. Without a subscriber it costs nothing. */
export const statementsSent = channel('holdfast:statements');

/** `bytea`, as plain bytes. */
const bytes = {
  to: 17,
  from: [17],
  serialize: (value: Uint8Array) => `\\x${Buffer.from(value).toString('hex')}`,
  parse: (text: string) => Uint8Array.from(Buffer.from(text.slice(2), 'hex')),
};
const wholeNumber = { to: 20, from: [20], serialize: String, parse: Number };

const connectionEnded = (): StoreUnavailable => new StoreUnavailable('the connection to the database has ended');

type Settle = (error: unknown, result?: unknown) => void;

export class Wire implements Connection {
  readonly #sql: postgres.Sql;
  readonly #prepare: boolean;
  readonly #statementTimeout: string;
  readonly #onProven: WireOptions['onProven'];
  readonly #onEnd: WireOptions['onEnd'];
  #socket: Socket | undefined;
  readonly #unanswered = new Set<Settle>();
  /** Set once the connection has ended; resolves when the driver knows. */
  #givenUp: Promise<void> | undefined;
  /** The number of running writes and transactions. */
  writes = 0;
  isExclusive = false;
  isEnded = false;
  /** Whether the server has answered and accepts writes. */
  isProven = false;

  constructor(options: WireOptions) {
    const { url, isPooled, sockets, statementTimeoutMilliseconds, connectMilliseconds, onProven, onEnd } = options;
    this.#prepare = !isPooled;
    this.#statementTimeout = String(statementTimeoutMilliseconds);
    this.#onProven = onProven;
    this.#onEnd = onEnd;
    this.#sql = postgres(url, {
      max: 1,
      socket: (address: Parameters<SocketWatch['connect']>[0]) => {
        // The driver connects again for statements that wait, even once it was told to end: nobody would use or close that connection.
        if (this.isEnded) throw connectionEnded();
        this.#socket = sockets.connect(address);
        this.#socket.once('error', (error) => this.end(error)).once('close', () => this.end());
        return this.#socket;
      },
      onclose: () => this.end(),
      connect_timeout: connectMilliseconds / 1_000,
      max_lifetime: null,
      prepare: !isPooled,
      fetch_types: false,
      no_subscribe: true,
      onnotice: () => undefined,
      types: { wholeNumber, bytes },
      connection: {
        application_name: connectionName,
        // A pooler that passes connections from client to client accepts no settings.
        ...(isPooled
          ? {}
          : {
              statement_timeout: this.#statementTimeout,
              idle_in_transaction_session_timeout: Math.ceil(statementTimeoutMilliseconds * idleShare),
            }),
      },
    } as unknown as postgres.Options<Record<string, never>>);
  }

  /** Statements and transactions without a response. */
  get underWay(): number {
    return this.#unanswered.size;
  }

  /** Sends a statement or transaction and settles it once, with its response or the end of the connection. */
  send(send: (connection: Connection) => PromiseLike<unknown>, settle: Settle): void {
    const settleOnce: Settle = (error, result) => {
      if (!this.#unanswered.delete(settleOnce)) return;
      if (isOfConnection(error)) this.end(error);
      settle(error, result);
    };
    this.#unanswered.add(settleOnce);
    const sent = this.isProven ? send(this) : this.#prove().then(() => send(this));
    sent.then(
      (result) => settleOnce(undefined, result),
      (error: unknown) => settleOnce(error ?? new StoreUnavailable('the driver failed')),
    );
  }

  readonly query: Query = async (text, values = []) => whole(await this.#run(this.#sql, text, values));

  transaction<Result>(isolation: Isolation, work: (query: Query) => Promise<Result>): Promise<Result> {
    return this.#sql.begin(`isolation level ${isolation}`, (transaction) =>
      // The driver would send what follows on a socket that is gone, and end the process, unless it has given up the connection before.
      work(async (text, values = []) => whole(await this.#run(transaction, text, values))).finally(() => this.#givenUp),
    ) as Promise<Result>;
  }

  /** Ends the connection immediately. Statements without a response fail; whether they were carried out is unknown. */
  end(reason: unknown = connectionEnded()): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.#socket?.destroy();
    this.#givenUp = this.#sql.end({ timeout: 0 }).catch(() => undefined);
    this.#onEnd(this); // first, so that nothing more is sent on it
    for (const settle of [...this.#unanswered]) settle(reason);
  }

  /** Closes the connection properly. Nothing may be running. */
  async close(): Promise<void> {
    this.isEnded = true;
    await this.#sql.end({ timeout: closeSeconds });
    this.#onEnd(this);
  }

  /**
   * Checks the server. A standby would answer reads with old data. A pooler that does not pass on our settings shares connections in an
   * unknown way.
   */
  async #prove(): Promise<void> {
    // One row, always.
    const [row] = await this.query(
      `SELECT current_setting('transaction_read_only') AS only_reads,
         (SELECT setting FROM pg_settings WHERE name = 'statement_timeout') AS statement_timeout`,
    );
    if (row?.only_reads !== 'off') throw new NotPrimary('the server takes no writes: it may stand by for another one');
    if (this.#prepare && row.statement_timeout !== this.#statementTimeout) {
      throw new BehindPooler('statement_timeout did not reach the server');
    }
    this.isProven = true;
    this.#onProven();
  }

  #run(sql: postgres.Sql | postgres.TransactionSql, text: string, values: readonly Value[]): Promise<readonly Row[]> {
    if (this.isEnded) return Promise.reject(connectionEnded());
    if (statementsSent.hasSubscribers) statementsSent.publish(text);
    return sql.unsafe(text, values as postgres.ParameterOrJSON<never>[], { prepare: this.#prepare });
  }
}

/**
 * Returns the rows without the holes that the driver puts before them if the previous statement failed after its first row: its row count
 * continues from there.
 */
const whole = (rows: readonly Row[]): readonly Row[] => (rows.length === 0 || 0 in rows ? rows : rows.filter(() => true));
