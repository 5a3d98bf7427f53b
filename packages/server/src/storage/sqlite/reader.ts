import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { StoreUnavailable } from '../store.ts';
import { openForReading } from './directory/database.ts';
import { isOutage, storeError } from './faults.ts';

type Row = Record<string, SQLOutputValue>;

/**
 * The main thread's connection. Reads are synchronous, see everything committed before they began, and never wait for the writer. If the
 * database cannot be used, the connection is closed, and the next read opens a new one.
 */
export class Reader {
  readonly #path: string;
  #database: DatabaseSync | undefined;
  readonly #statements = new Map<string, StatementSync>();
  #closed = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** Returns the first row, or undefined. Throws `StoreUnavailable` if the database cannot be read, `StoreFault` for any other error. */
  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#read(() => this.#statement(sql).get(...values));
  }

  /** Returns all rows. Throws as `get` does. */
  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#read(() => this.#statement(sql).all(...values));
  }

  /** Runs several reads that all see the same moment. */
  snapshot<T>(work: () => T): T {
    this.get('BEGIN');
    try {
      return work();
    } finally {
      // A failed connection was closed, and its transaction with it.
      if (this.#database?.isTransaction) this.get('COMMIT');
    }
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  close(): void {
    this.#closed = true;
    this.#discard();
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      this.#database ??= openForReading(this.#path);
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #read<T>(work: () => T): T {
    if (this.#closed) throw new StoreUnavailable('cannot read: the store is closed');
    try {
      return work();
    } catch (error) {
      if (isOutage(error)) this.#discard();
      throw storeError('cannot read from the database', error);
    }
  }

  #discard(): void {
    const database = this.#database;
    this.#database = undefined;
    this.#statements.clear();
    try {
      database?.close();
    } catch {
      // It is discarded in any case.
    }
  }
}
