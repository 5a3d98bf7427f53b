/** The pipeline of every request: ordered checks, operation, response. `stages` defines the order. */

import type { Authenticator } from '../access/authenticate.ts';
import { permitted } from '../access/permit.ts';
import type { Awaitable } from '../common/async/awaitable.ts';
import { Refusal } from '../common/requests/refusal.ts';
import type { Owner } from '../common/threads/fair-queue.ts';
import { isSharedCredential, type Limits } from '../limits/limits.ts';
import { type Allowance, refuseBeyond } from '../limits/rate-limit.ts';
import type { RequestMeter } from '../limits/request-quota.ts';
import type { Trace } from '../observe/completed-request.ts';
import { withinTrace } from '../observe/trace-context.ts';
import { readPrecondition, refusePrecondition } from '../state/documents/precondition.ts';
import { readIdempotencyKey } from '../state/idempotency.ts';
import { type Admission, overloaded, queueRequest } from './admission.ts';
import { type AnswerParts, answer, answerFault } from './answer.ts';
import { ClientGone, type Reading, readBytes, readForm, readJson, requireMediaType } from './bodies/body.ts';
import type { OnRequest } from './connections/listener.ts';
import { optionsReply } from './cors.ts';
import * as message from './node/message.ts';
import { type AccessChecks, authorize, confirm, isRecorded, needsPermit, permitOf } from './permit.ts';
import type { Reply } from './replies/reply.ts';
import { callerOf, changerOf, newContext, type RequestContext } from './request-context.ts';
import { type Match, methodNotAllowed, noSuchPath, type Route, type Router } from './router.ts';
import { authorizationOf } from './streams/key-in-query.ts';
import type { createRequestResumption } from './turns/resumption.ts';

export interface Pipeline extends Reading, AnswerParts, AccessChecks {
  readonly router: Router;
  readonly admission: Admission;
  readonly limits: Limits;
  readonly meter: Pick<RequestMeter, 'count'>;
  readonly checkMessage: ReturnType<typeof message.createMessageCheck>;
  readonly resumption: ReturnType<typeof createRequestResumption>;
}

/** A request whose route is known. */
type Routed = RequestContext & { readonly route: Route; readonly match: Match };

/** One stage: refuses by throwing, adds to the context, or replies. */
type Stage = (pipeline: Pipeline, context: Routed) => Awaitable<void> | Awaitable<Reply | undefined>;

/** All stages. An earlier stage always answers before a later one. @see docs/contract.md §2.7 */
const stages: readonly Stage[] = [
  checkMessage,
  refuseOverload,
  findRoute,
  checkExpectation,
  identify,
  countRequest,
  readPath,
  authorize,
  refuseBeyondLimit,
  meterForQuota,
  checkMediaType,
  readCondition,
  admitWrite,
  readBody,
  confirm,
  runOperation,
];

/**
 * Runs the stages up to the one that replies, and answers. Nearly everything that a read needs is in memory, and a promise would cost more
 * than its checks. The first promise is therefore created at the first stage that must wait.
 */
function run(pipeline: Pipeline, context: RequestContext): void {
  const routed = context as Routed; // safe: `findRoute` sets the route, or replies
  for (let next = 0; ; next++) {
    const outcome = (stages[next] as Stage)(pipeline, routed);
    if (outcome === undefined) continue;
    if (outcome instanceof Promise) void runLater(pipeline, routed, outcome, next + 1);
    else answer(pipeline, context, outcome);
    return;
  }
}

/** Waits for the current stage, runs the stages from `next` on up to the one that replies, and answers. Never rejects. */
async function runLater(
  pipeline: Pipeline,
  context: Routed,
  underWay: Promise<void> | Promise<Reply | undefined>,
  next: number,
): Promise<void> {
  pipeline.lifetime.requestsUnderWay++;
  try {
    let reply = await underWay;
    // Bodies arrive one by one, within the reads of a turn (read-turns.ts).
    let turn = reply === undefined && stages[next - 1] !== readBody ? pipeline.resumption() : undefined;
    if (turn !== undefined) await turn; // awaiting undefined would cost a turn of the microtasks
    for (let stage = next; reply === undefined; stage++) {
      const outcome = (stages[stage] as Stage)(pipeline, context);
      reply = outcome instanceof Promise ? await outcome : outcome;
    }
    // Many reads may share a result. The outcomes of writes come a few in a turn, or with a connection to the database each.
    turn = context.request.method === 'GET' ? pipeline.resumption() : undefined;
    if (turn !== undefined) await turn;
    answer(pipeline, context, reply);
  } catch (error) {
    answerFault(pipeline, context, error);
  } finally {
    pipeline.lifetime.requestsUnderWay--;
  }
}

/** Returns the function that answers requests. It never throws, whatever arrives. */
export function createPipeline(pipeline: Pipeline): OnRequest {
  return (request, response, expectsContinue) => {
    const context = newContext(request, response, expectsContinue, pipeline.observers);
    if (pipeline.admission.admits(context.startedAt)) serve(pipeline, context);
    else serveInTurn(pipeline, context);
  };
}

// Separate functions: a function that contains a closure costs more, even where it does not create it.
const serveInTurn = (pipeline: Pipeline, context: RequestContext): void =>
  queueRequest(pipeline.admission, context.request, (...admitted) => serveLater(pipeline, context, ...admitted));
const runTraced = (pipeline: Pipeline, context: RequestContext, trace: Trace): void =>
  withinTrace(trace, () => run(pipeline, context));

/** If the client has disconnected by now, the request is not carried out. */
function serveLater(pipeline: Pipeline, context: RequestContext, isAdmitted: boolean, isBodyLost: boolean): void {
  context.isAdmitted = isAdmitted;
  context.isBodyLost = isBodyLost;
  if (!context.response.destroyed) serve(pipeline, context);
  else answerFault(pipeline, context, new ClientGone('the connection closed before the request was served'));
}

function serve(pipeline: Pipeline, context: RequestContext): void {
  try {
    if (context.trace === undefined) run(pipeline, context);
    else runTraced(pipeline, context, context.trace);
  } catch (error) {
    answerFault(pipeline, context, error);
  }
}

function checkMessage(pipeline: Pipeline, context: RequestContext): void {
  pipeline.checkMessage(context.request);
  context.endsConnection = context.isBodyLost;
}

function refuseOverload(_: Pipeline, { isAdmitted }: RequestContext): void {
  if (!isAdmitted) throw overloaded();
}

/** Finds the route, or replies if the path alone determines the response. */
function findRoute(pipeline: Pipeline, context: RequestContext): Reply | undefined {
  const { method = '', url = '/' } = context.request;
  const target = message.requestTarget(url);
  const question = target.indexOf('?');
  const match = pipeline.router.find(question < 0 ? target : target.slice(0, question));
  if (method === 'OPTIONS') return optionsReply(pipeline.cors, context, match, target);
  if (match === undefined) throw noSuchPath();
  context.match = match;
  context.route = match.routes.get(method === 'HEAD' ? 'GET' : method);
  if (question >= 0) context.query = target.slice(question + 1);
  return context.route === undefined ? methodNotAllowed(method, match) : undefined;
}

function checkExpectation(_: Pipeline, { headers, awaitsContinue }: RequestContext): void {
  if (headers.expect !== undefined && !awaitsContinue) {
    throw new Refusal('expectation_failed', 'the only supported expectation is 100-continue');
  }
}

/**
 * Finds the request's principal. Anonymous API requests and refused credentials count against the client's address; requests about the
 * service itself are not counted.
 */
function identify({ authenticator, limits }: Pipeline, context: Routed): Awaitable<void> {
  const { access, keyInQuery, path, page, namesClient, countsLate } = context.route.operation;
  if (access.length > 0) {
    context.checkedAt = authenticator.changes;
    context.authorization = keyInQuery ? authorizationOf(context) : context.headers.authorization;
    context.principal = authenticator.recall(context.authorization, access);
    return context.principal === undefined ? lookUp(authenticator, limits, context) : undefined;
  }
  const origin = message.originOf(context.request);
  if (page || namesClient) context.clientName = limits.nameOf(origin);
  if (countsLate) context.count = limits.countLater(origin, noteAllowance(context));
  else if (path.startsWith('/v1/') || page) return limits.countAddress(origin, noteAllowance(context));
  return undefined;
}

/** Looks up a credential that is not cached. Refused credentials are counted. */
async function lookUp(authenticator: Authenticator, limits: Limits, context: Routed): Promise<void> {
  const { authorization, request, route } = context;
  const origin = message.originOf(request);
  const beforeLookUp = () => limits.checkAddress(origin);
  context.lookedUp = true;
  try {
    context.principal = await authenticator.authenticate(authorization, route.operation.access, beforeLookUp);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unauthorized') {
      await limits.countAddress(origin, noteAllowance(context));
    }
    throw error;
  }
}

/** Counts the request against its credential's limit. A request over the limit is refused later: 403 and 404 come first. */
function countRequest({ limits }: Pipeline, context: RequestContext): Awaitable<void> {
  const { principal, request } = context;
  if (principal === undefined) return undefined;
  if (isSharedCredential(principal))
    return limits.countHolder(principal, message.originOf(request), noteAllowance(context));
  return limits.countSubject(principal, noteAllowance(context));
}

/** Returns a function that stores the remaining allowance for the response. */
const noteAllowance = (context: RequestContext) => (allowance: Allowance) => {
  context.allowance = allowance;
};

function readPath(_: Pipeline, context: Routed): void {
  context.params = context.match.parameters(context.route);
}

function refuseBeyondLimit(_: Pipeline, { principal, allowance }: RequestContext): void {
  if (principal !== undefined) refuseBeyond(allowance);
}

/**
 * Counts the request for its account, and refuses it if it exceeds the limit of the minute or the quota of the month. Management of an
 * account is never refused.
 */
function meterForQuota({ meter }: Pipeline, context: Routed): Awaitable<void> {
  const { route, principal } = context;
  return principal && route.isMetered
    ? meter.count(principal.accountId, isSharedCredential(principal), context)
    : undefined;
}

/** Forms are checked when they are read. */
function checkMediaType(_: Pipeline, { route, headers }: Routed): void {
  const { body } = route.operation;
  if (body?.mediaType === 'application/json') requireMediaType(headers, body.mediaType, body.untyped);
}

/** Reads a write's precondition and idempotency key. A precondition that cannot be compared is refused, not ignored. */
function readCondition(_: Pipeline, context: Routed): void {
  const { headers, route } = context;
  const { method, precondition, repeatable } = route.operation;
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch, 'idempotency-key': key } = headers;
  if (precondition) context.precondition = readPrecondition(ifMatch, ifNoneMatch);
  else if (ifMatch !== undefined) refusePrecondition(method, 'If-Match');
  else if (ifNoneMatch !== undefined) refusePrecondition(method, 'If-None-Match');
  if (repeatable === true && key !== undefined) context.idempotencyKey = readIdempotencyKey(key);
}

/** Refuses a write before its body is read if too many are under way. The write is counted once it runs. */
function admitWrite({ admission }: Pipeline, { route, principal }: Routed): void {
  if (route.operation.precondition) admission.checkWrite(principal?.accountId ?? '');
}

/** Reads a JSON body: as bytes, or as a record checked against the operation's schema. Operations read forms themselves. */
function readBody(pipeline: Pipeline, context: Routed): Awaitable<void> {
  const { body, page, method } = context.route.operation;
  if (body?.mediaType === 'application/json') return readJsonBody(pipeline, context, body.asSent);
  if (body !== undefined || (page && method === 'POST')) context.readForm = formReader(pipeline, context);
}

async function readJsonBody(pipeline: Pipeline, context: Routed, asSent: number | undefined): Promise<void> {
  const { readRecord } = context.route;
  const owner = ownerOf(pipeline, context);
  if (readRecord === undefined || asSent) context.bodyBytes = await readBytes(context, pipeline, { owner, asSent });
  else context.body = await readRecord(await readJson(context, pipeline, owner));
}

/** A closure of `readBody` would keep finished requests alive through garbage collections: a refresh would take a tenth longer. */
const formReader = (pipeline: Pipeline, context: Routed) => (): Promise<URLSearchParams> =>
  readForm(context, pipeline, ownerOf(pipeline, context));

/** The owner of the budget that a body counts against. */
const ownerOf =
  ({ limits }: Pipeline, { request, principal }: RequestContext) =>
  (): Owner =>
    limits.ownerOf(principal, message.originOf(request));

function runOperation(pipeline: Pipeline, context: Routed): Awaitable<Reply> {
  const { operation } = context.route;
  if (isRecorded(context)) context.by = changerOf(context, pipeline.now);
  if (!operation.precondition) {
    if (operation.watches || operation.body?.asSent)
      context.caller = callerOf(context, { ...pipeline, owner: ownerOf(pipeline, context)() });
    return runHandler(pipeline, context);
  }
  const account = context.principal?.accountId ?? '';
  pipeline.admission.beginWrite(account);
  return runHandler(pipeline, context, () => pipeline.admission.endWrite(account));
}

/** Runs the handler. Its writes reach the store only while the request is still permitted. `ended` is called after a write of state. */
function runHandler(pipeline: Pipeline, context: Routed, ended?: () => void): Awaitable<Reply> {
  const { handler } = context.route;
  if (ended === undefined && !needsPermit(context)) return handler(context);
  return permitted(permitOf(pipeline, context), ended, handler, context);
}
