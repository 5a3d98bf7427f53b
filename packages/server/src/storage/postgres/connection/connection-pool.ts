/**
 * What is sent on which connection. Reads travel pipelined among themselves and writes among themselves: a write may wait for a
 * lock, and no read is to wait behind it. Some connections are always left to reads.
 */

import type { DatabaseAddress } from './address.ts';
import { isUnsent } from './faults.ts';
import { SocketWatch } from './socket-watch.ts';
import { type Connection, Wire } from './wire.ts';

/** A transaction has its connection to itself. */
export type TurnKind = 'read' | 'write' | 'transaction';

/** Something that is to be sent. */
export interface Turn {
  readonly kind: TurnKind;
  readonly send: (connection: Connection) => PromiseLike<unknown>;
  readonly succeed: (result: unknown) => void;
  readonly fail: (error: unknown) => void;
  /** Whether nobody waits for it any more. */
  isOver: boolean;
}

export interface PoolOptions {
  /** For how long a connection may owe an answer. */
  readonly silenceMilliseconds: number;
  readonly statementTimeoutMilliseconds: number;
}

/** Statements on their way at once on one connection. Those beyond wait here, where they can be given up. */
const pipelinedMax = 8;
/** After no server could be reached, until that is tried again. */
const restMilliseconds = 100;
/** With fewer connections than this, reads and writes share them. */
const dividedFrom = 4;

export class ConnectionPool {
  readonly #place: DatabaseAddress;
  readonly #options: PoolOptions;
  readonly #sockets: SocketWatch;
  readonly #wires = new Set<Wire>();
  #reads: Turn[] = [];
  /** Writes and transactions. */
  #writes: Turn[] = [];
  /** Connections that writes and transactions may take. */
  readonly #writersMax: number;
  readonly #isDivided: boolean;
  /** Which of the servers is asked, and how many in a row could not be. */
  #server = 0;
  #unreachable = 0;
  /** Whether the server has answered since a connection could not be made. Until then one is made at a time. */
  #isReachable = false;
  #rest: NodeJS.Timeout | undefined;
  #onRest: (() => void) | undefined;

  constructor(place: DatabaseAddress, options: PoolOptions) {
    const { connectionsMax } = place;
    this.#place = place;
    this.#options = options;
    this.#sockets = new SocketWatch(options.silenceMilliseconds);
    this.#isDivided = connectionsMax >= dividedFrom;
    this.#writersMax = this.#isDivided ? connectionsMax - Math.ceil(connectionsMax / 4) : connectionsMax;
  }

  /** Sends something as soon as there is a connection for it. */
  take(turn: Turn): void {
    const waiting = turn.kind === 'read' ? this.#reads : this.#writes;
    if (waiting.length > 0 || !this.#begin(turn)) waiting.push(turn);
  }

  /** Waits for what is under way and what waits, then ends all connections. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#onRest = resolve;
      this.#tellRest();
    });
    clearTimeout(this.#rest);
    await Promise.all([...this.#wires].map((wire) => wire.close()));
    this.#sockets.close();
  }

  /** To be called when something that waits may be over. */
  tidy(): void {
    this.#reads = this.#reads.filter((turn) => !turn.isOver);
    this.#writes = this.#writes.filter((turn) => !turn.isOver);
    this.#tellRest();
  }

  /** Sends `turn` if there is a connection for it. */
  #begin(turn: Turn): boolean {
    if (turn.isOver) return true;
    const wire = this.#find(turn.kind);
    if (wire === undefined) return false;
    if (turn.kind !== 'read') wire.writes += 1;
    wire.isExclusive = turn.kind === 'transaction';
    wire.send(turn.send, (error, result) => {
      if (turn.kind !== 'read') wire.writes -= 1;
      wire.isExclusive = false;
      if (error === undefined) turn.succeed(result);
      else if (isUnsent(error)) this.#tryElsewhere(turn, error);
      else turn.fail(error);
      this.#beginWaiting();
    });
    return true;
  }

  #beginWaiting(): void {
    for (const waiting of [this.#reads, this.#writes]) {
      let begun = 0;
      while (begun < waiting.length && this.#begin(waiting[begun] as Turn)) begun += 1;
      if (begun > 0) waiting.splice(0, begun);
    }
    this.#tellRest();
  }

  #tellRest(): void {
    const isAtRest =
      this.#reads.length + this.#writes.length === 0 && [...this.#wires].every((wire) => wire.underWay === 0);
    if (isAtRest) this.#onRest?.();
  }

  /** An idle connection, or else a new one, or else the one with the least under way that `kind` may follow. */
  #find(kind: TurnKind): Wire | undefined {
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
   * Nothing follows through a pooler: PgBouncer before 1.21 gives a server to the next client after the first answer, and what
   * was sent behind it is answered to somebody else.
   */
  #mayFollow(kind: TurnKind, { writes, underWay, isExclusive, isProven }: Wire): boolean {
    if (kind === 'transaction' || isExclusive || !isProven || this.#place.isPooled) return false;
    return !this.#isDivided || (kind === 'read' ? writes === 0 : writes === underWay);
  }

  #open(): Wire | undefined {
    const { urls, connectionsMax, isPooled } = this.#place;
    if (this.#wires.size >= connectionsMax || this.#rest !== undefined) return undefined;
    if (!this.#isReachable && this.#wires.size > 0) return undefined;
    const wire = new Wire({
      url: urls[this.#server] as string,
      isPooled,
      sockets: this.#sockets,
      statementTimeoutMilliseconds: this.#options.statementTimeoutMilliseconds,
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

  /** Another of several servers may take what this one could not; when none does, nothing that waits has any prospect either. */
  #tryElsewhere(turn: Turn, error: unknown): void {
    this.#isReachable = false;
    this.#unreachable += 1;
    this.#server = (this.#server + 1) % this.#place.urls.length;
    if (this.#unreachable < this.#place.urls.length) {
      this.take(turn);
      return;
    }
    this.#unreachable = 0;
    this.#rest ??= setTimeout(() => {
      this.#rest = undefined;
      this.#beginWaiting();
    }, restMilliseconds);
    const all = [turn, ...this.#reads.splice(0), ...this.#writes.splice(0)];
    for (const each of all) each.fail(error);
  }
}
