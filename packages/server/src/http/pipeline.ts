/**
 * The ordered checks of every request, on one page. An earlier check always answers before a later one:
 *
 *   path → method → limit of the address (429) → credential (401) → path segments (400) → reach (403, 404) → limit of the
 *   credential (429) → media type (415) → precondition syntax (400) → body in size and time (413, 408) → JSON (400) → the
 *   operation itself
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { formBytesMax, nestingDepthMax, type Operation, requestIdCharactersMax } from '@holdfast/contract';
import type { Authenticator } from '../access/authenticate.ts';
import type { Authorizer } from '../access/authorize.ts';
import type { Limits, Origin } from '../access/limits.ts';
import type { Principal } from '../access/principal.ts';
import { type Allowance, allowanceHeaders } from '../access/rate-limit.ts';
import { Refusal } from '../access/refusal.ts';
import type { Log } from '../observe/log.ts';
import { decodeUtf8, JsonTextError, parseJson } from '../state/json-text.ts';
import { readPrecondition } from '../state/precondition.ts';
import { type Awaitable, StoreUnavailable } from '../storage/store.ts';
import { type BodyReader, ClientGone, discardBody } from './body.ts';
import type { Cors } from './cors.ts';
import type { Handlers } from './exchange.ts';
import { type PathParameters, readPathParameters } from './path-parameters.ts';
import { refusalReply, unavailableReply } from './refusal-reply.ts';
import { emptyReply, errorReply, type Reply } from './reply.ts';
import type { Match, Route, Router } from './router.ts';
import { send } from './send.ts';

export interface PipelineParts {
  readonly router: Router;
  readonly handlers: Handlers;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly limits: Limits;
  readonly bodies: BodyReader;
  readonly cors: Cors;
  readonly log: Log;
  readonly requestBytesMax: number;
  /** Whether answers close their connection, because the service is stopping. */
  readonly isStopping: () => boolean;
}

export type OnRequest = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => void;

/** The function that answers requests. It never throws, whatever arrives. */
export function createPipeline(parts: PipelineParts): OnRequest {
  return (request, response, expectsContinue) => {
    void answer(parts, request, response, expectsContinue);
  };
}

/** One request and what is known of it while it passes the checks. */
interface Passage {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  awaitsContinue: boolean;
  /** Whether every reader of the message sees the same one in it. */
  isUnambiguous: boolean;
  route: Route | undefined;
  /** What is left of the limit that counted the request. */
  allowance: Allowance | undefined;
}

async function answer(
  parts: PipelineParts,
  request: IncomingMessage,
  response: ServerResponse,
  expectsContinue: boolean,
): Promise<void> {
  const { log } = parts;
  const startedAt = performance.now();
  const requestId = readRequestId(request.headers['x-request-id']);
  const passage: Passage = {
    request,
    response,
    awaitsContinue: expectsContinue,
    isUnambiguous: false,
    route: undefined,
    allowance: undefined,
  };
  let reply: Reply;
  try {
    const pending = check(parts, passage);
    reply = pending instanceof Promise ? await pending : pending;
  } catch (error) {
    if (error instanceof ClientGone) return;
    reply = replyToFault(parts, passage, error, requestId);
  }
  if (passage.allowance !== undefined)
    reply = { ...reply, headers: [...reply.headers, ...allowanceHeaders(passage.allowance)] };
  const { origin } = request.headers;
  const hasBody = request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined;
  // A client that was told to wait may or may not send its body now; only a new connection is unambiguous.
  const isLast = passage.awaitsContinue || !passage.isUnambiguous || reply.code === 'request_timeout';
  const closes = isLast || parts.isStopping();
  try {
    const sent = send(response, reply, requestId, parts.cors.headers(origin, reply.headers), closes);
    if (hasBody) discardBody(request);
    if (sent !== undefined) await sent;
  } catch (error) {
    log.error({ requestId, operation: passage.route?.id, error }, 'an answer was cut short');
  }
  if (log.isLevelEnabled('debug')) {
    const durationMilliseconds = Math.round((performance.now() - startedAt) * 1000) / 1000;
    log.debug({ requestId, operation: passage.route?.id, status: reply.status, code: reply.code, durationMilliseconds });
  }
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
  const expect = request.headers.expect;
  if (expect !== undefined && !passage.awaitsContinue) {
    throw new Refusal('expectation_failed', 'the only expectation that can be met is 100-continue');
  }
  return operate(parts, passage, route, match.segments, question < 0 ? '' : target.slice(question + 1));
}

/** Passes the checks of the operation in their order, then runs it. */
async function operate(
  parts: PipelineParts,
  passage: Passage,
  route: Route,
  segments: readonly string[],
  query: string,
): Promise<Reply> {
  const { operation } = route;
  const { headers } = passage.request;
  const identified = operation.access.length === 0 ? admitAnonymous(parts, passage) : identify(parts, passage, operation);
  const principal = identified instanceof Promise ? await identified : identified;
  const params = readPathParameters(route.parameters, segments);
  if (principal !== undefined) {
    const authorized = authorize(parts.authorizer, principal, operation, params);
    if (authorized instanceof Promise) await authorized;
    passage.allowance = parts.limits.countCredential(principal);
  }
  const readsJson = operation.body?.mediaType === 'application/json';
  if (readsJson) checkMediaType(headers, 'application/json');
  const precondition = operation.precondition ? readPrecondition(headers['if-match'], headers['if-none-match']) : undefined;
  const body = readsJson ? await readJson(parts, passage, operation.body.envelopeDepth) : undefined;
  const handler = parts.handlers[route.id];
  if (handler === undefined) throw new Refusal('not_found', 'there is nothing at this path');
  return handler({ params, principal, headers, query, body, precondition, readForm: () => readForm(parts, passage) });
}

/** Anonymous requests of the interface are counted for each client; what the service says of itself is not. */
function admitAnonymous(parts: PipelineParts, passage: Passage): undefined {
  if (passage.route?.operation.path.startsWith('/v1/')) passage.allowance = parts.limits.countAddress(originOf(passage.request));
}

/** The principal of the request. Credentials that are refused count against the address that presents them. */
function identify(parts: PipelineParts, passage: Passage, operation: Operation): Awaitable<Principal> {
  const { authenticator, limits } = parts;
  const { request } = passage;
  const count = (error: unknown): never => {
    if (error instanceof Refusal && error.code === 'unauthorized') limits.countAddress(originOf(request));
    throw error;
  };
  try {
    const principal = authenticator.authenticate(request.headers.authorization, operation.access, () =>
      limits.checkAddress(originOf(request)),
    );
    return principal instanceof Promise ? principal.catch(count) : principal;
  } catch (error) {
    return count(error);
  }
}

function originOf({ socket, headers }: IncomingMessage): Origin {
  const forwardedFor = headers['x-forwarded-for'];
  return { peerAddress: socket.remoteAddress ?? '', forwardedFor: forwardedFor as string | undefined };
}

/** Refuses a principal that does not reach what the path names; there is nothing to refuse where it names nothing. */
function authorize(authorizer: Authorizer, principal: Principal, operation: Operation, params: PathParameters) {
  const { accountId, slug, environment } = params;
  const accepted = operation.access;
  if (accountId === undefined) return undefined;
  if (slug === undefined) return authorizer.authorizeAccount(principal, accepted, accountId);
  const intent = operation.method === 'GET' ? 'read' : 'write';
  return authorizer.authorizeProject(principal, { accepted, key: { accountId, slug }, environment, intent });
}

async function readJson(parts: PipelineParts, passage: Passage, envelopeDepth: number): Promise<unknown> {
  const text = await readText(parts, passage, parts.requestBytesMax);
  try {
    return parseJson(text, nestingDepthMax + envelopeDepth);
  } catch (error) {
    if (error instanceof JsonTextError) throw new Refusal('validation_error', `the body is refused: ${error.message}`);
    throw error;
  }
}

async function readForm(parts: PipelineParts, passage: Passage): Promise<string> {
  checkMediaType(passage.request.headers, 'application/x-www-form-urlencoded');
  return readText(parts, passage, formBytesMax);
}

async function readText(parts: PipelineParts, passage: Passage, bytesMax: number): Promise<string> {
  if (passage.awaitsContinue) {
    const declared = Number(passage.request.headers['content-length'] ?? 0);
    if (declared <= bytesMax) {
      passage.response.writeContinue();
      passage.awaitsContinue = false;
    }
  }
  const text = decodeUtf8(await parts.bodies.read(passage.request, bytesMax));
  if (text === undefined) throw new Refusal('validation_error', 'the body is not valid UTF-8');
  return text;
}

const utf8Parameter = String.raw`[\t ]*(?:;[\t ]*charset[\t ]*=[\t ]*"?utf-8"?[\t ]*)?;?$`;
const bodyMediaTypes = {
  'application/json': new RegExp(`^application/json${utf8Parameter}`, 'i'),
  'application/x-www-form-urlencoded': new RegExp(`^application/x-www-form-urlencoded${utf8Parameter}`, 'i'),
};

/** @see RFC 9110 §8.3 and §8.4 */
function checkMediaType(headers: IncomingMessage['headers'], expected: keyof typeof bodyMediaTypes): void {
  const type = headers['content-type'];
  if (type !== expected && (type === undefined || !bodyMediaTypes[expected].test(type))) {
    throw new Refusal('unsupported_media_type', `the body must be ${expected} in UTF-8`);
  }
  const coding = headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity') {
    throw new Refusal('unsupported_media_type', 'the body must not be encoded; Content-Encoding is not supported');
  }
}

/** @see RFC 9112 §2.3, §3.2 and §6.1 */
function checkMessage({ headers, rawHeaders, httpVersion }: IncomingMessage): void {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw new Refusal('validation_error', 'the request is of a version of HTTP other than 1.1 and 1.0');
  }
  if (headers.host === undefined && httpVersion === '1.1') {
    throw new Refusal('validation_error', 'the header Host is missing');
  }
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    throw new Refusal('validation_error', 'the body has a transfer coding other than chunked');
  }
  let names = 0;
  for (const _name in headers) names++;
  if (rawHeaders.length !== 2 * names) checkRepetition(rawHeaders);
}

/** Of these the runtime would quietly keep one; which one an intermediary believed is unknown, so neither is right. */
const neverRepeated = new Set(['authorization', 'content-length', 'content-type', 'host', 'origin', 'expect']);

function checkRepetition(rawHeaders: readonly string[]): void {
  const seen = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase();
    if (neverRepeated.has(name) && seen.has(name)) {
      throw new Refusal('validation_error', `the header ${name} is there more than once`);
    }
    seen.add(name);
  }
}

/** The path and query of a target in origin form or absolute form. @see RFC 9112 §3.2.2 */
function requestTarget(url: string): string {
  if (url.charCodeAt(0) === 47) return url;
  const authority = /^https?:\/\/[^/?#]*/i.exec(url)?.[0];
  if (authority === undefined) return url;
  const rest = url.slice(authority.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
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

function readRequestId(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && sent.length <= requestIdCharactersMax && /^[\x21-\x7e]+$/.test(sent)
    ? sent
    : randomUUID();
}

function replyToFault(parts: PipelineParts, passage: Passage, error: unknown, requestId: string): Reply {
  const operation = passage.route?.id;
  if (error instanceof Refusal) {
    passage.allowance ??= error.allowance;
    if (error.cause !== undefined)
      parts.log.warn({ requestId, operation, code: error.code, error: error.cause }, error.message);
    return refusalReply(error, passage.route?.operation);
  }
  if (error instanceof StoreUnavailable) {
    parts.log.error({ requestId, operation, error }, 'storage is unavailable');
    return unavailableReply();
  }
  parts.log.error({ requestId, operation, error }, 'a request failed');
  return errorReply('internal_error', 'the service failed; the request id leads to the cause in its log');
}
