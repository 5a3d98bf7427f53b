/**
 * The ordered checks of every request, on one page. An earlier check always answers before a later one:
 *
 *   path → method → limit of the address (429) → credential (401) → path segments (400) → reach (403, 404) → limit of the
 *   credential (429) → quota of the month (402) → media type (415) → precondition syntax (400) → body in size and time
 *   (413, 408) → JSON (400) → the operation itself
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Operation, recordBytesMax } from '@holdfast/contract';
import type { Authenticator } from '../access/authenticate.ts';
import type { Authorizer } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import type { Owner } from '../common/fair-queue.ts';
import { Refusal } from '../common/refusal.ts';
import type { Limits } from '../limits/limits.ts';
import type { RequestMeter } from '../limits/quota-requests.ts';
import { refuseBeyond } from '../limits/rate-limit.ts';
import { withinTrace } from '../observe/trace-context.ts';
import { readPrecondition } from '../state/precondition.ts';
import { whenHere } from '../storage/awaitable.ts';
import type { Awaitable, ProjectKey } from '../storage/store.ts';
import { type Admission, overloaded } from './admission.ts';
import { type AnswerParts, answer, answerFault, answerLater } from './answer.ts';
import { ClientGone } from './body.ts';
import type { Exchange } from './exchange.ts';
import { checkMediaType, checkMessage, originOf, readRequestId, requestTarget } from './message.ts';
import type { PathParameters } from './path-parameters.ts';
import { type Reading, readBytes, readForm, readJson } from './read-body.ts';
import { emptyReply, errorReply, type Reply } from './reply.ts';
import type { RequestContext } from './request-context.ts';
import type { Match, Route, Router } from './router.ts';

export interface PipelineParts extends Reading, AnswerParts {
  readonly router: Router;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly admission: Admission;
  readonly limits: Limits;
  readonly meter: Pick<RequestMeter, 'count'>;
}

/** `expectsContinue` says that the client waits for `100 Continue` before it sends its body. */
export type OnRequest = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => void;

/** The function that answers requests. It never throws, whatever arrives. */
export function createPipeline(parts: PipelineParts): OnRequest {
  return (request, response, expectsContinue) => {
    const context: RequestContext = {
      request,
      response,
      requestId: readRequestId(request.headers['x-request-id']),
      startedAt: performance.now(),
      awaitsContinue: expectsContinue,
      endsConnection: true, // until every reader of the message sees the same one in it
      heldBytes: undefined,
      route: undefined,
      allowance: undefined,
      principal: undefined,
      params: undefined,
      lookedUp: false,
      trace: parts.observers.traceOf(request.headers),
    };
    if (parts.admission.admits(context.startedAt)) serve(parts, context, true);
    else parts.admission.queue((isAdmitted) => serveLater(parts, context, isAdmitted), healthPaths.has(request.url ?? ''));
  };
}

/** A request whose client has gone meanwhile is not carried out. */
function serveLater(parts: PipelineParts, context: RequestContext, isAdmitted: boolean): void {
  if (context.response.destroyed)
    answerFault(parts, context, new ClientGone('the connection closed before the request was served'));
  else serve(parts, context, isAdmitted);
}

function serve(parts: PipelineParts, context: RequestContext, isAdmitted: boolean): void {
  try {
    const { trace } = context;
    const reply =
      trace === undefined ? check(parts, context, isAdmitted) : withinTrace(trace, () => check(parts, context, isAdmitted));
    if (reply instanceof Promise) answerLater(parts, context, reply);
    else answer(parts, context, reply);
  } catch (error) {
    answerFault(parts, context, error);
  }
}

/** Whoever watches over the process is always let in: a restart cures no overload. */
const healthPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** Finds the route, or answers for the path alone. */
function check(parts: PipelineParts, context: RequestContext, isAdmitted: boolean): Reply | Promise<Reply> {
  const { request } = context;
  const { method = '' } = request;
  checkMessage(request);
  context.endsConnection = false;
  const target = requestTarget(request.url ?? '/');
  if (!isAdmitted) throw overloaded();
  const question = target.indexOf('?');
  const match = parts.router.find(question < 0 ? target : target.slice(0, question));
  if (method === 'OPTIONS') return answerOptions(parts, context, match, target);
  if (match === undefined) throw new Refusal('not_found', 'there is nothing at this path');
  const route = match.routes.get(method === 'HEAD' ? 'GET' : method);
  if (route === undefined) {
    return errorReply('method_not_allowed', `this path does not take ${method}`, { headers: ['Allow', allow(match)] });
  }
  context.route = route;
  if (request.headers.expect !== undefined && !context.awaitsContinue) {
    throw new Refusal('expectation_failed', 'the only supported expectation is 100-continue');
  }
  const arrival: Arrival = { route, match, query: question < 0 ? '' : target.slice(question + 1) };
  const principal = identify(parts, context, route.operation);
  // What is remembered is here at once, and nearly everything is; a promise would cost such a request more than its checks.
  return principal instanceof Promise
    ? principal.then((later) => count(parts, context, arrival, later))
    : count(parts, context, arrival, principal);
}

/** Where a request has come to. */
interface Arrival {
  readonly route: Route;
  readonly match: Match;
  readonly query: string;
}

/** Counts the request for its credential. What is beyond the limit is refused later, as the order above has it. */
function count(
  parts: PipelineParts,
  context: RequestContext,
  arrival: Arrival,
  principal: Principal | undefined,
): Awaitable<Reply> {
  if (principal === undefined) return admit(parts, context, arrival, principal);
  const counted = parts.limits.countSubject(principal);
  if (counted instanceof Promise) {
    return counted.then((later) => {
      context.allowance = later;
      return admit(parts, context, arrival, principal);
    });
  }
  context.allowance = counted;
  return admit(parts, context, arrival, principal);
}

/** Refuses what the principal does not reach, then what is beyond its limit. */
function admit(
  parts: PipelineParts,
  context: RequestContext,
  arrival: Arrival,
  principal: Principal | undefined,
): Awaitable<Reply> {
  const { route, match } = arrival;
  context.principal = principal;
  const params = match.parameters(route);
  context.params = params;
  const authorized = authorize(parts, principal, route.operation, params);
  return authorized instanceof Promise
    ? authorized.then(() => meter(parts, context, arrival, principal, params))
    : meter(parts, context, arrival, principal, params);
}

/** Refuses what is beyond the limit of the credential, then counts the rest for the account and refuses beyond its quota. */
function meter(
  parts: PipelineParts,
  context: RequestContext,
  arrival: Arrival,
  principal: Principal | undefined,
  params: PathParameters,
): Awaitable<Reply> {
  refuseBeyond(context.allowance);
  const counted = principal === undefined ? undefined : parts.meter.count(principal.accountId);
  return counted instanceof Promise
    ? counted.then(() => operate(parts, context, arrival, principal, params))
    : operate(parts, context, arrival, principal, params);
}

/** Passes the checks of what the request carries, then runs the operation. */
function operate(
  parts: PipelineParts,
  context: RequestContext,
  { route, query }: Arrival,
  principal: Principal | undefined,
  params: PathParameters,
): Awaitable<Reply> {
  const { headers } = context.request;
  const { operation, handler } = route;
  const exchange: Exchange = {
    params,
    principal,
    clientName: operation.page && parts.limits.nameOf(originOf(context.request)),
    query,
    headers,
    precondition: undefined,
    body: undefined,
    bodyBytes: undefined,
    readForm: () => readForm(context, { ...parts, owner: ownerOf(parts, context) }),
  };
  if (operation.body?.mediaType !== 'application/json') return handler(exchange);
  checkMediaType(headers, 'application/json');
  if (operation.precondition) {
    const precondition = readPrecondition(headers['if-match'], headers['if-none-match']);
    const account = principal?.accountId ?? '';
    parts.admission.checkWrite(account);
    const { bodies, requestBytesMax: bytesMax } = parts;
    return readBytes(context, { bodies, bytesMax, owner: ownerOf(parts, context) }).then((bodyBytes) =>
      parts.admission.write(account, () => handler({ ...exchange, precondition, bodyBytes })),
    );
  }
  const bytesMax = Math.min(parts.requestBytesMax, recordBytesMax);
  const owner = ownerOf(parts, context);
  return readJson(context, { ...parts, bytesMax, owner }).then((body) => handler({ ...exchange, body }));
}

/** Whose budget a body counts against. */
const ownerOf =
  ({ limits }: PipelineParts, { request, principal }: RequestContext) =>
  (): Owner =>
    limits.ownerOf(principal, originOf(request));

/**
 * The principal of the request, none on anonymous routes. Anonymous requests of the interface, and credentials that are
 * refused, count against the address that they come from; what the service says of itself is not counted.
 */
function identify(parts: PipelineParts, context: RequestContext, operation: Operation): Awaitable<Principal | undefined> {
  const { authenticator, limits } = parts;
  const { request } = context;
  if (operation.access.length === 0) {
    const isCounted = operation.path.startsWith('/v1/') || operation.page;
    return isCounted ? countAddress(parts, context) : undefined;
  }
  const { authorization } = request.headers;
  return (
    authenticator.recall(authorization, operation.access) ??
    lookUp(parts, context, () =>
      authenticator.authenticate(authorization, operation.access, () => limits.checkAddress(originOf(request))),
    )
  );
}

/** Has a credential looked up that nobody remembers; one that is refused counts. */
async function lookUp(
  parts: PipelineParts,
  context: RequestContext,
  authenticate: () => Awaitable<Principal>,
): Promise<Principal> {
  context.lookedUp = true;
  try {
    return await authenticate();
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unauthorized') await countAddress(parts, context);
    throw error;
  }
}

/** Counts the request for its address, and refuses what is beyond the limit of that. */
function countAddress({ limits }: PipelineParts, context: RequestContext): Awaitable<undefined> {
  return whenHere(limits.countAddress(originOf(context.request)), (allowance) => {
    context.allowance = allowance;
    refuseBeyond(allowance);
    return undefined;
  });
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

function answerOptions(parts: PipelineParts, context: RequestContext, match: Match | undefined, target: string): Reply {
  const [first] = match?.routes.values() ?? [];
  if (first?.operation.page) context.route = first;
  const preflight = context.route === undefined ? parts.cors.preflight(context.request.headers) : undefined;
  if (preflight !== undefined) return preflight;
  if (match === undefined && target !== '*') throw new Refusal('not_found', 'there is nothing at this path');
  return emptyReply(204, ['Allow', match === undefined ? 'GET, HEAD, PUT, PATCH, POST, DELETE, OPTIONS' : allow(match)]);
}

function allow({ routes }: Match): string {
  const methods = [...routes.keys()];
  return [...methods, ...(routes.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}
