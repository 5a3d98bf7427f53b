/**
 * Every undocumented use of `node:http`, and of V8.
 *
 * The protections (`stopHeads`, `stopBodies`, `unfinishedSockets`) do nothing on a Node that lacks the internals they use;
 * `missingProtections` lists them. The other functions are needed for serving, and this file's tests compare them with Node's behaviour.
 */
import { executionAsyncResource } from 'node:async_hooks';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/**
 * Not imported: `import` would evaluate every export of the module, including the runtime's HTTP client, 6 MiB that a server does not need.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');

/** The parser that the runtime keeps on a socket. It calls `onIncoming` for heads, and numbered callbacks for everything else. */
interface Parser {
  onIncoming?: unknown;
  [callback: number]: unknown;
}

const parserOf = (socket: Duplex): Parser | undefined =>
  (socket as Duplex & { readonly parser?: Parser | null }).parser ?? undefined;

/** The number of the parser's callback for body pieces; undefined if it has none. */
function bodyCallback(parser: Parser): number | undefined {
  const name = Object.keys(parser).find((each) => (parser[Number(each)] as { name?: unknown })?.name === 'parserOnBody');
  return name === undefined ? undefined : Number(name);
}

/**
 * Makes the parser fail at the next head with a `clientError`, so that the rest of its 64 KiB is not parsed into requests in vain: up to
 * 3,600 of them, in 4 to 20 ms.
 */
export function stopHeads(socket: Socket): void {
  const parser = parserOf(socket);
  if (typeof parser?.onIncoming === 'function') parser.onIncoming = () => -1;
}

/**
 * Makes the parser skip body pieces. 64 KiB may hold 11,000 of them, which take 6 to 20 ms. The connection must end, since the rest of its
 * bodies is lost. The runtime later reuses the parser for other connections.
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
 * Calls `inspect` for each body piece that the parser delivers, even while the body is not read. The runtime would store each piece in a
 * separate buffer, and 64 KiB may hold 11,000. Pieces for which `inspect` returns false are dropped.
 */
export function watchPieces(request: IncomingMessage, inspect: (piece: Uint8Array) => boolean): void {
  const { push } = request;
  request.push = (piece: Uint8Array | null) => (piece === null || inspect(piece)) && push.call(request, piece);
}

/** The runtime's list of a server's parsers that wait for the rest of a message. */
interface ParserList {
  active?(): Iterable<{ readonly socket?: Socket | null }>;
}

/** Yields a server's connections that have received only part of a message, or nothing yet. */
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
 * Detaches a socket from its parser, if it has one, and calls `onPiece` for the bytes that follow. Needed to read and discard the rest of a
 * malformed request. Undocumented: the parser's `data` listener, and the effect of adding another listener. That detaches the parser from
 * the socket's handle, and the parser can then no longer resume a paused socket, so the socket is resumed first.
 */
export function takeFromParser(socket: Socket, onPiece: (piece: Buffer) => void): void {
  socket.removeAllListeners('data');
  socket.resume();
  process.nextTick(() => socket.on('data', onPiece));
}

/**
 * Whether the response's client understands chunks: false for HTTP/1.0. Needed because Node does not add `Transfer-Encoding` to a head
 * given as a list. Undocumented: the property.
 */
export const takesChunks = (response: ServerResponse): boolean => response.useChunkedEncodingByDefault;

/**
 * Returns the socket of a chunked response once everything written to the response has reached the socket, otherwise undefined. Chunks
 * framed once for many responses can be written to it; `response.write` would frame each again, in four pieces. Undocumented: the property
 * `chunkedEncoding`, and that a response passes its chunks on to the socket unchanged once its head was sent.
 */
export function chunkSocket(response: ServerResponse): Socket | undefined {
  const { chunkedEncoding, socket } = response;
  return chunkedEncoding && socket !== null && response.writableLength === socket.writableLength ? socket : undefined;
}

/** Describes, for operators, the protections that this runtime lacks; an empty list on the supported runtime. */
export function missingProtections(): readonly string[] {
  const server = createServer();
  server.emit('listening'); // the server starts its parser list without listening
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

/** Objects that live as long as the process. */
const kept: object[] = [];

/**
 * Keeps one of the objects that `process.nextTick` creates. If garbage were collected while none is alive, V8 would free their hidden class
 * and create every later one on a slow path, even in optimized code: 5 % of the processor time of a GET.
 */
export function keepTickClassAlive(): void {
  process.nextTick(() => kept.push(executionAsyncResource()));
}
