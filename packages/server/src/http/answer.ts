/** Answers requests with the operation's reply, or according to a thrown error. */

import type { IncomingMessage } from 'node:http';
import { Refusal } from '../common/requests/refusal.ts';
import type { Limits } from '../limits/limits.ts';
import { QuotaRefusal } from '../limits/quota-refusal.ts';
import { allowanceHeaders } from '../limits/rate-limit.ts';
import { clientGone, type Outcome } from '../observe/completed-request.ts';
import type { Log } from '../observe/log.ts';
import type { Observers } from '../observe/observation.ts';
import { StoreUnavailable } from '../storage/store.ts';
import type { RequestFigures } from '../usage/request-figures.ts';
import { ClientGone, discardBody } from './bodies/body.ts';
import type { Cors } from './cors.ts';
import { hasTokenErrors, isTokenRequest, originOf } from './node/message.ts';
import { errorReply, quotaReply, refusalReply, tokenErrorReply, unavailableReply } from './replies/error-reply.ts';
import type { Reply } from './replies/reply.ts';
import { send } from './replies/send.ts';
import type { Receiver, UnreadResponses } from './replies/unread-responses.ts';
import type { RequestContext } from './request-context.ts';

interface Lifetime {
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
