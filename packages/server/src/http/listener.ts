/**
 * The listening socket: what arrives there and is no well-formed request is answered here, in the same form as everything
 * else, since the runtime's own answers know nothing of `API-Version`.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ErrorCode, storageRetryAfterSeconds } from '@holdfast/contract';
import { headerLines, keepAliveSeconds, printHead } from './head.ts';
import { refusalsMax } from './open-files.ts';
import { errorReply, type Reply } from './reply.ts';
import { firstLines } from './send.ts';

/**
 * Taken without `import`, which would evaluate every export of the module, among them the runtime's HTTP client: 6 MiB that
 * a server has no use for.
 */
const { createServer } = process.getBuiltinModule('node:http');

const headerBytesMax = 16_384;
const headersTimeoutMilliseconds = 15_000;
const shutdownGraceMilliseconds = 10_000;

/**
 * Connections that the operating system completes before they are accepted; it may allow fewer. When thousands come at once,
 * those beyond are dropped, and their clients try again after 1, 3 and 7 s.
 */
const handshakesMax = 4_096;

/** How long a refused client may take to hear it. */
const refusalMilliseconds = 2_000;
/** Between two clearings of idle connections, which look at every connection. */
const clearingMilliseconds = 1_000;

export interface Listener {
  /** The address that the operating system gave; `port` is never 0. */
  readonly address: AddressInfo;
  /** Whether `stop` has begun; answers from then on close their connection. */
  isStopping(): boolean;
  /** Stops accepting, lets what is in flight finish for 10 s, then cuts what is left. */
  stop(): Promise<void>;
}

export interface ListenTarget {
  readonly host: string;
  readonly port: number;
  /** No more than the process may have files open, see open-files.ts. */
  readonly connectionsMax: number;
}

/**
 * Listens at the place and gives every well-formed request to `onRequest`; `expectsContinue` says that the client
 * waits for `100 Continue` before it sends its body. Rejects when the address cannot be had.
 */
export async function listen(
  { host, port, connectionsMax }: ListenTarget,
  onRequest: (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => void,
): Promise<Listener> {
  const server = createServer({
    maxHeaderSize: headerBytesMax,
    headersTimeout: headersTimeoutMilliseconds,
    requestTimeout: 0, // bodies have their own clock, see body.ts
    keepAliveTimeout: keepAliveSeconds * 1000,
    connectionsCheckingInterval: 1_000,
    requireHostHeader: false, // refused by the pipeline, in the envelope
    optimizeEmptyRequests: true,
    noDelay: true,
  } as Parameters<typeof createServer>[0] & { optimizeEmptyRequests: boolean });
  server.on('request', (request, response) => onRequest(request, response, false));
  server.on('checkContinue', (request, response) => onRequest(request, response, true));
  server.on('checkExpectation', (request, response) => onRequest(request, response, false));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => answerMalformed(error, socket));
  boundConnections(server, connectionsMax);
  server.on('connect', (_request, socket) => refuseInTurn(socket, noProxy));

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, handshakesMax, () => {
      server.off('error', reject);
      resolve();
    });
  });
  let stopping = false;
  return {
    address: server.address() as AddressInfo,
    isStopping: () => stopping,
    stop: () => {
      stopping = true;
      return closeServer(server);
    },
  };
}

/**
 * Keeps at most so many connections. One too many makes room by ending those that are idle; while there is none, newcomers
 * are told that the service is unavailable, and when to come again.
 */
function boundConnections(server: Server, connectionsMax: number): void {
  const [accept] = server.listeners('connection') as [(this: Server, socket: Socket) => void];
  let connections = 0;
  let clearedAt = Number.NEGATIVE_INFINITY;
  server.maxConnections = connectionsMax + refusalsMax;
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    if (connections >= connectionsMax) {
      const time = performance.now();
      if (time - clearedAt >= clearingMilliseconds) {
        clearedAt = time;
        setImmediate(() => server.closeIdleConnections()); // after the requests that have arrived on them have begun
      }
      refuseConnection(socket);
      return;
    }
    connections++;
    socket.once('close', () => connections--);
    accept.call(server, socket);
  });
}

const noConnectionLeft = errorReply(
  'service_unavailable',
  'every connection is taken; repeat the request unchanged later',
  {
    headers: ['Retry-After', String(storageRetryAfterSeconds)],
  },
);

/** Answers without waiting for the request, and takes what arrives of it off the connection: else the answer would be lost. */
function refuseConnection(socket: Socket): void {
  socket.on('error', () => socket.destroy()).on('end', () => socket.destroy());
  socket.resume();
  socket.end(wireForm(noConnectionLeft), 'latin1');
  setTimeout(() => socket.destroy(), refusalMilliseconds).unref();
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), shutdownGraceMilliseconds);
  await closed;
  clearTimeout(cut);
}

/** What the parser's and the timers' errors mean on the wire. All others are malformed requests. */
const malformed: Readonly<Record<string, { code: ErrorCode; message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    code: 'headers_too_large',
    message: `the request line and headers exceed ${headerBytesMax} bytes`,
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { code: 'payload_too_large', message: 'the chunk extensions of the body are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'request_timeout',
    message: `the request headers did not arrive within ${headersTimeoutMilliseconds / 1000} s`,
  },
};

function answerMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (refused.has(socket)) return; // whatever else arrives on it
  refused.add(socket);
  const { code, message } = malformed[error.code ?? ''] ?? {
    code: 'validation_error' as const,
    message: 'the request is not well-formed HTTP/1.1',
  };
  refuseInTurn(socket, errorReply(code, message));
}

const refused = new WeakSet<Duplex>();

const noProxy = errorReply('method_not_allowed', 'this service is no proxy', {
  headers: ['Allow', 'GET, HEAD, PUT, PATCH, POST, DELETE, OPTIONS'],
});

/** A socket with what the runtime keeps on it: the response whose turn it is, and the request that is still arriving. */
type HttpSocket = Duplex & {
  readonly _httpMessage?: ServerResponse | null;
  readonly parser?: { readonly incoming?: IncomingMessage | null } | null;
};

/**
 * Refuses after the earlier requests of the connection have been answered, since answers go out in the order of requests.
 * Where the answer to the broken request itself has begun already, ending the connection is all that is left.
 */
function refuseInTurn(socket: HttpSocket, reply: Reply): void {
  const current = socket._httpMessage;
  if (current?.req.complete) current.once('close', () => refuseInTurn(socket, reply));
  else if (current?.headersSent || !socket.writable) socket.destroy();
  else if (!current && socket.parser?.incoming?.complete === false) socket.end(() => socket.destroy());
  else refuse(socket, reply);
}

/** Answers on the bare socket and ends it. */
function refuse(socket: Duplex, reply: Reply): void {
  socket.end(wireForm(reply), 'latin1', () => socket.destroy());
}

/** A reply as it goes over the wire, with `Connection: close`. */
function wireForm({ status, headers, body }: Reply): string {
  return `${printHead({ status, lines: firstLines(randomUUID()) + headerLines(headers), isLast: true })}${body}`;
}
