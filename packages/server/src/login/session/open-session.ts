/** From an authorization request of a browser to its session, or to the reply that it gets instead. */
import type { IncomingHttpHeaders } from 'node:http';
import { denials } from '@holdfast/contract';
import { type Parameters, readParameters } from '../../common/requests/form-parameters.ts';
import { isOnThisComputer } from '../../common/text/redirect-uri.ts';
import type { PageRequest } from '../../http/operation-request.ts';
import type { Reply } from '../../http/replies/reply.ts';
import type { AuthorizationRequest, AuthorizeOutcome } from '../../oauth/authorize.ts';
import { errorLocation } from '../../oauth/redirect.ts';
import { type Language, languageFor, languageIn, textsOf } from '../language.ts';
import type { LoginDependencies } from '../login-dependencies.ts';
import { formTarget, pageReply, seeOther, serviceView } from '../page-reply.ts';
import { messagePage } from '../pages/message.ts';
import type { Site } from '../site.ts';
import type { Browsers } from './browsers.ts';
import { carriedInvitation } from './carried-invitation.ts';
import { createLoginSession, type LoginSession } from './login-session.ts';

interface SessionSources extends Pick<LoginDependencies, 'authorize' | 'legal' | 'findInvitation'> {
  readonly site: Site;
  readonly browsers: Browsers;
}

/** Returns the session of the authorization request in the query `sent`, or the reply to one that gets no page. */
export async function openSession(
  { authorize, legal, findInvitation, site, browsers }: SessionSources,
  pageRequest: PageRequest,
  sent: string,
): Promise<LoginSession | Reply> {
  const { cookies } = site;
  const { headers, clientName } = pageRequest;
  const parameters = readParameters(sent);
  const query = withoutPrompt(sent);
  const language = languageFor(parameters, headers);
  const isForAccountSettings = parameters.get('purpose') === 'account';
  const request = await (isForAccountSettings ? requestOfSettings(authorize, parameters) : authorize.check(query));
  if (request.kind === 'redirect') return seeOther(request.location);
  if (request.kind === 'error_page') return errorPage(site, language, parameters, request.fault);
  const brought =
    request.client.kind === 'developer' && !isForAccountSettings
      ? carriedInvitation(cookies, parameters, headers)
      : undefined;
  const found = brought === undefined ? undefined : await findInvitation(brought);
  if (brought !== undefined && found === undefined) return invitationGone(site, language, request);
  const { browser, cookie } = browsers.recognize(headers);
  return createLoginSession({
    request,
    query,
    parameters,
    language,
    browser,
    headers,
    formTargets: formTargets(site, request, isForAccountSettings),
    clientName,
    legal,
    invitation: brought,
    invitedTo: found?.account.name,
    needsSecondFactor: found?.account.requireSecondFactor === true,
    isForAccountSettings,
    address: site.addressIn(query),
    csrf: browsers.proofFor(browser),
    deviceToken: cookies.read(headers, 'device'),
    cookie: [...cookie, ...keepLanguage(site, headers, parameters)],
  });
}

/** Returns a query without `prompt`, which concerns the first page only: a user who came to sign up may sign in instead. */
function withoutPrompt(query: string): string {
  return query
    .split('&')
    .filter((part) => !part.startsWith('prompt='))
    .join('&');
}

/** For the page *Your sign-in*, the client decides whose users and colours apply, and there is nowhere to return to. */
async function requestOfSettings(
  authorize: LoginDependencies['authorize'],
  parameters: Parameters,
): Promise<AuthorizationRequest | AuthorizeOutcome> {
  const client = parameters.repeated.size > 0 ? undefined : await authorize.findClient(parameters.get('client_id') ?? '');
  if (client === undefined) return { kind: 'error_page', fault: 'client', message: '' };
  return { kind: 'request', client, redirectUri: '', environment: null, state: undefined };
}

function errorPage(
  site: Site,
  language: Language,
  parameters: Parameters,
  fault: Extract<AuthorizeOutcome, { kind: 'error_page' }>['fault'],
): Reply {
  const texts = textsOf(language);
  const text = fault === 'client' ? texts.unknownClient : texts.badRedirect;
  // Only an app under development asks to return to this machine: players never see a hint for its makers.
  const isOwn = fault === 'redirect_uri' && isOnThisComputer(parameters.get('redirect_uri'));
  const content = { title: texts.unknownClientTitle, texts: [text, isOwn ? texts.forDevelopers : texts.tellDeveloper] };
  return site.message(language, content, '', 400);
}

function invitationGone(site: Site, language: Language, request: AuthorizationRequest): Reply {
  const texts = textsOf(language);
  const issuer = site.base().href.replace(/\/$/, '');
  const location = errorLocation({ ...request, issuer }, 'access_denied', denials.invitationGone);
  const next = { address: location, label: texts.goOn };
  const content = { title: texts.invitationGoneTitle, texts: [texts.invitationGone], next };
  return pageReply(serviceView(language, site.addressIn('')), messagePage(content), { status: 410 });
}

/** Returns where forms of the session's pages may lead, other than their own origin. */
function formTargets({ front, base }: Site, { redirectUri }: AuthorizationRequest, isForAccountSettings: boolean) {
  const toClient = isForAccountSettings ? [] : [formTarget(redirectUri)];
  return base().origin === front().origin ? toClient : [...toClient, base().origin];
}

const languageSeconds = 365 * 24 * 3_600;

/** Returns the header that keeps the language that the person has just chosen. */
function keepLanguage({ cookies }: Site, headers: IncomingHttpHeaders, parameters: Parameters): readonly string[] {
  const chosen = languageIn(parameters.get('language'));
  if (chosen === undefined || cookies.read(headers, 'language') === chosen) return [];
  return cookies.set('language', chosen, languageSeconds);
}
