/** `OPTIONS`, which every path accepts. @see docs/contract.md §2.2 and §2.5 */
import type { Cors } from './cors.ts';
import { emptyReply, type Reply } from './reply.ts';
import type { RequestContext } from './request-context.ts';
import { type Match, noSuchPath } from './router.ts';

/** The reply to a preflight, or otherwise the path's methods. Refuses `not_found` for an unknown path. */
export function optionsReply(cors: Cors, context: RequestContext, match: Match | undefined, target: string): Reply {
  const [first] = match?.routes.values() ?? [];
  if (first?.operation.page) context.route = first; // login pages have no CORS headers
  const preflight = context.route === undefined ? cors.preflight(context.headers) : undefined;
  if (preflight !== undefined) return preflight;
  if (match === undefined && target !== '*') throw noSuchPath();
  return emptyReply(204, ['Allow', match === undefined ? 'GET, HEAD, PUT, PATCH, POST, DELETE, OPTIONS' : match.allow()]);
}
