/** The listening socket: accepts connections within their limits, and passes each request to the pipeline in its turn. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, BlockList, ListenOptions, Server as NetworkServer, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { noteConnection } from '../../common/turns/turns.ts';
import { isTrustedProxy } from '../../limits/client-address.ts';
import { watchUnread } from '../bodies/tiny-chunks.ts';
import { createServer, interceptConnections, keepTickClassAlive, unfinishedSockets } from '../node/node-internals.ts';
import { noteRead, readTurns } from '../turns/read-turns.ts';
import { type Connection, Connections, connectionOf, type KnownSocket } from './connections.ts';
import { createHeadBudget } from './head-budget.ts';
import { refusalsMax } from './open-files.ts';
import { createMalformedReplies, headerBytesMax, headersTimeoutMilliseconds, refuse } from './parser-errors.ts';
import { PipelinedRequests } from './pipelined.ts';

const { Server: NetServer } = process.getBuiltinModule('node:net');

/** How long an idle connection is kept. */
export const keepAliveSeconds = 65;
const shutdownGraceMilliseconds = 10_000;
/** How often `stop` checks whether requests without a connection are done. */
const idlePollMilliseconds = 5;

/**
 * Connections that the operating system completes before they are accepted; accepting this many takes 35 ms. Any more at one moment are
 * dropped, and their clients retry after 1, 3 and 7 s.
 */
const handshakesMax = 2_048;

/**
 * Sockets that listen at one address. The runtime accepts one connection per socket in a turn of the event loop, so a connection behind a
 * thousand others waits for 1,000 turns with one socket, and for about 40 with 32. The operating system spreads connections over them.
 * Linux only: other systems give all connections to the last socket, or do not allow a second one.
 */
const listeningSockets = process.platform === 'linux' ? 32 : 1;

/** `expectsContinue`: the client waits for `100 Continue` before it sends its body. */
export type OnRequest = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => void;

export interface Listener {
  /** The address assigned by the operating system; `port` is never 0. */
  readonly address: AddressInfo;
  /**
   * Stops accepting, lets requests under way finish for up to 10 s, then cuts the rest. `isIdle` returns whether no request is under way:
   * when a client hangs up, its connection closes but its write continues.
   */
  stop(isIdle: () => boolean): Promise<void>;
}

export interface ListenTarget {
  readonly host: string;
  readonly port: number;
  /** At most the number of files that the process may have open (see open-files.ts). */
  readonly connectionsMax: number;
  /** Proxies carry many clients' connections, and may have more of them. */
  readonly trustProxy: BlockList | undefined;
}

/**
 * Listens at the target and passes every well-formed request to `onRequest`. Rejects if the address is not available. `localhost` means
 * both loopback addresses, since clients differ in which they try; IPv6 is omitted on machines without it.
 */
export async function listen(target: ListenTarget, onRequest: OnRequest): Promise<Listener> {
  keepTickClassAlive();
  const take = createConnectionHandler(target, onRequest);
  const isLocalhost = target.host.toLowerCase() === 'localhost';
  const servers = await open(isLocalhost ? '127.0.0.1' : target.host, target.port, take);
  const address = servers[0]?.address() as AddressInfo;
  if (isLocalhost) {
    const second = await open('::1', address.port, take).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') return [];
      for (const server of servers) server.close();
      throw error;
    });
    servers.push(...second);
  }
  return { address, stop: (isIdle) => closeServers(servers, isIdle) };
}

/** Returns one or more servers that listen at one address, and pass their connections and requests to `take`. */
async function open(host: string, port: number, take: (server: Server) => void): Promise<Server[]> {
  const reusePort = listeningSockets > 1;
  // A socket that shares its address does not detect other processes that share it; a socket that does not share does.
  const free = reusePort ? await freePort(host, port) : port;
  const servers: Server[] = [];
  for (let count = 0; count < listeningSockets; count++) {
    const server = createServer({
      maxHeaderSize: headerBytesMax,
      headersTimeout: headersTimeoutMilliseconds,
      requestTimeout: 0, // body-timeout.ts limits the time for bodies
      keepAliveTimeout: keepAliveSeconds * 1000,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false, // the pipeline refuses its absence, in the envelope
      optimizeEmptyRequests: true,
      noDelay: true,
    });
    take(server);
    servers.push(server);
    await bind(server, { host, port: free, reusePort }).catch((error) => {
      for (const opened of servers) opened.close();
      throw error;
    });
  }
  return servers;
}

/** Rejects like `listen` if the target is in use. Port 0 is always free. */
export async function requireFreePort({ host, port }: Pick<ListenTarget, 'host' | 'port'>): Promise<void> {
  if (port !== 0) await freePort(host.toLowerCase() === 'localhost' ? '127.0.0.1' : host, port);
}

/** Returns the port, or a free one for 0. Rejects if the port is in use. */
async function freePort(host: string, port: number): Promise<number> {
  const probe = new NetServer();
  await bind(probe, { host, port });
  const address = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return address.port;
}

function bind(server: NetworkServer, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ ...options, backlog: handshakesMax }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** An error of a connection also closes it. At a `CONNECT` the runtime stops listening for one, and the error would end the process. */
const ignoreError = (): void => undefined;

/** Returns a function that handles a server's connections and requests. Servers that share it share the target's limits. */
function createConnectionHandler(
  { connectionsMax, trustProxy }: ListenTarget,
  onRequest: OnRequest,
): (server: Server) => void {
  const isProxy = (address: string) => isTrustedProxy(address, trustProxy);
  const connections = new Connections({ connectionsMax, isProxy, now: () => performance.now() });
  const servers: Server[] = [];
  /** Open sockets, including those that are being refused. */
  let sockets = 0;
  const heads = createHeadBudget({ count: () => connections.size, unfinished: () => awaitingHeads(servers), isProxy });
  const pipelined = new PipelinedRequests();
  const malformed = createMalformedReplies((socket: KnownSocket) => socket[connectionOf]);

  const begin = (connection: Connection, request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => {
    connection.current = response;
    onRequest(request, response, expectsContinue);
  };
  const beginLater =
    (...held: Parameters<typeof begin>) =>
    () =>
      begin(...held);

  const onHead = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void => {
    const { [connectionOf]: connection }: KnownSocket = request.socket;
    if (connection === undefined) return; // already closed
    noteRead();
    if (request.headers['transfer-encoding'] !== undefined) watchUnread(request);
    if (response.socket !== null) begin(connection, request, response, expectsContinue);
    else pipelined.hold(connection, request, response, beginLater(connection, request, response, expectsContinue));
  };

  let listening = 0;
  let leaveTurns: (() => void) | undefined;

  return (server) => {
    servers.push(server);
    if (listening++ === 0) leaveTurns = readTurns.add(connections);
    server.once('close', () => {
      if (--listening === 0) leaveTurns?.();
    });
    server.on('request', (request, response) => onHead(request, response, false));
    server.on('checkContinue', (request, response) => onHead(request, response, true));
    server.on('checkExpectation', (request, response) => onHead(request, response, false));
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      noteRead();
      malformed.onError(error, socket);
    });
    server.on('connect', ({ socket }) => malformed.refuseConnect(socket));

    interceptConnections(server, (socket, attach) => {
      socket.on('error', ignoreError);
      if (sockets === connectionsMax + refusalsMax) {
        socket.destroy();
        return;
      }
      sockets++;
      socket.once('close', () => sockets--);
      noteConnection();
      readTurns.noteConnection();
      const refusal = connections.take(socket, (connection) => pipelined.forget(connection));
      heads.watch();
      socket.on('end', noteRead);
      if (refusal === undefined) attach();
      else refuse(socket, refusal);
    });
  };
}

function* awaitingHeads(servers: readonly Server[]): Generator<Connection, void, undefined> {
  for (const server of servers) {
    for (const socket of unfinishedSockets(server)) {
      const { [connectionOf]: connection }: KnownSocket = socket;
      if (connection?.awaitsHead) yield connection;
    }
  }
}

/** The runtime's own `close` of an HTTP server ends idle connections first; their clients could then connect again. */
const { close: stopListening } = NetServer.prototype;

/** No connection ends before every socket has stopped listening: a client that reconnected in between would be accepted, then reset. */
async function closeServers(servers: readonly Server[], isIdle: () => boolean): Promise<void> {
  const cutAt = performance.now() + shutdownGraceMilliseconds;
  const closed = servers.map((server) => new Promise<void>((resolve) => stopListening.call(server, () => resolve())));
  for (const server of servers) server.close(); // ends idle connections
  const cut = setTimeout(() => {
    for (const server of servers) server.closeAllConnections();
  }, shutdownGraceMilliseconds);
  await Promise.all(closed);
  clearTimeout(cut);
  while (!isIdle() && performance.now() < cutAt) await sleep(idlePollMilliseconds);
}
