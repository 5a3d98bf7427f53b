/** The login page with an outside issuer: sends browsers there and receives them back. */
import type { PageId } from '@holdfast/contract';
import { readParameters } from '../../common/requests/form-parameters.ts';
import type { HandlersOf, PageRequest } from '../../http/operation-request.ts';
import type { Reply } from '../../http/replies/reply.ts';
import type { HandOver } from '../../identity/hand-over.ts';
import { languageFor, textsOf } from '../language.ts';
import type { Login } from '../login.ts';
import { seeOther } from '../page-reply.ts';
import { returnToClient } from '../return-to-client.ts';
import { isReply } from '../session/login-session.ts';
import { endFlow, flowCookies, returnedIn } from '../session/provider-flow.ts';
import { flowExpired, turnIntoQuery } from './federated.ts';

type OutsidePageId = Extract<PageId, 'readLoginPage' | 'returnFromIssuer' | 'postFromIssuer'>;

/** Returns the routes of this provider. */
export function outsidePages(login: Login, handOver: HandOver): HandlersOf<OutsidePageId> {
  return {
    readLoginPage: (request) => begin(login, handOver, request),
    returnFromIssuer: (request) => finish(login, handOver, request),
    postFromIssuer: (request) => turnIntoQuery(login, request),
  };
}

async function begin(login: Login, handOver: HandOver, request: PageRequest): Promise<Reply> {
  const elsewhere = login.elsewhere(request);
  if (elsewhere !== undefined) return seeOther(`${elsewhere}?${request.query}`);
  const session = await login.openSession(request);
  if (isReply(session)) return session;
  const { browser, query, view, directory, parameters } = session;
  const outcome = await handOver.begin({
    tenantId: directory.kind === 'account' ? directory.tenantId : null,
    browser,
    returnQuery: query,
    uiLocales: parameters.get('ui_locales') ?? null,
  });
  if (outcome.kind === 'redirect') return session.leave(outcome.location, flowCookies(login, session, outcome));
  const texts = textsOf(view.language);
  const content = { title: texts.unavailableTitle, texts: [texts.issuerUnavailable] };
  const reply = login.message(view.language, content, query, 503);
  return { ...reply, headers: ['Retry-After', '5', ...reply.headers] };
}

async function finish(login: Login, handOver: HandOver, request: PageRequest): Promise<Reply> {
  login.requireServed(request);
  const outcome = await handOver.finish(returnedIn(login, request));
  if (outcome.kind === 'expired') return flowExpired(login, request, outcome.returnQuery);
  const isOpen = outcome.kind === 'refused' && outcome.isOpen === true;
  const headers = isOpen ? [] : endFlow(login, request, outcome.returnQuery);
  if (outcome.kind === 'refused') {
    const { reason, returnQuery } = outcome;
    const language = languageFor(readParameters(returnQuery), request.headers);
    const texts = textsOf(language);
    const text = reason === 'unavailable' ? texts.issuerUnavailable : texts.issuerRefused;
    const reply = login.message(language, { title: texts.failedTitle, texts: [text] }, returnQuery, 403);
    return { ...reply, headers: [...reply.headers, ...headers] };
  }
  const session = await login.openSession(request, outcome.returnQuery);
  if (isReply(session)) return session;
  return returnToClient(login, session, { idToken: outcome.idToken, headers });
}
