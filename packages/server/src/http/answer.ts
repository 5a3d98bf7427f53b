/** How requests are answered: with the reply of the operation, or for what was thrown on the way to it. */
import type { IncomingMessage } from 'node:http';
import { QuotaRefusal } from '../common/quota-refusal.ts';
import { Refusal } from '../common/refusal.ts';
import type { Limits } from '../limits/limits.ts';
import { allowanceHeaders } from '../limits/rate-limit.ts';
import type { Log } from '../observe/log.ts';
import type { Observers } from '../observe/observation.ts';
import { clientGone, type Outcome } from '../observe/observed.ts';
import { StoreUnavailable } from '../storage/store.ts';
import { ClientGone, discardBody } from './body.ts';
import type { Cors } from './cors.ts';
import { originOf } from './message.ts';
import { quotaReply, refusalReply, unavailableReply } from './refusal-reply.ts';
import { errorReply, type Reply } from './reply.ts';
import type { RequestContext } from './request-context.ts';
import { send } from './send.ts';
import type { UnreadResponses } from './unread-responses.ts';

export interface AnswerParts {
  readonly cors: Cors;
  readonly log: Log;
  readonly observers: Observers;
  /** A refusal in the form that a person reads. */
  readonly faultPage: (reply: Reply, request: IncomingMessage) => Promise<Reply>;
  /** Responses close their connection while the service is stopping. */
  readonly lifetime: { readonly isStopping: boolean };
  readonly unread: UnreadResponses;
  readonly limits: Pick<Limits, 'ownerOf'>;
}

const none: readonly string[] = [];
const credentialVaries: readonly string[] = ['Vary', 'Authorization, Origin'];

/** Whether a cache has to be told that the response depends on the credential. @see RFC 9110 §12.5.5 */
const variesByCredential = ({ route }: RequestContext, { headers }: Reply): boolean =>
  route !== undefined && route.operation.access.length > 0 && !headers.includes('Vary');

/** Answers with the reply that is promised, or for what becomes of the promise. Never rejects. */
export async function answerLater(parts: AnswerParts, context: RequestContext, reply: Promise<Reply>): Promise<void> {
  try {
    answer(parts, context, await reply);
  } catch (error) {
    answerFault(parts, context, error);
  }
}

/** Answers with a reply. */
export function answer(parts: AnswerParts, context: RequestContext, reply: Reply): void {
  const { request, response, requestId, allowance } = context;
  const { headers } = request;
  const { cors } = parts;
  const isCrossOrigin = headers.origin !== undefined || cors.variesByOrigin;
  const varies = variesByCredential(context, reply) ? credentialVaries : none;
  let further = varies;
  if (isCrossOrigin && !context.route?.operation.page) {
    further = [...varies, ...cors.headers(headers.origin, varies === none ? reply.headers : varies)];
  }
  if (allowance !== undefined) further = [...further, ...allowanceHeaders(allowance)];
  // A client that was told to wait may or may not send its body now; only a new connection is unambiguous.
  const isLast = context.awaitsContinue || context.endsConnection;
  const envelope = { requestId, further, isLast: isLast || parts.lifetime.isStopping };
  try {
    const watch = (bytes: number) =>
      parts.unread.watch(response, parts.limits.ownerOf(context.principal, originOf(request)).account, bytes);
    send(response, reply, envelope, watch)?.catch((error: unknown) => cutShort(parts.log, context, error));
  } catch (error) {
    cutShort(parts.log, context, error);
  }
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) discardBody(request);
  context.heldBytes?.release();
  observe(parts, context, reply);
}

function cutShort(log: Log, { response, requestId, route }: RequestContext, error: unknown): void {
  response.destroy();
  log.error({ requestId, operation: route?.id, error }, 'an answer was cut short');
}

function observe({ observers }: AnswerParts, context: RequestContext, outcome: Outcome): void {
  observers.onAnswer?.(context, outcome, performance.now() - context.startedAt);
}

/** Answers for what was thrown: a refusal with its code, anything else with 500 or 503 and a line in the log. */
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

/** Answers with the page of a fault; with the fault itself, should there be no page for it. */
async function answerWithPage(parts: AnswerParts, context: RequestContext, reply: Reply): Promise<void> {
  const page = await parts.faultPage(reply, context.request).catch(() => reply);
  answer(parts, context, page);
}

function replyToFault({ log, observers }: AnswerParts, { requestId, route }: RequestContext, error: unknown): Reply {
  const operation = route?.id;
  if (error instanceof Refusal) {
    const { code, cause } = error;
    if (cause !== undefined) log.warn({ requestId, operation, code, error: cause }, error.message);
    return refusalReply(error, route?.operation);
  }
  if (error instanceof QuotaRefusal) return quotaReply(error);
  if (error instanceof StoreUnavailable) {
    if (observers.admitsFault('storage')) log.error({ requestId, operation, error }, 'storage is unavailable');
    return unavailableReply();
  }
  log.error({ requestId, operation, error }, 'a request failed');
  return errorReply('internal_error', 'the service failed; its log has the cause under the request id');
}
