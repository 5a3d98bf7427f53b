/** The login page with an outside issuer: sends browsers there and receives them back. */
import type { PageId } from '@holdfast/contract';
import { readParameters } from '../../common/requests/form-parameters.ts';
import type { HandlersOf, PageRequest } from '../../http/operation-request.ts';
import type { Reply } from '../../http/replies/reply.ts';
import type { HandOver } from '../../identity/hand-over.ts';
import { textsOf } from '../language.ts';
import type { LoginContext } from '../login-context.ts';
import type { LoginDependencies } from '../login-dependencies.ts';
import { seeOther } from '../page-reply.ts';
import { returnToClient } from '../return-to-client.ts';
import { isReply } from '../session/login-session.ts';
import { flowExpired, turnIntoQuery } from './federated.ts';
import { endFlow, flowCookies, returnedIn } from './provider-flow.ts';

type OutsidePageId = Extract<PageId, 'readLoginPage' | 'returnFromIssuer' | 'postFromIssuer'>;

/** Returns the routes of this provider. */
export function outsidePages(
  parts: LoginDependencies,
  context: LoginContext,
  handOver: HandOver,
): HandlersOf<OutsidePageId> {
  return {
    readLoginPage: (request) => begin(context, handOver, request),
    returnFromIssuer: (request) => finish(parts, context, handOver, request),
    postFromIssuer: (request) => turnIntoQuery(context, request),
  };
}

async function begin(context: LoginContext, handOver: HandOver, request: PageRequest): Promise<Reply> {
  const elsewhere = context.elsewhere(request);
  if (elsewhere !== undefined) return seeOther(`${elsewhere}?${request.query}`);
  const session = await context.openSession(request);
  if (isReply(session)) return session;
  const { browser, query, view, directory, parameters } = session;
  const outcome = await handOver.begin({
    tenantId: directory.kind === 'account' ? directory.tenantId : null,
    browser,
    returnQuery: query,
    uiLocales: parameters.get('ui_locales') ?? null,
  });
  if (outcome.kind === 'redirect') return session.leave(outcome.location, flowCookies(context, session, outcome));
  const texts = textsOf(view.language);
  const content = { title: texts.unavailableTitle, texts: [texts.issuerUnavailable] };
  const reply = context.message(view.language, content, query, 503);
  return { ...reply, headers: ['Retry-After', '5', ...reply.headers] };
}

async function finish(
  parts: LoginDependencies,
  context: LoginContext,
  handOver: HandOver,
  request: PageRequest,
): Promise<Reply> {
  context.requireServed(request);
  const outcome = await handOver.finish(returnedIn(context, request));
  if (outcome.kind === 'expired') return flowExpired(context, request, outcome.returnQuery);
  const isOpen = outcome.kind === 'refused' && outcome.isOpen === true;
  const headers = isOpen ? [] : endFlow(context, request, outcome.returnQuery);
  if (outcome.kind === 'refused') {
    const { reason, returnQuery } = outcome;
    const language = context.languageOf(request, readParameters(returnQuery));
    const texts = textsOf(language);
    const text = reason === 'unavailable' ? texts.issuerUnavailable : texts.issuerRefused;
    const reply = context.message(language, { title: texts.failedTitle, texts: [text] }, returnQuery, 403);
    return { ...reply, headers: [...reply.headers, ...headers] };
  }
  const session = await context.openSession(request, outcome.returnQuery);
  if (isReply(session)) return session;
  return returnToClient(parts, context, session, { idToken: outcome.idToken, headers });
}
