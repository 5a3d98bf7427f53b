/**
 * The ordered checks of every request, on one page. An earlier check always answers before a later one:
 *
 *   path → method → limit of the address (429) → credential (401) → path segments (400) → reach (403, 404) → limit of the
 *   credential (429) → media type (415) → precondition syntax (400) → body in size and time (413, 408) → JSON (400) → the
 *   operation itself
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Operation, recordBytesMax } from '@holdfast/contract';
import type { Authenticator } from '../access/authenticate.ts';
import type { Authorizer } from '../access/authorize.ts';
import type { Limits, Origin } from '../access/limits.ts';
import type { Principal } from '../access/principal.ts';
import { type Allowance, allowanceHeaders, refuseBeyond } from '../access/rate-limit.ts';
import { Refusal } from '../access/refusal.ts';
import type { Log } from '../observe/log.ts';
import { readPrecondition } from '../state/precondition.ts';
import { type Awaitable, type ProjectKey, StoreUnavailable } from '../storage/store.ts';
import { ClientGone, discardBody } from './body.ts';
import type { Cors } from './cors.ts';
import type { Exchange } from './exchange.ts';
import { checkMediaType, checkMessage, readRequestId, requestTarget } from './message.ts';
import type { PathParameters } from './path-parameters.ts';
import { type Incoming, type Reading, readBytes, readForm, readJson } from './read-body.ts';
import { refusalReply, unavailableReply } from './refusal-reply.ts';
import { emptyReply, errorReply, type Reply } from './reply.ts';
import type { Match, Route, Router } from './router.ts';
import { send } from './send.ts';

export interface PipelineParts extends Reading {
  readonly router: Router;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly limits: Limits;
  readonly cors: Cors;
  readonly log: Log;
  /** Whether answers close their connection, because the service is stopping. */
  readonly isStopping: () => boolean;
}

export type OnRequest = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => void;

/** The function that answers requests. It never throws, whatever arrives. */
export function createPipeline(parts: PipelineParts): OnRequest {
  return (request, response, expectsContinue) => {
    const passage: Passage = {
      request,
      response,
      requestId: readRequestId(request.headers['x-request-id']),
      startedAt: performance.now(),
      awaitsContinue: expectsContinue,
      isUnambiguous: false,
      route: undefined,
      allowance: undefined,
    };
    try {
      const reply = check(parts, passage);
      if (reply instanceof Promise) answerLater(parts, passage, reply);
      else answer(parts, passage, reply);
    } catch (error) {
      answerFault(parts, passage, error);
    }
  };
}

/** One request and what is known of it while it passes the checks. */
interface Passage extends Incoming {
  readonly requestId: string;
  /** Milliseconds. */
  readonly startedAt: number;
  /** Whether every reader of the message sees the same one in it. */
  isUnambiguous: boolean;
  route: Route | undefined;
  /** What is left of the limit that counted the request. */
  allowance: Allowance | undefined;
}

async function answerLater(parts: PipelineParts, passage: Passage, reply: Promise<Reply>): Promise<void> {
  try {
    answer(parts, passage, await reply);
  } catch (error) {
    answerFault(parts, passage, error);
  }
}

function answer(parts: PipelineParts, passage: Passage, reply: Reply): void {
  const { request, response, requestId, allowance } = passage;
  const { headers } = request;
  let further = parts.cors.headers(headers.origin, reply.headers);
  if (allowance !== undefined) further = [...further, ...allowanceHeaders(allowance)];
  // A client that was told to wait may or may not send its body now; only a new connection is unambiguous.
  const isLast = passage.awaitsContinue || !passage.isUnambiguous || reply.code === 'request_timeout';
  if (isLast || parts.isStopping()) further = [...further, 'Connection', 'close'];
  try {
    send(response, reply, requestId, further)?.catch((error: unknown) => cutShort(parts.log, passage, error));
  } catch (error) {
    cutShort(parts.log, passage, error);
  }
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) discardBody(request);
  if (reply.status >= 400 || parts.log.isLevelEnabled('debug')) logAnswer(parts.log, passage, reply);
}

function cutShort(log: Log, { response, requestId, route }: Passage, error: unknown): void {
  response.destroy();
  log.error({ requestId, operation: route?.id, error }, 'an answer was cut short');
}

/** Refusals are logged as a matter of course, except those of a limit, which come in floods; the rest is for debugging. */
function logAnswer(log: Log, { requestId, route, startedAt }: Passage, { status, code }: Reply): void {
  const durationMilliseconds = Math.round((performance.now() - startedAt) * 1000) / 1000;
  const level = status >= 400 && status !== 429 ? 'info' : 'debug';
  log[level]({ requestId, operation: route?.id, status, code, durationMilliseconds }, 'answered');
}

/** Finds the route, or answers for the path alone. */
function check(parts: PipelineParts, passage: Passage): Reply | Promise<Reply> {
  const { request } = passage;
  const { method = '' } = request;
  checkMessage(request);
  passage.isUnambiguous = true;
  const target = requestTarget(request.url ?? '/');
  const question = target.indexOf('?');
  const match = parts.router.find(question < 0 ? target : target.slice(0, question));
  if (method === 'OPTIONS') return answerOptions(parts, request, match, target);
  if (match === undefined) throw new Refusal('not_found', 'there is nothing at this path');
  const route = match.routes.get(method === 'HEAD' ? 'GET' : method);
  if (route === undefined) {
    return errorReply('method_not_allowed', `this path does not take ${method}`, { headers: ['Allow', allow(match)] });
  }
  passage.route = route;
  if (request.headers.expect !== undefined && !passage.awaitsContinue) {
    throw new Refusal('expectation_failed', 'the only expectation that can be met is 100-continue');
  }
  const arrival: Arrival = { route, match, query: question < 0 ? '' : target.slice(question + 1) };
  const principal = identify(parts, passage, route.operation);
  // What is remembered is here at once, and nearly everything is; a promise would cost such a request more than its checks.
  return principal instanceof Promise
    ? principal.then((later) => admit(parts, passage, arrival, later))
    : admit(parts, passage, arrival, principal);
}

/** Where a request has come to. */
interface Arrival {
  readonly route: Route;
  readonly match: Match;
  readonly query: string;
}

/** Refuses what the principal does not reach, then what is beyond its limit. */
function admit(
  parts: PipelineParts,
  passage: Passage,
  arrival: Arrival,
  principal: Principal | undefined,
): Awaitable<Reply> {
  if (principal !== undefined) passage.allowance = parts.limits.countCredential(principal);
  const { route, match } = arrival;
  const params = match.parameters(route);
  const authorized = authorize(parts, principal, route.operation, params);
  return authorized instanceof Promise
    ? authorized.then(() => operate(parts, passage, arrival, principal, params))
    : operate(parts, passage, arrival, principal, params);
}

/** Passes the checks of what the request carries, then runs the operation. */
function operate(
  parts: PipelineParts,
  passage: Passage,
  { route, query }: Arrival,
  principal: Principal | undefined,
  params: PathParameters,
): Awaitable<Reply> {
  refuseBeyond(passage.allowance);
  const { headers } = passage.request;
  const { operation, handler } = route;
  const exchange: Exchange = {
    params,
    principal,
    query,
    headers,
    precondition: undefined,
    body: undefined,
    bodyBytes: undefined,
    readForm: () => readForm(passage, parts.bodies),
  };
  if (operation.body?.mediaType !== 'application/json') return handler(exchange);
  checkMediaType(headers, 'application/json');
  if (operation.precondition) {
    const precondition = readPrecondition(headers['if-match'], headers['if-none-match']);
    return readBytes(passage, parts.bodies, parts.requestBytesMax).then((bodyBytes) =>
      handler({ ...exchange, precondition, bodyBytes }),
    );
  }
  const requestBytesMax = Math.min(parts.requestBytesMax, recordBytesMax);
  return readJson(passage, { ...parts, requestBytesMax }).then((body) => handler({ ...exchange, body }));
}

/**
 * The principal of the request, none on anonymous routes. Anonymous requests of the interface, and credentials that are
 * refused, count against the address that they come from; what the service says of itself is not counted.
 */
function identify(parts: PipelineParts, passage: Passage, operation: Operation): Awaitable<Principal | undefined> {
  const { authenticator, limits } = parts;
  const { request } = passage;
  if (operation.access.length === 0) {
    if (operation.path.startsWith('/v1/')) passage.allowance = limits.countAddress(originOf(request));
    refuseBeyond(passage.allowance);
    return undefined;
  }
  const { authorization } = request.headers;
  return (
    authenticator.recall(authorization, operation.access) ??
    lookUp(parts, passage, () =>
      authenticator.authenticate(authorization, operation.access, () => limits.checkAddress(originOf(request))),
    )
  );
}

/** Has a credential looked up that nobody remembers; one that is refused counts. */
async function lookUp(
  { limits }: PipelineParts,
  passage: Passage,
  authenticate: () => Awaitable<Principal>,
): Promise<Principal> {
  try {
    return await authenticate();
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unauthorized') {
      passage.allowance = limits.countAddress(originOf(passage.request));
      refuseBeyond(passage.allowance);
    }
    throw error;
  }
}

function originOf({ socket, headers }: IncomingMessage): Origin {
  const forwardedFor = headers['x-forwarded-for'];
  return { peerAddress: socket.remoteAddress ?? '', forwardedFor: forwardedFor as string | undefined };
}

/** Refuses a principal that does not reach what the path names; there is nothing to refuse where it names nothing. */
function authorize(
  { authorizer }: PipelineParts,
  principal: Principal | undefined,
  operation: Operation,
  params: PathParameters,
): Awaitable<void> {
  const { accountId, slug, environment } = params;
  const accepted = operation.access;
  if (principal === undefined || accountId === undefined) return undefined;
  if (slug === undefined) return authorizer.authorizeAccount(principal, accepted, accountId);
  const intent = operation.method === 'GET' ? 'read' : 'write';
  return authorizer.authorizeProject(principal, { accepted, key: params as ProjectKey, environment, intent });
}

function answerOptions(parts: PipelineParts, request: IncomingMessage, match: Match | undefined, target: string): Reply {
  const preflight = parts.cors.preflight(request.headers);
  if (preflight !== undefined) return preflight;
  if (match === undefined && target !== '*') throw new Refusal('not_found', 'there is nothing at this path');
  return emptyReply(204, ['Allow', match === undefined ? 'GET, HEAD, PUT, PATCH, POST, DELETE, OPTIONS' : allow(match)]);
}

function allow({ routes }: Match): string {
  const methods = [...routes.keys()];
  return [...methods, ...(routes.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}

function answerFault(parts: PipelineParts, passage: Passage, error: unknown): void {
  if (error instanceof ClientGone) return;
  answer(parts, passage, replyToFault(parts.log, passage, error));
}

function replyToFault(log: Log, { requestId, route }: Passage, error: unknown): Reply {
  const operation = route?.id;
  if (error instanceof Refusal) {
    const { code, cause } = error;
    if (cause !== undefined) log.warn({ requestId, operation, code, error: cause }, error.message);
    return refusalReply(error, route?.operation);
  }
  if (error instanceof StoreUnavailable) {
    log.error({ requestId, operation, error }, 'storage is unavailable');
    return unavailableReply();
  }
  log.error({ requestId, operation, error }, 'a request failed');
  return errorReply('internal_error', 'the service failed; the request id leads to the cause in its log');
}
