/**
 * One call of the database, from its turn to its outcome. It is given up at the deadline, and sent again if the database has rolled it back.
 */
import type { StoreObserver } from '../../contract/store-observer.ts';
import { StoreUnavailable } from '../../store.ts';
import type { ConnectionPool, Job, JobKind } from './connection-pool.ts';
import type { Deadline, Deadlines } from './deadlines.ts';
import { databaseFault, isRolledBack } from './faults.ts';
import type { Turns } from './turns.ts';
import type { Connection } from './wire.ts';

/** What the attempts of one database share. */
export interface AttemptContext {
  readonly pool: ConnectionPool;
  readonly deadlines: Deadlines;
  readonly turns: Turns;
  readonly observer: StoreObserver | undefined;
  /** Called once for each attempt, before its outcome is returned. */
  onEnd(kind: JobKind): void;
  /** Called with the error of a failed attempt, and the fault that its caller gets. */
  onFault(error: unknown, fault: Error): void;
}

export interface AttemptCall<Result> {
  readonly kind: JobKind;
  /** Sends the statements. `isOver`: whether the attempt was given up. */
  readonly send: (connection: Connection, isOver: () => boolean) => PromiseLike<Result>;
  /** Calls with the same turn run one at a time; undefined: the call needs no turn. */
  readonly turn: string | undefined;
}

const triesMax = 21;

/** Carries out a call. Rejects with a `StoreError`. */
export const attempt = <Result>(context: AttemptContext, call: AttemptCall<Result>): Promise<Result> =>
  new Promise((resolve, reject) => new Attempt(context, call, { resolve, reject }).begin());

class Attempt<Result> implements Job {
  isOver = false;
  readonly #context: AttemptContext;
  readonly #call: AttemptCall<Result>;
  readonly #outcome: { readonly resolve: (result: Result) => void; readonly reject: (fault: Error) => void };
  readonly #deadline: Deadline;
  readonly #begunAt: number;
  /** The number of times it was queued. */
  #tries = 1;
  /** Whether the current try is with the database. */
  #isSent = false;
  /** Whether others wait until this attempt leaves the turn. */
  #hasTurn = false;

  constructor(
    context: AttemptContext,
    call: AttemptCall<Result>,
    outcome: { readonly resolve: (result: Result) => void; readonly reject: (fault: Error) => void },
  ) {
    this.#context = context;
    this.#call = call;
    this.#outcome = outcome;
    this.#begunAt = this.#isWrite && context.observer !== undefined ? performance.now() : 0;
    this.#deadline = context.deadlines.add(() => this.#giveUp());
  }

  get kind(): JobKind {
    return this.#call.kind;
  }

  get #isWrite(): boolean {
    return this.#call.kind !== 'read';
  }

  /** Queues it as soon as it has its turn, if it needs one. */
  begin(): void {
    const { turns, pool } = this.#context;
    const { turn } = this.#call;
    if (turn === undefined) {
      pool.take(this);
      return;
    }
    turns.enter(turn, () => {
      if (this.isOver) return false;
      this.#hasTurn = true;
      pool.take(this);
      return true;
    });
  }

  send(connection: Connection): PromiseLike<Result> {
    this.#isSent = true;
    return this.#call.send(connection, () => this.isOver);
  }

  succeed(result: unknown): void {
    this.#leaveTurn();
    if (this.isOver) return;
    this.#end();
    if (this.#isWrite) this.#context.observer?.onCommit(1, performance.now() - this.#begunAt);
    this.#outcome.resolve(result as Result);
  }

  fail(error: unknown): void {
    if (isRolledBack(error) && this.#tries < triesMax && !this.isOver) {
      this.#sendAgain();
      return;
    }
    this.#leaveTurn();
    this.#endWith(error);
  }

  /** Queues it again, after a pause that grows with the tries. It keeps its turn. */
  #sendAgain(): void {
    this.#isSent = false;
    setTimeout(() => this.#context.pool.take(this), Math.random() * Math.min(200, 2 ** this.#tries));
    this.#tries += 1;
  }

  /** An attempt that was sent keeps its turn until the database answers: it may still have its lock. */
  #giveUp(): void {
    this.#endWith(new StoreUnavailable('the database did not answer in time'));
    this.#context.pool.dropAbandoned();
    if (!this.#isSent) this.#leaveTurn();
  }

  #endWith(error: unknown): void {
    if (this.isOver) return;
    this.#end();
    this.#context.observer?.onFailure(1);
    const fault = databaseFault(error);
    this.#context.onFault(error, fault);
    this.#outcome.reject(fault);
  }

  #end(): void {
    this.isOver = true;
    this.#deadline.isMet = true;
    this.#context.onEnd(this.#call.kind);
  }

  #leaveTurn(): void {
    if (this.#hasTurn) this.#context.turns.leave(this.#call.turn as string);
    this.#hasTurn = false;
  }
}
