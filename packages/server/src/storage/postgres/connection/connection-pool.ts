/**
 * Assigns jobs to connections. Reads are pipelined with reads and writes with writes: a write may wait for a lock, and no read may wait
 * behind it. Some connections are always reserved for reads.
 */

import type { DatabaseAddress } from './address.ts';
import { isUnsent } from './faults.ts';
import { SocketWatch } from './socket-watch.ts';
import { type Connection, Wire } from './wire.ts';

/** A transaction has a connection to itself. */
export type JobKind = 'read' | 'write' | 'transaction';

/** A statement or transaction to be sent. */
export interface Job {
  readonly kind: JobKind;
  send(connection: Connection): PromiseLike<unknown>;
  succeed(result: unknown): void;
  fail(error: unknown): void;
  /** Set when no caller waits for it any longer. */
  isOver: boolean;
}

export interface PoolOptions {
  /** How long a connection may leave a statement without a response. */
  readonly silenceMilliseconds: number;
  readonly statementTimeoutMilliseconds: number;
}

/** How many unanswered statements a connection may have. Further statements wait here, where they can be abandoned. */
const pipelinedMax = 8;
/** The pause before another attempt when no server could be reached. */
const retryPauseMilliseconds = 100;
/** With fewer connections than this, reads and writes share them. */
const dividedFrom = 4;

export class ConnectionPool {
  readonly #address: DatabaseAddress;
  readonly #options: PoolOptions;
  readonly #sockets: SocketWatch;
  readonly #wires = new Set<Wire>();
  #reads: Job[] = [];
  /** Writes and transactions. */
  #writes: Job[] = [];
  /** How many connections writes and transactions may take. */
  readonly #writersMax: number;
  readonly #isDivided: boolean;
  /** The index of the server in use, and how many servers in a row could not be reached. */
  #server = 0;
  #unreachable = 0;
  /** Whether the server has answered since a connection last failed to open. Until then only one connection is opened at a time. */
  #isReachable = false;
  #rest: NodeJS.Timeout | undefined;
  #onIdle: (() => void) | undefined;

  constructor(address: DatabaseAddress, options: PoolOptions) {
    const { connectionsMax } = address;
    this.#address = address;
    this.#options = options;
    this.#sockets = new SocketWatch(options.silenceMilliseconds);
    this.#isDivided = connectionsMax >= dividedFrom;
    this.#writersMax = this.#isDivided ? connectionsMax - Math.ceil(connectionsMax / 4) : connectionsMax;
  }

  /** Sends a job as soon as there is a connection for it. */
  take(job: Job): void {
    const waiting = job.kind === 'read' ? this.#reads : this.#writes;
    if (waiting.length > 0 || !this.#begin(job)) waiting.push(job);
  }

  /** Waits for all running and waiting jobs, then ends all connections. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      this.#notifyIdle();
    });
    clearTimeout(this.#rest);
    await Promise.all([...this.#wires].map((wire) => wire.close()));
    this.#sockets.close();
  }

  /** Must be called when a waiting job may have been abandoned. */
  dropAbandoned(): void {
    this.#reads = this.#reads.filter((job) => !job.isOver);
    this.#writes = this.#writes.filter((job) => !job.isOver);
    this.#notifyIdle();
  }

  /** Sends `job` if there is a connection for it. */
  #begin(job: Job): boolean {
    if (job.isOver) return true;
    const wire = this.#find(job.kind);
    if (wire === undefined) return false;
    if (job.kind !== 'read') wire.writes += 1;
    wire.isExclusive = job.kind === 'transaction';
    wire.send(
      (connection) => job.send(connection),
      (error, result) => {
        if (job.kind !== 'read') wire.writes -= 1;
        wire.isExclusive = false;
        if (error === undefined) job.succeed(result);
        else if (isUnsent(error)) this.#tryElsewhere(job, error);
        else job.fail(error);
        this.#beginWaiting();
      },
    );
    return true;
  }

  #beginWaiting(): void {
    for (const waiting of [this.#reads, this.#writes]) {
      let begun = 0;
      while (begun < waiting.length && this.#begin(waiting[begun] as Job)) begun += 1;
      if (begun > 0) waiting.splice(0, begun);
    }
    this.#notifyIdle();
  }

  #notifyIdle(): void {
    const isIdle = this.#reads.length + this.#writes.length === 0 && [...this.#wires].every((wire) => wire.underWay === 0);
    if (isIdle) this.#onIdle?.();
  }

  /** Returns an idle connection, otherwise a new one, otherwise the one with the fewest unanswered statements that `kind` may follow. */
  #find(kind: JobKind): Wire | undefined {
    let writers = 0;
    for (const wire of this.#wires) if (wire.writes > 0) writers += 1;
    const mayTakeOne = kind === 'read' || writers < this.#writersMax;
    let best: Wire | undefined;
    for (const wire of this.#wires) {
      const { underWay } = wire;
      if (underWay === 0 && mayTakeOne) return wire;
      if (underWay > 0 && this.#mayFollow(kind, wire) && underWay < (best?.underWay ?? pipelinedMax)) best = wire;
    }
    return (mayTakeOne ? this.#open() : undefined) ?? best;
  }

  /**
   * Nothing is pipelined through a pooler: PgBouncer before 1.21 gives the server to the next client after the first response, so the
   * response to the next statement goes to the wrong client.
   */
  #mayFollow(kind: JobKind, { writes, underWay, isExclusive, isProven }: Wire): boolean {
    if (kind === 'transaction' || isExclusive || !isProven || this.#address.isPooled) return false;
    return !this.#isDivided || (kind === 'read' ? writes === 0 : writes === underWay);
  }

  #open(): Wire | undefined {
    const { urls, connectionsMax, isPooled, connectMilliseconds } = this.#address;
    if (this.#wires.size >= connectionsMax || this.#rest !== undefined) return undefined;
    if (!this.#isReachable && this.#wires.size > 0) return undefined;
    const wire = new Wire({
      url: urls[this.#server] as string,
      isPooled,
      sockets: this.#sockets,
      statementTimeoutMilliseconds: this.#options.statementTimeoutMilliseconds,
      connectMilliseconds,
      onProven: () => {
        this.#isReachable = true;
        this.#unreachable = 0;
        this.#beginWaiting();
      },
      onEnd: () => {
        this.#wires.delete(wire);
        if (this.#wires.size === 0) this.#isReachable = false;
        this.#beginWaiting();
      },
    });
    this.#wires.add(wire);
    return wire;
  }

  /** Another server may accept a job that this one could not. If none does, the waiting jobs cannot succeed either. */
  #tryElsewhere(job: Job, error: unknown): void {
    this.#isReachable = false;
    this.#unreachable += 1;
    this.#server = (this.#server + 1) % this.#address.urls.length;
    if (this.#unreachable < this.#address.urls.length) {
      this.take(job);
      return;
    }
    this.#unreachable = 0;
    this.#rest ??= setTimeout(() => {
      this.#rest = undefined;
      this.#beginWaiting();
    }, retryPauseMilliseconds);
    const all = [job, ...this.#reads.splice(0), ...this.#writes.splice(0)];
    for (const each of all) each.fail(error);
  }
}
