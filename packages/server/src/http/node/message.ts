/** Request heads: checks that the message is unambiguous, and reads its target, origin and id. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { operations, requestIdCharactersMax } from '@holdfast/contract';
import { Refusal } from '../../common/requests/refusal.ts';
import type { Origin } from '../../limits/limits.ts';

/**
 * Returns a check that refuses `validation_error` for a message that a proxy may have read differently.
 *
 * @see RFC 9112 §2.3, §3.2 and §6.1
 */
export function createMessageCheck(): (message: IncomingMessage) => void {
  /** The last valid host: nearly every request has the same one. */
  let knownHost = '';
  return ({ headers, rawHeaders, httpVersion }) => {
    if (httpVersion !== '1.1' && httpVersion !== '1.0') {
      throw new Refusal('validation_error', 'the request is of a version of HTTP other than 1.1 and 1.0');
    }
    if (headers.host !== knownHost) knownHost = checkedHost(headers.host, httpVersion) ?? knownHost;
    const coding = headers['transfer-encoding'];
    if (coding !== undefined && httpVersion === '1.0') {
      throw new Refusal('validation_error', 'a request of HTTP/1.0 has no Transfer-Encoding; send Content-Length instead');
    }
    if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
      throw new Refusal('validation_error', 'the body has a transfer coding other than chunked');
    }
    let names = 0;
    for (const _name in headers) names++;
    if (rawHeaders.length !== 2 * names) checkRepetition(rawHeaders);
  };
}

/** A DNS name has at most 253 characters, a port 5. */
const hostCharactersMax = 261;
const hostForm = /^(?:\[([0-9A-Fa-f:.]+)\]|(?:[\w.~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)(?::\d*)?$/;
/**
 * Returns a valid `Host`; undefined if a message of HTTP/1.0 has none. Refuses `validation_error` for a missing or malformed one. An empty
 * one is well-formed. @see RFC 9112 §3.2, RFC 3986 §3.2.2
 */
function checkedHost(host: string | undefined, httpVersion: string): string | undefined {
  if (host === undefined) {
    if (httpVersion === '1.1') throw new Refusal('validation_error', 'the header Host is missing');
    return undefined;
  }
  const form = host.length > hostCharactersMax ? null : hostForm.exec(host);
  if (form === null || (form[1] !== undefined && !isIPv6(form[1]))) {
    throw new Refusal('validation_error', 'the header Host is not a host name or address with an optional port');
  }
  return host;
}

/**
 * If one of these headers is repeated, the runtime silently keeps one value. A proxy may have used the other, so the request is refused.
 */
const neverRepeated = new Set(['authorization', 'content-length', 'content-type', 'host', 'origin', 'expect']);

function checkRepetition(rawHeaders: readonly string[]): void {
  const seen = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase();
    if (neverRepeated.has(name) && seen.has(name)) {
      throw new Refusal('validation_error', `the header ${name} is repeated`);
    }
    seen.add(name);
  }
}

/** The path and query of a target in origin form or absolute form. @see RFC 9112 §3.2.2 */
export function requestTarget(url: string): string {
  if (url.charCodeAt(0) === 47) return url;
  const authority = /^https?:\/\/[^/?#]*/i.exec(url)?.[0];
  if (authority === undefined) return url;
  const rest = url.slice(authority.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function isFor(
  { method, url = '' }: IncomingMessage,
  operation: { readonly method: string; readonly path: string },
): boolean {
  if (method !== operation.method) return false;
  const target = requestTarget(url);
  return target === operation.path || target.startsWith(`${operation.path}?`);
}

/** Whether a request is for the token endpoint. */
export const isTokenRequest = (request: IncomingMessage): boolean => isFor(request, operations.exchangeToken);

/** Whether a request's errors have the form of RFC 6749, even before its route is known. */
export const hasTokenErrors = (request: IncomingMessage): boolean =>
  isTokenRequest(request) || isFor(request, operations.revokeToken);

/** The origin of a request. */
export function originOf({ socket, headers }: IncomingMessage): Origin {
  const forwardedFor = headers['x-forwarded-for'];
  return { peerAddress: socket.remoteAddress ?? '', forwardedFor: forwardedFor as string | undefined };
}

/** The body length that a request's head declares; Infinity for a chunked body. */
export function declaredBytes({ headers }: IncomingMessage): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Number.POSITIVE_INFINITY;
}

/** Distinguishes this process from all others that write to the same log. */
const processId = randomBytes(9).toString('base64url');
let requests = 0;

/** The request id that the client sent, if well-formed, otherwise a new one. @see docs/contract.md §2.1 */
export function readRequestId(sent: string | string[] | undefined): string {
  if (typeof sent === 'string' && sent.length <= requestIdCharactersMax && /^[\x21-\x7e]+$/.test(sent)) return sent;
  return newRequestId();
}

/** A request id that clients cannot choose. */
export const newRequestId = (): string => `${processId}-${(++requests).toString(36)}`;
