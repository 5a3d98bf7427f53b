/**
 * A `fetch` that connects to public addresses only. The address of a host name is checked as the connection is made, so changing it after a
 * first look-up gains an attacker nothing.
 */
import type { LookupAddress, LookupOptions } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { type Fetch, FetchFault } from './fetch.ts';
import { isInternalAddress } from './public-address.ts';
import { type Resolve, resolveName } from './resolve-name.ts';

export interface PublicFetchOptions {
  /**
   * Whether connecting to an address is forbidden. Default: to every address that is not on the public Internet, and to those of this
   * machine.
   */
  readonly isRefused?: (address: string) => boolean;
  /** Resolves names. Default: by asking name servers. */
  readonly resolve?: Resolve;
}

/** Statuses whose responses have no body. */
const statusesWithoutBody = new Set([204, 205, 304]);

/**
 * Returns the `fetch`. It follows no redirect, and rejects with `FetchFault`, without sending anything, for a host that has no public
 * address.
 */
export const createPublicFetch = (options?: PublicFetchOptions): Fetch => createRequest(toResponse, options);

/** The head of a response: its headers as received, each as a name and a value. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** The same, of which only the head of the response is known. A little of its body is read, so that a short one ends normally. */
export const createPublicPost = (
  options?: PublicFetchOptions,
): ((...request: Parameters<Fetch>) => Promise<ResponseHead>) =>
  createRequest((incoming) => {
    discard(incoming);
    const { statusCode = 0, rawHeaders } = incoming;
    const headers = rawHeaders.flatMap((name, index) =>
      index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
    );
    return { status: statusCode, headers };
  }, options);

/** Most responses with a status below 200 before the response itself. */
const informationMax = 8;

/** Returns a function that sends a request. `read` makes its result of a response before any of the body is read. */
function createRequest<Result>(
  read: (incoming: IncomingMessage) => Result,
  { isRefused = isInternalAddress, resolve = resolveName }: PublicFetchOptions = {},
): (...request: Parameters<Fetch>) => Promise<Result> {
  const lookUp = lookUpWith(resolve, isRefused);

  return async (url, init) => {
    const request = new Request(url, { ...init, redirect: 'manual' });
    const { protocol, hostname } = new URL(request.url);
    const host = hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && isRefused(host)) throw noPublicAddress(host);
    const headers = { 'user-agent': 'holdfast', ...Object.fromEntries(request.headers) };
    const body = Buffer.from(await request.arrayBuffer());
    const { method, signal } = request;
    // Not imported: that would load TLS and the runtime's whole HTTP client at the start, though few services send requests.
    const { request: send } =
      protocol === 'https:' ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http');
    const { promise: result, resolve: onResult, reject } = Promise.withResolvers<Result>();
    const onError = (cause: Error) =>
      reject(signal.aborted ? signal.reason : new FetchFault(`cannot reach ${host}: ${cause.message}`, { cause }));
    // A new connection each time: requests are few, and a connection checked for another request is never used.
    const outgoing = send(request.url, { method, headers, signal, lookup: lookUp, agent: false }, (incoming) => {
      try {
        onResult(read(incoming));
      } catch (cause) {
        // `fetch` knows no such status or header.
        outgoing.destroy(cause as Error);
      }
    });
    let information = 0;
    outgoing.on('information', () => {
      information += 1;
      if (information > informationMax) outgoing.destroy(new Error(`it sent ${information} interim responses`));
    });
    outgoing.on('error', onError).end(body);
    return result;
  };
}

/** Returns the look-up of a connection: the addresses of a name, without forbidden ones. */
function lookUpWith(resolve: Resolve, isRefused: (address: string) => boolean): LookupFunction {
  return (hostname: string, options: LookupOptions, callback) => {
    resolve(hostname, (error, found: LookupAddress[]) => {
      if (error !== null) return callback(error, []);
      const allowed = found.filter(({ address }) => !isRefused(address));
      const [first] = allowed;
      if (first === undefined) return callback(noPublicAddress(hostname), []);
      if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}

/** How much of a body is read: bytes, pieces, of which a hostile one has thousands in a packet, and for how long. */
const [discardedBytesMax, discardedPiecesMax, discardMilliseconds] = [65_536, 64, 1_000];

function discard(incoming: IncomingMessage): void {
  let [bytes, pieces] = [0, 0];
  const timer = setTimeout(() => incoming.destroy(), discardMilliseconds);
  incoming.on('close', () => clearTimeout(timer));
  // The peer may hang up: the status is known.
  incoming.on('error', () => undefined);
  incoming.on('data', (piece: Buffer) => {
    bytes += piece.length;
    pieces += 1;
    if (bytes > discardedBytesMax || pieces > discardedPiecesMax) incoming.destroy();
  });
}

const noPublicAddress = (host: string) => new FetchFault(`${host} has no public address`);

function toResponse(incoming: IncomingMessage): Response {
  const status = incoming.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(incoming.headersDistinct))
    for (const value of values) headers.append(name, value);
  if (!statusesWithoutBody.has(status))
    return new Response(Readable.toWeb(incoming) as ReadableStream, { status, headers });
  discard(incoming);
  return new Response(null, { status, headers });
}
