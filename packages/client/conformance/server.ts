/** The server side of a case: expects the requests of each step, and sends the responses of the case. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import type { Exchange, Reply } from './cases.ts';
import { requestFault } from './compare.ts';

export interface ScriptedServer {
  readonly baseUrl: string;
  /** Adds exchanges after the remaining ones. */
  expect(exchanges: readonly Exchange[], inAnyOrder: boolean): void;
  /** Whether the client is subscribed, and may also read the document. A read that the case does not list gets no response. */
  isSubscribed: boolean;
  /** Resolves when all requests have arrived, or one was wrong. */
  readonly settled: () => Promise<void>;
  /** Faults so far. */
  readonly faults: readonly string[];
  /** Cuts open streams. */
  cut(): void;
  /** Discards the case, and cuts pending responses. */
  reset(): void;
  stop(): void;
}

/** Maximum automatic repeats of a request by a runtime. */
const repeatsMax = 3;

/** Longest wait for an expected request. */
const requestMs = 10_000;

/** Starts the server on loopback. */
export async function startScriptedServer(): Promise<ScriptedServer> {
  let exchanges: Exchange[] = [];
  let isOrdered = true;
  let faults: string[] = [];
  let saved = new Map<string, string>();
  let respondedAt = 0;
  const streams = new Set<Socket>();
  const isRepeat = repeatsOfCut();
  let wake: () => void = () => {};

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', headers } = request;
    const url = new URL(request.url ?? '/', scripted.baseUrl);
    if (url.pathname === metadataPath) return reply({ body: { issuer: scripted.baseUrl } }, request, response);
    if (scripted.isSubscribed && isRead(method, url) && exchanges[0]?.request.path !== url.pathname) return;
    const exchange = takeFrom(exchanges, isOrdered, method, url.pathname);
    const afterMs = performance.now() - respondedAt;
    const body = await text(request);
    if (isRepeat(`${method} ${request.url} ${body}`, exchange)) return void request.socket.destroy();
    if (exchange === undefined) {
      faults.push(`${method} ${url.pathname} was not to be sent`);
      response.writeHead(400).end('{"error":"validation_error","message":"not expected"}');
    } else {
      const fault = requestFault(exchange.request, { method, url, headers, body, afterMs }, saved);
      if (fault !== undefined) faults.push(`${method} ${url.pathname}: ${fault}`);
      if (typeof exchange.response === 'object' && exchange.response.stream) streams.add(request.socket);
      await reply(exchange.response, request, response);
      respondedAt = performance.now();
    }
    wake();
  };
  const server = createServer(listenerOf(serve)).listen(0, '127.0.0.1');
  const cutOpen = cutterOf(server);
  await once(server, 'listening');
  const scripted: ScriptedServer = {
    isSubscribed: false,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    expect(more, inAnyOrder) {
      exchanges.push(...more);
      isOrdered = !inAnyOrder;
    },
    async settled() {
      const timer = setTimeout(() => {
        faults.push(`${exchanges[0]?.request.method} was not sent within ${requestMs / 1_000} seconds`);
        wake();
      }, requestMs);
      while (exchanges.some(({ optional }) => !optional) && faults.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      clearTimeout(timer);
    },
    get faults() {
      return faults;
    },
    cut() {
      for (const socket of streams) socket.destroy();
      streams.clear();
    },
    reset() {
      exchanges = [];
      scripted.isSubscribed = false;
      faults = [];
      saved = new Map();
      streams.clear();
      cutOpen();
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  return scripted;
}

/** Returns a listener that drops what it cannot read, since the client has left or was cut off. */
const listenerOf =
  (serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>) =>
  (request: IncomingMessage, response: ServerResponse): void =>
    void serve(request, response).catch(() => response.destroy());

/** The service's metadata, which a client may request at any time. @see RFC 8414 */
const metadataPath = '/.well-known/oauth-authorization-server';

const isFor = ({ request }: Exchange, method: string, path: string): boolean =>
  request.method === method && (request.path ?? path) === path;

/**
 * Returns a function that recognises an unexpected repeat of a request, as text, after its connection was cut. Some runtimes repeat it
 * automatically. The response to the repeat is lost, too.
 */
function repeatsOfCut(): (sent: string, exchange: Exchange | undefined) => boolean {
  let cut: string | undefined;
  let repeats = 0;
  return (sent, exchange) => {
    if (exchange === undefined) return sent === cut && repeats++ < repeatsMax;
    cut = exchange.response === 'cut' ? sent : undefined;
    repeats = 0;
    return false;
  };
}

/** Returns a function that cuts connections with a pending response. Idle ones stay open, since a client may be about to use them. */
function cutterOf(server: Server): () => void {
  const open = new Set<ServerResponse>();
  server.keepAliveTimeout = 60_000;
  server.on('request', (_, response) => {
    open.add(response);
    response.on('close', () => open.delete(response));
  });
  return () => {
    for (const { socket } of open) socket?.destroy();
  };
}

/** Takes the exchange of a request, and drops optional ones that the client has skipped. */
function takeFrom(exchanges: Exchange[], isOrdered: boolean, method: string, path: string): Exchange | undefined {
  while (exchanges[0]?.optional && !isFor(exchanges[0], method, path)) exchanges.shift();
  const found = isOrdered ? 0 : exchanges.findIndex((exchange) => isFor(exchange, method, path));
  return exchanges.splice(Math.max(found, 0), 1)[0];
}

const isRead = (method: string, { pathname }: URL): boolean => method === 'GET' && !pathname.endsWith('/changes');

async function reply(given: Reply, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (given === 'hold') return;
  if (given === 'cut') return void request.socket.destroy();
  const { status = 200, body, stream } = given;
  const headers = { 'API-Version': '1', ...given.headers };
  if (stream === undefined) {
    const isEmpty = status === 204 || status === 304;
    const content = given.text ?? (body === undefined ? '' : JSON.stringify(body));
    response.writeHead(status, { ...(isEmpty ? {} : { 'Content-Type': 'application/json' }), ...headers });
    return void response.end(isEmpty ? undefined : content);
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', ...headers });
  for (const piece of stream) {
    await new Promise<void>((resolve) => response.write(piece, () => resolve()));
    await turn(); // sends each piece separately: the client must reassemble them
  }
  if (given.end) response.end();
}
