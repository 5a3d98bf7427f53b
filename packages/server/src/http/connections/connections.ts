/**
 * The listener's connections, limited in total and per address. If there are too many, connections that have not sent a complete request
 * head are closed first.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { storageRetryAfterSeconds } from '@holdfast/contract';
import { clientName } from '../../limits/client-address.ts';
import { errorReply } from '../replies/error-reply.ts';
import type { Reply } from '../replies/reply.ts';

/**
 * The property of an accepted socket that holds its connection, unless the connection was ended here or has closed. Looking it up in a map
 * would take a thousandth of the time of a read.
 */
export const connectionOf = Symbol('connection');
export type KnownSocket = Socket & { [connectionOf]?: Connection | undefined };

/** A connection and its current work. */
export class Connection {
  readonly socket: KnownSocket;
  /** The name under which its address is counted. */
  readonly address: string;
  readonly acceptedAt: number;
  /** The response that is being sent, or the last one sent; undefined until the first request. */
  current: ServerResponse | undefined;
  /** Requests that arrived after the request of `current`, and their assumed size in bytes. */
  waiting = 0;
  waitingBytes = 0;
  /** Whether the connection ends after the waiting requests, without accepting more. */
  isOver = false;

  constructor(socket: KnownSocket, address: string, acceptedAt: number) {
    this.socket = socket;
    this.address = address;
    this.acceptedAt = acceptedAt;
  }

  /** Whether a response is unfinished. */
  get isAnswering(): boolean {
    const { current } = this;
    return current !== undefined && !current.writableFinished && !current.destroyed;
  }

  /** Whether the last request has arrived completely, so that the next bytes begin another head. */
  get awaitsHead(): boolean {
    return this.waiting === 0 && this.current?.req.complete !== false;
  }

  /** Whether a request is arriving, including the rest of an answered one. */
  get isBusy(): boolean {
    return this.waiting > 0 || this.isAnswering || this.current?.req.complete === false;
  }
}

export interface ConnectionsOptions {
  readonly connectionsMax: number;
  /** Whether an address belongs to a proxy, which carries many clients' connections. */
  readonly isProxy: (address: string) => boolean;
  /** Milliseconds. */
  readonly now: () => number;
}

/** An address may have a quarter of all connections, but never less than this many. */
const addressShare = 1 / 4;
const addressConnectionsMin = 256;
/** The interval between inspections of all connections. */
const inspectionMilliseconds = 100;
const clearingMilliseconds = 1_000;
/** A younger connection may have sent a request that has not been read yet. */
const firstRequestGraceMilliseconds = 1_000;

const retryLater = { headers: ['Retry-After', String(storageRetryAfterSeconds)] };
const connectionsExhausted = errorReply(
  'service_unavailable',
  'every connection is taken; repeat the request unchanged later',
  retryLater,
);
const addressConnectionsExhausted = errorReply(
  'service_unavailable',
  'this address has reached its limit of connections; close some, or repeat the request unchanged later',
  retryLater,
);

export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #addressMax: number;
  readonly #all = new Set<Connection>();
  /** The connections of each address, oldest first. */
  readonly #byAddress = new Map<string, Set<Connection>>();
  #clearedAt = Number.NEGATIVE_INFINITY;
  #inspectedAt = Number.NEGATIVE_INFINITY;
  /** Connections that sent no head: the address with the most comes last, and within each address the oldest. */
  #headless: Connection[] = [];

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#addressMax = Math.max(addressConnectionsMin, Math.floor(options.connectionsMax * addressShare));
  }

  get size(): number {
    return this.#all.size;
  }

  [Symbol.iterator](): Iterator<Connection> {
    return this.#all.values();
  }

  /** Accepts a connection, ending another one if necessary; otherwise returns the refusal to send. */
  take(socket: KnownSocket, onClose: (connection: Connection) => void): Reply | undefined {
    const { connectionsMax, isProxy, now } = this.#options;
    const { remoteAddress = '' } = socket;
    const address = clientName(remoteAddress, undefined, undefined);
    const time = now();
    const same = this.#byAddress.get(address);
    if (same !== undefined && same.size >= this.#addressMax && !isProxy(remoteAddress) && !this.#evictAmong(same)) {
      return addressConnectionsExhausted;
    }
    if (this.#all.size >= connectionsMax && !this.#evictHeadless(same?.size ?? 0, time)) {
      this.#clearIdle(time);
      return connectionsExhausted;
    }
    this.#add(new Connection(socket, address, time), onClose);
    return undefined;
  }

  #add(connection: Connection, onClose: (connection: Connection) => void): void {
    const { socket, address } = connection;
    this.#all.add(connection);
    socket[connectionOf] = connection;
    const same = this.#byAddress.get(address);
    if (same === undefined) this.#byAddress.set(address, new Set([connection]));
    else same.add(connection);
    socket.once('close', () => {
      this.#forget(connection);
      onClose(connection);
    });
  }

  #forget(connection: Connection): void {
    const { socket, address } = connection;
    this.#all.delete(connection);
    socket[connectionOf] = undefined;
    const same = this.#byAddress.get(address);
    same?.delete(connection);
    if (same?.size === 0) this.#byAddress.delete(address);
  }

  /** Ends a connection and frees its slot immediately. */
  #end(connection: Connection): void {
    this.#forget(connection);
    connection.socket.destroy();
  }

  /** Ends an address's oldest connection without a request, if any. */
  #evictAmong(connections: Iterable<Connection>): boolean {
    for (const connection of connections) {
      if (connection.isBusy) continue;
      this.#end(connection);
      return true;
    }
    return false;
  }

  /** Ends the oldest connection without a head at the address with the most, unless the newcomer's address has more. */
  #evictHeadless(newcomerConnections: number, time: number): boolean {
    if (this.#headless.length === 0 && time - this.#inspectedAt >= inspectionMilliseconds) {
      this.#inspectedAt = time;
      this.#headless = this.#findHeadless();
    }
    for (;;) {
      const connection = this.#headless.at(-1);
      if (connection === undefined) return false;
      const same = this.#byAddress.get(connection.address);
      if (connection.current === undefined && same?.has(connection)) {
        if (same.size < newcomerConnections) return false;
        this.#headless.pop();
        this.#end(connection);
        return true;
      }
      this.#headless.pop();
    }
  }

  #findHeadless(): Connection[] {
    const found: Connection[] = [];
    const addresses = [...this.#byAddress.values()].sort((a, b) => a.size - b.size);
    for (const connections of addresses) {
      const headless = [...connections].filter(({ current }) => current === undefined);
      found.push(...headless.reverse());
    }
    return found;
  }

  /** Ends idle connections, at most once a second, after starting the requests that have already arrived on them. */
  #clearIdle(time: number): void {
    if (time - this.#clearedAt < clearingMilliseconds) return;
    this.#clearedAt = time;
    setImmediate(() => {
      for (const connection of [...this.#all]) {
        const isYoung = connection.current === undefined && time - connection.acceptedAt < firstRequestGraceMilliseconds;
        if (!isYoung && !connection.isBusy) this.#end(connection);
      }
    });
  }
}
