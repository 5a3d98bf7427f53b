/** What is used of the runtime beyond its documented interface. If the internals have changed, each function does nothing. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The parser that the runtime keeps on a socket. It calls `onIncoming` for heads, and callbacks under small numbers for everything
 * else.
 */
interface Parser {
  onIncoming?: unknown;
  [callback: number]: unknown;
}

const parserOf = (socket: Socket): Parser | undefined =>
  (socket as Socket & { readonly parser?: Parser | null }).parser ?? undefined;

/**
 * Makes the parser fail at the next head, with a `clientError`, so that the rest of its 64 KiB does not become requests. Otherwise it
 * would make up to 3,600 of them in 4 to 20 ms, for nothing.
 */
export function stopHeads(socket: Socket): void {
  const parser = parserOf(socket);
  if (typeof parser?.onIncoming === 'function') parser.onIncoming = () => -1;
}

/**
 * Makes the parser skip the pieces of bodies. 64 KiB may hold 11,000 of them, which take 6 to 20 ms. The connection has to end, since
 * the rest of its bodies is lost. The runtime uses the parser for other connections later.
 */
export function stopBodies(socket: Socket): void {
  const parser = parserOf(socket);
  for (const callback in parser) {
    const onBody = parser[Number(callback)];
    if (typeof onBody !== 'function' || onBody.name !== 'parserOnBody') continue;
    parser[Number(callback)] = undefined;
    socket.prependOnceListener('close', () => {
      parser[Number(callback)] = onBody;
    });
    return;
  }
}

/** Where the runtime keeps the parsers of a server that wait for the rest of a message. */
interface ParserList {
  active?(): Iterable<{ readonly socket?: Socket | null }>;
}

/** Returns the connections of a server on which a part of a message has come, or nothing yet. */
export function* unfinishedSockets(server: Server): Generator<Socket, void, undefined> {
  const key = Object.getOwnPropertySymbols(server).find(({ description }) => description === 'http.server.connections');
  const list = key && (server as Server & { readonly [key: symbol]: ParserList | undefined })[key];
  for (const { socket } of list?.active?.() ?? []) if (socket) yield socket;
}
