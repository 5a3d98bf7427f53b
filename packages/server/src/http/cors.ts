/** Cross-origin access for browsers, without credentials. @see https://fetch.spec.whatwg.org/#http-cors-protocol */

import type { IncomingHttpHeaders } from 'node:http';
import { emptyReply, type Reply } from './replies/reply.ts';
import type { RequestContext } from './request-context.ts';
import { type Match, noSuchPath } from './router.ts';

const exposedHeaders =
  'ETag, API-Version, Retry-After, WWW-Authenticate, RateLimit, RateLimit-Policy, X-Request-Id, Auth-Nonce';
const allowedMethods = 'GET, HEAD, PUT, PATCH, POST, DELETE, OPTIONS';
const allowedHeaders = 'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID';
const preflightSeconds = '86400';

const none: readonly string[] = [];

export interface Cors {
  /** Whether responses to requests without an origin have these headers too, for caches. */
  readonly variesByOrigin: boolean;
  /**
   * Returns the CORS headers to add to a response, even an error, for this origin (undefined if the request has none). `replyHeaders` are
   * the reply's own headers.
   */
  headers(origin: string | undefined, replyHeaders: readonly string[]): readonly string[];
  /** Returns the response to a preflight for any path; undefined for other requests. */
  preflight(headers: IncomingHttpHeaders): Reply | undefined;
}

/** `origins` may read responses; `*` allows any origin. */
export function createCors(origins: readonly string[]): Cors {
  const isAnyAllowed = origins.includes('*');
  const anyOrigin = ['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', exposedHeaders];
  const isAllowed = (origin: string) => isAnyAllowed || origins.includes(origin);

  const headers = (origin: string | undefined, replyHeaders: readonly string[]): readonly string[] => {
    if (isAnyAllowed) return origin === undefined ? none : anyOrigin;
    const varies = replyHeaders.includes('Vary') ? none : ['Vary', 'Origin']; // otherwise caches would confuse origins
    if (origin === undefined || !isAllowed(origin)) return varies;
    return [...varies, 'Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', exposedHeaders];
  };

  return {
    variesByOrigin: !isAnyAllowed,
    headers,
    preflight: ({ origin, 'access-control-request-method': method }) => {
      if (origin === undefined || method === undefined) return undefined;
      const permission = isAllowed(origin)
        ? [
            'Access-Control-Allow-Methods',
            allowedMethods,
            'Access-Control-Allow-Headers',
            allowedHeaders,
            'Access-Control-Max-Age',
            preflightSeconds,
          ]
        : [];
      return emptyReply(204, [
        'Vary',
        'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
        ...permission,
      ]);
    },
  };
}

/** The reply to a preflight, or otherwise the path's methods. Refuses `not_found` for an unknown path. */
export function optionsReply(cors: Cors, context: RequestContext, match: Match | undefined, target: string): Reply {
  const [first] = match?.routes.values() ?? [];
  if (first?.operation.page) context.route = first; // login pages have no CORS headers
  const preflight = context.route === undefined ? cors.preflight(context.headers) : undefined;
  if (preflight !== undefined) return preflight;
  if (match === undefined && target !== '*') throw noSuchPath();
  return emptyReply(204, ['Allow', match === undefined ? 'GET, HEAD, PUT, PATCH, POST, DELETE, OPTIONS' : match.allow()]);
}
