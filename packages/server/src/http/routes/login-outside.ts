/** The login page of a service whose people are signed in by an issuer elsewhere: a way there, and a way back. */
import { operations, type PageId } from '@holdfast/contract';
import { Refusal } from '../../common/refusal.ts';
import type { HandOver } from '../../identity/hand-over.ts';
import { textsOf } from '../../login/language.ts';
import { continuePage } from '../../login/pages/continue.ts';
import { readParameters } from '../../oauth/parameters.ts';
import type { Exchange, Handler } from '../exchange.ts';
import type { Reply } from '../reply.ts';
import { flowCookies, flowExpired, returnedIn, turnIntoQuery } from './login-federated.ts';
import { seeOther } from './login-reply.ts';
import { isReply, type Reception } from './login-visit.ts';
import { callbackFields } from './login-ways.ts';

/** Returns the pages; those of the built-in provider are not there. */
export function outsidePages(reception: Reception, handOver: HandOver): Readonly<Record<PageId, Handler>> {
  const absent: Handler = () => {
    throw new Refusal('not_found', 'there is no such page where an outside issuer signs people in');
  };
  const ids = Object.keys(operations) as PageId[];
  return {
    ...(Object.fromEntries(ids.map((id) => [id, absent])) as Record<PageId, Handler>),
    readLoginPage: (exchange) => begin(reception, handOver, exchange),
    returnFromIssuer: (exchange) => finish(reception, handOver, exchange),
    postFromIssuer: (exchange) => turnIntoQuery(reception, exchange),
  };
}

async function begin(reception: Reception, handOver: HandOver, exchange: Exchange): Promise<Reply> {
  const elsewhere = reception.elsewhere(exchange);
  if (elsewhere !== undefined) return seeOther(`${elsewhere}?${exchange.query}`);
  const visitor = await reception.receive(exchange);
  if (isReply(visitor)) return visitor;
  const { browser, query, view, directory, parameters } = visitor;
  const outcome = await handOver.begin({
    tenantId: directory.kind === 'account' ? directory.tenantId : null,
    browser,
    returnQuery: query,
    uiLocales: parameters.get('ui_locales') ?? null,
  });
  if (outcome.kind === 'redirect') return visitor.leave(outcome.location, flowCookies(reception, outcome.flow, query));
  const texts = textsOf(view.language);
  const content = { title: texts.unavailableTitle, texts: [texts.issuerUnavailable] };
  const reply = reception.message(view.language, content, query, 503);
  return { ...reply, headers: ['Retry-After', '5', ...reply.headers] };
}

async function finish(reception: Reception, handOver: HandOver, exchange: Exchange): Promise<Reply> {
  reception.demandServed(exchange);
  const outcome = await handOver.finish(returnedIn(reception, exchange));
  if (outcome.kind === 'expired') return flowExpired(reception, exchange);
  if (outcome.kind === 'refused') {
    const { reason, returnQuery } = outcome;
    const language = reception.languageOf(exchange, readParameters(returnQuery));
    const texts = textsOf(language);
    const text = reason === 'unavailable' ? texts.issuerUnavailable : texts.issuerRefused;
    return reception.message(language, { title: texts.failedTitle, texts: [text] }, returnQuery, 403);
  }
  const visitor = await reception.receive(exchange, outcome.returnQuery);
  if (isReply(visitor)) return visitor;
  const page = continuePage(visitor.view, {
    callback: reception.callback(),
    fields: callbackFields(visitor, outcome.idToken),
  });
  return visitor.reply(page, { headers: reception.cookies.clear('flow') });
}
