/** The login page of a service with an outside issuer: it sends browsers there and takes them back. */
import { operations, type PageId } from '@holdfast/contract';
import { Refusal } from '../../common/refusal.ts';
import type { Exchange, Handler } from '../../http/exchange.ts';
import type { Reply } from '../../http/reply.ts';
import type { HandOver } from '../../identity/hand-over.ts';
import { readParameters } from '../../oauth/parameters.ts';
import { textsOf } from '../language.ts';
import type { LoginContext } from '../login-context.ts';
import { isReply } from '../login-session.ts';
import { seeOther } from '../page-reply.ts';
import { continuePage } from '../pages/continue.ts';
import { callbackFields } from '../sign-in-methods.ts';
import { flowCookies, flowExpired, returnedIn, turnIntoQuery } from './federated.ts';

/** Returns the routes. Those of the built-in provider are not found. */
export function outsidePages(context: LoginContext, handOver: HandOver): Readonly<Record<PageId, Handler>> {
  const absent: Handler = () => {
    throw new Refusal('not_found', 'this page does not exist when an outside issuer is configured');
  };
  const ids = Object.keys(operations) as PageId[];
  return {
    ...(Object.fromEntries(ids.map((id) => [id, absent])) as Record<PageId, Handler>),
    readLoginPage: (exchange) => begin(context, handOver, exchange),
    returnFromIssuer: (exchange) => finish(context, handOver, exchange),
    postFromIssuer: (exchange) => turnIntoQuery(context, exchange),
  };
}

async function begin(context: LoginContext, handOver: HandOver, exchange: Exchange): Promise<Reply> {
  const elsewhere = context.elsewhere(exchange);
  if (elsewhere !== undefined) return seeOther(`${elsewhere}?${exchange.query}`);
  const session = await context.openSession(exchange);
  if (isReply(session)) return session;
  const { browser, query, view, directory, parameters } = session;
  const outcome = await handOver.begin({
    tenantId: directory.kind === 'account' ? directory.tenantId : null,
    browser,
    returnQuery: query,
    uiLocales: parameters.get('ui_locales') ?? null,
  });
  if (outcome.kind === 'redirect') return session.leave(outcome.location, flowCookies(context, outcome.flow, query));
  const texts = textsOf(view.language);
  const content = { title: texts.unavailableTitle, texts: [texts.issuerUnavailable] };
  const reply = context.message(view.language, content, query, 503);
  return { ...reply, headers: ['Retry-After', '5', ...reply.headers] };
}

async function finish(context: LoginContext, handOver: HandOver, exchange: Exchange): Promise<Reply> {
  context.demandServed(exchange);
  const outcome = await handOver.finish(returnedIn(context, exchange));
  if (outcome.kind === 'expired') return flowExpired(context, exchange);
  if (outcome.kind === 'refused') {
    const { reason, returnQuery } = outcome;
    const language = context.languageOf(exchange, readParameters(returnQuery));
    const texts = textsOf(language);
    const text = reason === 'unavailable' ? texts.issuerUnavailable : texts.issuerRefused;
    return context.message(language, { title: texts.failedTitle, texts: [text] }, returnQuery, 403);
  }
  const session = await context.openSession(exchange, outcome.returnQuery);
  if (isReply(session)) return session;
  const page = continuePage(session.view, {
    callback: context.callback(),
    fields: callbackFields(session, outcome.idToken),
  });
  return session.reply(page, { headers: context.cookies.clear('flow') });
}
