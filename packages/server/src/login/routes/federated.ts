/** Sign-in through an identity provider that the account has configured. */
import type { PageId } from '@holdfast/contract';
import { readParameters } from '../../common/requests/form-parameters.ts';
import { Refusal } from '../../common/requests/refusal.ts';
import type { FormPageRequest, HandlersOf, OperationRequest, PageRequest } from '../../http/operation-request.ts';
import type { Reply } from '../../http/replies/reply.ts';
import type { FinishOutcome } from '../../identity/built-in/federation/federation.ts';
import { addProven, refuseProven } from '../account-settings/return-from-provider.ts';
import type { BuiltInLogin } from '../built-in-login.ts';
import { languageFor, textsOf } from '../language.ts';
import type { Login } from '../login.ts';
import { seeOther } from '../page-reply.ts';
import { isReply, type LoginSession } from '../session/login-session.ts';
import { endFlow, flowCookies, queryOfEnded, returnedIn } from '../session/provider-flow.ts';
import { refuseMethod } from '../sign-in-methods.ts';
import { settingsTextsOf } from '../texts/account-settings.ts';

type FederatedPageId = Extract<
  PageId,
  'signInWithProvider' | 'returnFromProvider' | 'postFromProvider' | 'returnFromIssuer' | 'postFromIssuer'
>;

const unavailableSeconds = 10;

const callbackPath = '/authorize/federated/callback';

/** Returns the routes to a provider and back. */
export function federatedPages(login: BuiltInLogin): HandlersOf<FederatedPageId> {
  const { show } = login;
  return {
    signInWithProvider: show((session, { params }: OperationRequest<'signInWithProvider'>) =>
      begin(login, session, params.providerSegment),
    ),
    returnFromProvider: (request) => finish(login, request),
    postFromProvider: (request) => turnIntoQuery(login, request, `${callbackPath}/${providerPath(request)}`),
    returnFromIssuer: noIssuer,
    postFromIssuer: noIssuer,
  };
}

type ReturnRequest = OperationRequest<'returnFromProvider' | 'postFromProvider'>;

const providerPath = ({ params }: Pick<ReturnRequest, 'params'>) => `${params.accountId}/${params.providerSegment}`;

function noIssuer(): never {
  throw new Refusal('not_found', 'this page does not exist unless an outside issuer is configured');
}

/** Returns the page for a user who returns too late, from another browser, or a second time. */
export function flowExpired(login: Login, request: PageRequest, returnQuery: string | undefined): Reply {
  const query = returnQuery ?? queryOfEnded(login, request);
  const language = languageFor(readParameters(query), request.headers);
  const texts = textsOf(language);
  const text = query === '' ? texts.flowExpiredNameless : texts.flowExpired;
  return login.message(language, { title: texts.flowExpiredTitle, texts: [text] }, query, 410);
}

/**
 * A form posted by a provider arrives without our cookies, which browsers do not send with forms of other sites. A redirect with the same
 * parameters in the query brings the cookies.
 */
export async function turnIntoQuery(login: Login, request: FormPageRequest, path: string = callbackPath): Promise<Reply> {
  login.requireServed(request);
  const form = await login.readForm(request);
  return seeOther(`${login.pathPrefix()}${path}?${form}`);
}

async function begin(login: BuiltInLogin, session: LoginSession, segment: string): Promise<Reply> {
  const { provider, methods } = login;
  const { directory, browser, query, view } = session;
  const providerId = decoded(segment);
  const name = await methods.findProvider(session, providerId);
  if (name === undefined) return refuseMethod(methods, session);
  const start = { providerId, browser, returnQuery: query, mayCreate: methods.canSignUp(session) };
  const outcome = await provider.federation.begin(directory, start);
  if (outcome.kind === 'redirect') return session.leave(outcome.location, flowCookies(login, session, outcome));
  const headers = ['Retry-After', String(unavailableSeconds)];
  return methods.refuse(session, 503, textsOf(view.language).providerUnavailable(name), { headers });
}

async function finish(login: BuiltInLogin, request: OperationRequest<'returnFromProvider'>): Promise<Reply> {
  const { provider, methods } = login;
  login.requireServed(request);
  const { accountId, providerSegment } = request.params;
  const at = { accountId, providerId: decoded(providerSegment) };
  const outcome = await provider.federation.finish(at, returnedIn(login, request));
  if (outcome.kind === 'expired') return flowExpired(login, request, outcome.returnQuery);
  const session = await login.openSession(request, outcome.returnQuery);
  if (isReply(session)) return session;
  const isOpen = outcome.kind === 'refused' && outcome.isOpen === true;
  const headers = isOpen ? [] : endFlow(login, request, outcome.returnQuery);
  if (outcome.kind === 'refused') {
    const text = refusalText(session, outcome.reason);
    return (await refuseProven(login, session, text, headers)) ?? methods.refuse(session, 403, text, { headers });
  }
  if (outcome.kind === 'unknown') {
    const { language } = session.view;
    const text = session.isForAccountSettings ? settingsTextsOf(language).unknown : textsOf(language).signUpClosed;
    return methods.refuse(session, 403, text, { headers });
  }
  if (outcome.kind === 'proven') return addProven(login, session, outcome, headers);
  // The settings may have changed meanwhile.
  const isOffered = (await methods.findProvider(session, outcome.providerId)) !== undefined;
  if (!isOffered) return refuseMethod(methods, session);
  const { person, providerId } = outcome;
  return methods.finish(session, { person, provider: providerId, amr: [], provenAt: login.now(), headers });
}

type RefusedReason = Extract<FinishOutcome, { kind: 'refused' }>['reason'];

function refusalText({ view }: LoginSession, reason: RefusedReason): string {
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
