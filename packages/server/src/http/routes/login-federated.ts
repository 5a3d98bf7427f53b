/** Signing in through an identity provider that the account has configured. */
import type { PageId } from '@holdfast/contract';
import { Refusal } from '../../common/refusal.ts';
import type { FinishOutcome } from '../../identity/built-in/federation.ts';
import { textsOf } from '../../login/language.ts';
import { readParameters } from '../../oauth/parameters.ts';
import type { Exchange, Handler } from '../exchange.ts';
import type { Reply } from '../reply.ts';
import type { Pages } from './login-pages.ts';
import { seeOther } from './login-reply.ts';
import { isReply, type Reception, type Visitor } from './login-visit.ts';
import { refuseWay } from './login-ways.ts';

type FederatedPageId = Extract<
  PageId,
  'signInWithProvider' | 'returnFromProvider' | 'postFromProvider' | 'returnFromIssuer' | 'postFromIssuer'
>;

/** The provider has to answer within this time; where the sign-in began is known for longer, for a way on. */
const flowSeconds = 10 * 60;
const requestSeconds = 60 * 60;
/** A longer cookie is one that browsers may refuse, and with it the ones beside it. */
const requestCharactersMax = 1_500;
const unavailableSeconds = 10;

const callbackPath = '/authorize/federated/callback';

/** Returns the way to a provider and the way back. */
export function federatedPages(pages: Pages): Readonly<Record<FederatedPageId, Handler>> {
  const { reception, show } = pages;
  return {
    signInWithProvider: show((visitor, { params }) => begin(pages, visitor, params.providerSegment ?? '')),
    returnFromProvider: (exchange) => finish(pages, exchange),
    postFromProvider: (exchange) => turnIntoQuery(reception, exchange, `${callbackPath}/${providerPath(exchange)}`),
    returnFromIssuer: noIssuer,
    postFromIssuer: noIssuer,
  };
}

const providerPath = ({ params }: Exchange) => `${params.accountId}/${params.providerSegment}`;

function noIssuer(): never {
  throw new Refusal('not_found', 'there is no such page where no outside issuer signs people in');
}

/** Returns the cookies with which a browser goes to a provider. */
export function flowCookies({ cookies }: Reception, flow: string, query: string): readonly string[] {
  const request = Buffer.from(query).toString('base64url');
  return [
    ...cookies.set('flow', flow, flowSeconds),
    ...(request.length > requestCharactersMax ? cookies.clear('request') : cookies.set('request', request, requestSeconds)),
  ];
}

/** Returns what the browser brings back from a provider. */
export function returnedIn({ cookies }: Reception, { query, headers }: Exchange) {
  return {
    parameters: new URLSearchParams(query),
    flow: cookies.read(headers, 'flow'),
    browser: cookies.read(headers, 'browser'),
  };
}

/** Returns the page for somebody who comes back too late, from another browser, or for the second time. */
export function flowExpired(reception: Reception, exchange: Exchange): Reply {
  const query = Buffer.from(reception.cookies.read(exchange.headers, 'request') ?? '', 'base64url').toString();
  const language = reception.languageOf(exchange, readParameters(query));
  const texts = textsOf(language);
  const text = query === '' ? texts.flowExpiredNameless : texts.flowExpired;
  return reception.message(language, { title: texts.flowExpiredTitle, texts: [text] }, query, 410);
}

/**
 * A form that a provider posts comes without our cookies, which stay home when another site sends a form. The same as a
 * query brings them along.
 */
export async function turnIntoQuery(reception: Reception, exchange: Exchange, path: string = callbackPath): Promise<Reply> {
  reception.demandServed(exchange);
  const form = new URLSearchParams(await exchange.readForm());
  return seeOther(`${reception.pathPrefix()}${path}?${form}`);
}

async function begin({ provider, ways, reception }: Pages, visitor: Visitor, segment: string): Promise<Reply> {
  const { directory, browser, query, view } = visitor;
  const providerId = decoded(segment);
  const name = await ways.findProvider(visitor, providerId);
  if (name === undefined) return refuseWay(ways, visitor);
  const outcome = await provider.federation.begin(directory, { providerId, browser, returnQuery: query });
  if (outcome.kind === 'redirect') return visitor.leave(outcome.location, flowCookies(reception, outcome.flow, query));
  const headers = ['Retry-After', String(unavailableSeconds)];
  return ways.refuse(visitor, 503, textsOf(view.language).providerUnavailable(name), { headers });
}

async function finish({ provider, ways, reception }: Pages, exchange: Exchange): Promise<Reply> {
  reception.demandServed(exchange);
  const { accountId = '', providerSegment = '' } = exchange.params;
  const at = { accountId, providerId: decoded(providerSegment) };
  const outcome = await provider.federation.finish(at, returnedIn(reception, exchange));
  if (outcome.kind === 'expired') return flowExpired(reception, exchange);
  const visitor = await reception.receive(exchange, outcome.returnQuery);
  if (isReply(visitor)) return visitor;
  const headers = reception.cookies.clear('flow');
  if (outcome.kind === 'refused') {
    return ways.refuse(visitor, 403, refusalText(visitor, outcome.reason), { headers });
  }
  // The settings may have changed while the person was away.
  const isOffered = (await ways.findProvider(visitor, outcome.providerId)) !== undefined;
  if (!isOffered) return refuseWay(ways, visitor);
  return ways.finish(visitor, { person: outcome.person, provider: outcome.providerId, headers });
}

type RefusedReason = Extract<FinishOutcome, { kind: 'refused' }>['reason'];

function refusalText({ view }: Visitor, reason: RefusedReason): string {
  const texts = textsOf(view.language);
  return {
    denied: texts.providerDenied,
    unavailable: texts.providerUnavailableNameless,
    invalid: texts.providerInvalid,
  }[reason];
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
