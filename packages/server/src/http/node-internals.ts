/**
 * Every use of `node:http` that its documentation does not cover.
 *
 * The protections (`stopHeads`, `stopBodies`, `unfinishedSockets`) do nothing on a Node without the internals that they use;
 * `missingProtections` names the ones that are off. Serving needs the other functions, and the tests of this file compare them with Node's
 * behaviour.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** The parser that the runtime keeps on a socket. It calls `onIncoming` for heads, and numbered callbacks for everything else. */
interface Parser {
  onIncoming?: unknown;
  [callback: number]: unknown;
}

const parserOf = (socket: Duplex): Parser | undefined =>
  (socket as Duplex & { readonly parser?: Parser | null }).parser ?? undefined;

/** The number of the parser's callback for pieces of bodies; undefined if it has none. */
function bodyCallback(parser: Parser): number | undefined {
  const name = Object.keys(parser).find((each) => (parser[Number(each)] as { name?: unknown })?.name === 'parserOnBody');
  return name === undefined ? undefined : Number(name);
}

/**
 * Makes the parser fail at the next head with a `clientError`, so that the rest of its 64 KiB does not become requests: up to 3,600 of them
 * in 4 to 20 ms, for nothing.
 */
export function stopHeads(socket: Socket): void {
  const parser = parserOf(socket);
  if (typeof parser?.onIncoming === 'function') parser.onIncoming = () => -1;
}

/**
 * Makes the parser skip pieces of bodies. 64 KiB may hold 11,000 of them, which take 6 to 20 ms. The connection must end, since the rest of
 * its bodies is lost. The runtime later uses the parser for other connections.
 */
export function stopBodies(socket: Socket): void {
  const parser = parserOf(socket);
  const callback = parser && bodyCallback(parser);
  if (parser === undefined || callback === undefined) return;
  const onBody = parser[callback];
  parser[callback] = undefined;
  socket.prependOnceListener('close', () => {
    parser[callback] = onBody;
  });
}

/**
 * Calls `inspect` for each piece of a body as the parser delivers it, even while the body is not read. The runtime would then keep each in
 * a separate buffer, and 64 KiB may hold 11,000. A piece for which `inspect` returns false is dropped.
 */
export function watchPieces(request: IncomingMessage, inspect: (piece: Uint8Array) => boolean): void {
  const { push } = request;
  request.push = (piece: Uint8Array | null) => (piece === null || inspect(piece)) && push.call(request, piece);
}

/** Where the runtime keeps the parsers of a server that wait for the rest of a message. */
interface ParserList {
  active?(): Iterable<{ readonly socket?: Socket | null }>;
}

/** Returns the connections of a server that have received part of a message, or nothing yet. */
export function* unfinishedSockets(server: Server): Generator<Socket, void, undefined> {
  const key = Object.getOwnPropertySymbols(server).find(({ description }) => description === 'http.server.connections');
  const list = key && (server as Server & { readonly [key: symbol]: ParserList | undefined })[key];
  for (const { socket } of list?.active?.() ?? []) if (socket) yield socket;
}

/**
 * Calls `onConnection` for each new connection before Node attaches a parser to it; `attach` does that. Needed because an added listener
 * runs after Node's own, when the parser already reads from the socket. Undocumented: a new server has one listener for `connection`, which
 * attaches the parser.
 */
export function interceptConnections(server: Server, onConnection: (socket: Socket, attach: () => void) => void): void {
  const [listener] = server.listeners('connection') as [(this: Server, socket: Socket) => void];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => onConnection(socket, () => listener.call(server, socket)));
}

/**
 * Takes a socket away from its parser, if it has one, and calls `onPiece` for the bytes that follow. Needed to read and discard the rest of
 * a malformed request. Undocumented: the parser's `data` listener, and the effect of adding another. That detaches the parser from the
 * socket's handle, and a paused socket can then no longer be resumed through the parser, so the socket is resumed first.
 */
export function takeFromParser(socket: Socket, onPiece: (piece: Buffer) => void): void {
  socket.removeAllListeners('data');
  socket.resume();
  process.nextTick(() => socket.on('data', onPiece));
}

/**
 * Whether the client of a response understands chunks: false for HTTP/1.0. Needed because Node adds no `Transfer-Encoding` to a head given
 * as a list. Undocumented: the property.
 */
export const takesChunks = (response: ServerResponse): boolean => response.useChunkedEncodingByDefault;

/**
 * Returns the socket of a chunked response if nothing written to the response still waits above the socket, otherwise undefined. Chunks
 * framed once for many responses can be written to it; `response.write` would frame each again, in four pieces. Undocumented: the property
 * `chunkedEncoding`, and that a response whose head was sent passes its chunks on to the socket unchanged.
 */
export function chunkSocket(response: ServerResponse): Socket | undefined {
  const { chunkedEncoding, socket } = response;
  return chunkedEncoding && socket !== null && response.writableLength === socket.writableLength ? socket : undefined;
}

/** Returns the protections that this runtime lacks, in words for operators; none on the one that the service is made for. */
export function missingProtections(): readonly string[] {
  const server = createServer();
  server.emit('listening'); // it begins to keep its parsers, without listening
  const socket = new Duplex({ read: () => undefined, write: (_, __, done) => done() });
  server.emit('connection', socket);
  const missing = missingIn(server, socket);
  socket.destroy();
  server.close();
  return missing;
}

function missingIn(server: Server, socket: Duplex): string[] {
  const parser = parserOf(socket);
  return [
    typeof parser?.onIncoming !== 'function' &&
      'requests that follow a refused one on its connection are parsed to the end',
    (parser === undefined || bodyCallback(parser) === undefined) &&
      'the rest of a refused body in tiny chunks is parsed to the end',
    unfinishedSockets(server).next().done === true &&
      'connections with a half-sent head are not counted, and not ended early',
  ].filter((each) => each !== false);
}
