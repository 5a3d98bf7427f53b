/** Answers requests with the operation's reply, or according to a thrown error. Writes the reply as a head and a body. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '../../common/requests/refusal.ts';
import type { Limits } from '../../limits/limits.ts';
import { QuotaRefusal } from '../../limits/quota-refusal.ts';
import { allowanceHeaders } from '../../limits/rate-limit.ts';
import { clientGone, type Outcome } from '../../observe/completed-request.ts';
import type { Log } from '../../observe/log.ts';
import type { Observers } from '../../observe/observation.ts';
import { StoreUnavailable } from '../../storage/store.ts';
import type { RequestFigures } from '../../usage/request-figures.ts';
import { ClientGone, discardBody } from '../bodies/body.ts';
import { takesChunks } from '../connections/node-internals.ts';
import { hasTokenErrors, isTokenRequest, originOf } from '../message.ts';
import type { RequestContext } from '../request-context.ts';
import { createResumption } from '../turns/resumption.ts';
import type { Cors } from './cors.ts';
import { errorReply, quotaReply, refusalReply, tokenErrorReply, unavailableReply } from './error-reply.ts';
import type { BodyParts, BodyStream, OpenEndedBody, Reply } from './reply.ts';
import {
  cancelStream,
  pieceBytes,
  type Receiver,
  sendLarge,
  sendStream,
  type UnreadResponses,
} from './unread-responses.ts';

export interface Lifetime {
  /** Set once the service drains or stops. From then on, connections end with their next response. */
  readonly isStopping: boolean;
  /** Requests begun but not yet answered, including those whose client has disconnected. */
  requestsUnderWay: number;
}

export interface AnswerParts {
  readonly cors: Cors;
  readonly log: Log;
  readonly observers: Observers;
  /** A refusal as an HTML page. */
  readonly faultPage: (reply: Reply, request: IncomingMessage) => Promise<Reply>;
  readonly lifetime: Lifetime;
  readonly unread: UnreadResponses;
  readonly limits: Pick<Limits, 'ownerOf'>;
  readonly figures: Pick<RequestFigures, 'count'>;
  /** The nonce in every response of the token endpoint. */
  readonly authNonce: () => string;
}

const none: readonly string[] = [];
const anyOrigin: readonly string[] = ['Access-Control-Allow-Origin', '*'];
const credentialVaries: readonly string[] = ['Vary', 'Authorization, Origin'];

/** Whether `Vary` must state that the response depends on the credential. @see RFC 9110 §12.5.5 */
const variesByCredential = ({ route }: RequestContext, { headers }: Reply): boolean =>
  route !== undefined && route.operation.access.length > 0 && !headers.includes('Vary');

/** Requests that may continue in one turn, whatever they do. Any more wait for a turn. */
const resumedTogether = 16;
const resumeMilliseconds = 6;
const resumeInTurn = createResumption(resumeMilliseconds, () => performance.now());

/** When a waiting request may continue, perhaps with hundreds of others that waited for the same result; undefined means now. */
export const resumption = ({ lifetime }: Pick<AnswerParts, 'lifetime'>): Promise<void> | undefined =>
  lifetime.requestsUnderWay > resumedTogether ? resumeInTurn() : undefined;

/** Answers with a reply. */
export function answer(parts: AnswerParts, context: RequestContext, reply: Reply): void {
  const { request, response, requestId, allowance } = context;
  const { headers } = request;
  const { cors } = parts;
  const isCrossOrigin = headers.origin !== undefined || cors.variesByOrigin;
  const varies = variesByCredential(context, reply) ? credentialVaries : none;
  let further = varies;
  if (context.route?.operation.anyOrigin) further = anyOrigin;
  else if (isCrossOrigin && !context.route?.operation.page) {
    further = [...varies, ...cors.headers(headers.origin, varies === none ? reply.headers : varies)];
  }
  if (allowance !== undefined) further = [...further, ...allowanceHeaders(allowance)];
  if (isTokenRequest(request)) further = [...further, 'Auth-Nonce', parts.authNonce()];
  // A client that waits for `100 Continue` may or may not send its body now; only a new connection is unambiguous.
  const isLast = context.awaitsContinue || context.endsConnection;
  const envelope = { requestId, further, isLast: isLast || parts.lifetime.isStopping };
  try {
    const sending = send(response, reply, envelope, receiverOf(parts, context));
    if (sending !== undefined) void cutShortUnlessSent(parts.log, context, sending);
  } catch (error) {
    cutShort(parts.log, context, error);
  }
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) discardBody(request);
  context.heldBytes?.release();
  observe(parts, context, reply);
}

/** Returns a function that returns the receiver of a body. A closure of `answer` would cost each response more. */
const receiverOf = (parts: AnswerParts, context: RequestContext) => (): Receiver => {
  const owner = parts.limits.ownerOf(context.principal, originOf(context.request));
  return { owner, watch: (bytes) => parts.unread.watch(context.response, owner.account, bytes) };
};

async function cutShortUnlessSent(log: Log, context: RequestContext, sending: Promise<void>): Promise<void> {
  try {
    await sending;
  } catch (error) {
    cutShort(log, context, error);
  }
}

function cutShort(log: Log, { response, requestId, route }: RequestContext, error: unknown): void {
  response.destroy();
  log.error({ requestId, operation: route?.id, error }, 'a response was cut short');
}

function observe({ observers, figures }: AnswerParts, context: RequestContext, outcome: Outcome): void {
  const { principal, route, params } = context;
  if (principal !== undefined && route?.isMetered) figures.count(principal, params?.slug, outcome.code);
  observers.onAnswer?.(context, outcome, performance.now() - context.startedAt);
}

/** Answers according to a thrown error: a refusal with its code, anything else with 500 or 503 and a line in the log. */
export function answerFault(parts: AnswerParts, context: RequestContext, error: unknown): void {
  if (error instanceof ClientGone) {
    context.heldBytes?.release();
    observe(parts, context, clientGone);
    return;
  }
  const reply = replyToFault(parts, context, error);
  if (!context.route?.operation.page) answer(parts, context, reply);
  else void answerWithPage(parts, context, reply);
}

/** Answers with an error page, or with the plain error if the page cannot be made. */
async function answerWithPage(parts: AnswerParts, context: RequestContext, reply: Reply): Promise<void> {
  const page = await parts.faultPage(reply, context.request).catch(() => reply);
  answer(parts, context, page);
}

function replyToFault(
  { log, observers }: AnswerParts,
  { request, requestId, route }: RequestContext,
  error: unknown,
): Reply {
  const operation = route?.id;
  const form = hasTokenErrors(request) ? tokenErrorReply : errorReply;
  if (error instanceof Refusal) {
    const { code, cause } = error;
    if (cause !== undefined) log.warn({ requestId, operation, code, error: cause }, error.message);
    return refusalReply(error, route?.operation, form);
  }
  if (error instanceof QuotaRefusal) return quotaReply(error);
  if (error instanceof StoreUnavailable) {
    if (observers.admitsFault('storage')) log.error({ requestId, operation, error }, 'storage is unavailable');
    return unavailableReply(form);
  }
  log.error({ requestId, operation, error }, 'a request failed');
  return form('internal_error', 'the service failed; its log has the cause under the request id');
}

/** The headers of every response: name, value, name, value. @see docs/contract.md §2.1 */
export const firstHeaders = (requestId: string): readonly string[] => ['API-Version', '1', 'X-Request-Id', requestId];

/** Values that the transport adds to a reply. */
export interface Envelope {
  readonly requestId: string;
  /** Headers in addition to the reply's: name, value, name, value … */
  readonly further: readonly string[];
  /** Whether the connection ends with this response. */
  readonly isLast: boolean;
}

/**
 * Writes the reply in its envelope. `receiver` is called only if the body may have to wait for its client. Resolves when a body of several
 * pieces has been handed over completely. If the body's source fails, cuts the connection, since the failure can no longer be sent, then
 * rejects.
 */
export function send(
  response: ServerResponse,
  reply: Reply,
  envelope: Envelope,
  receiver: () => Receiver,
): undefined | Promise<void> {
  const { status, headers, body } = reply;
  const { requestId, further, isLast } = envelope;
  const head: Head = { status, headers: [...firstHeaders(requestId), ...headers, ...further], isLast };
  if (isStream(body)) {
    putStreamHead(response, head);
    if ('begin' in body) return begin(response, body);
    if (response.req.method !== 'HEAD') return sendStream(response, body, receiver());
    response.end();
    return cancelStream(body);
  }
  putHead(response, head);
  if (body === undefined || response.req.method === 'HEAD') {
    response.end();
    return undefined;
  }
  if (typeof body === 'string') {
    response.end(body, 'latin1');
    if (response.writableLength > 0) receiver().watch(body.length);
    return undefined;
  }
  return sendParts(response, body instanceof Uint8Array ? [body] : body, receiver);
}

/** Hands the response over to its body's source. */
function begin(response: ServerResponse, body: OpenEndedBody): undefined {
  if (response.req.method !== 'HEAD' && !response.destroyed) return void body.begin(response);
  response.end();
  body.cancel();
}

const isStream = (body: Reply['body']): body is BodyStream | OpenEndedBody =>
  typeof body === 'object' && !(body instanceof Uint8Array) && !Array.isArray(body);

function sendParts(response: ServerResponse, parts: BodyParts, receiver: () => Receiver): undefined | Promise<void> {
  const bytes = parts.reduce((sum, part) => sum + (typeof part === 'string' ? 2 : 1) * part.length, 0);
  if (bytes > pieceBytes) {
    return sendLarge(response, parts, bytes, receiver().watch);
  }
  response.cork(); // sends the parts in one write
  for (const part of parts) response.write(part);
  response.end();
  if (response.writableLength > 0) receiver().watch(bytes);
  return undefined;
}

/** How long an idle connection is kept. */
export const keepAliveSeconds = 65;

/** The contents of a response's head. */
export interface Head {
  readonly status: number;
  /** All headers except the date and connection headers: name, value, name, value … */
  readonly headers: readonly string[];
  /** Whether the connection ends with this response. */
  readonly isLast: boolean;
}

/**
 * Sets the response's head once, before anything is written. The headers must give the body's length. The connection ends with the last
 * response, or if the client asked for that. Throws for a value that would break out of its line.
 */
export function putHead(response: ServerResponse, { status, headers, isLast }: Head): void {
  // The runtime only reads them.
  response.writeHead(status, isLast ? [...headers, 'Connection', 'close'] : (headers as string[]));
}

/** Sets the head of a response of unknown length. The body is sent in chunks, or, for HTTP/1.0 clients, until the connection ends. */
export function putStreamHead(response: ServerResponse, { status, headers, isLast }: Head): void {
  const hasChunks = takesChunks(response);
  const framed = hasChunks ? [...headers, 'Transfer-Encoding', 'chunked'] : headers;
  putHead(response, { status, headers: framed, isLast: isLast || !hasChunks });
}
