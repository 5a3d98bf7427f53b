/** Shared by all login pages: the browser's session, its language, and whether a form was sent by one of our pages. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { denials } from '@holdfast/contract';
import { type Parameters as FormParameters, readParameters } from '../common/requests/form-parameters.ts';
import { Refusal } from '../common/requests/refusal.ts';
import { randomSecret } from '../common/secrets/secret-text.ts';
import type { FormPageRequest, PageRequest } from '../http/operation-request.ts';
import type { Reply } from '../http/replies/reply.ts';
import type { Browser } from '../identity/tickets.ts';
import type { AuthorizationRequest, AuthorizeOutcome } from '../oauth/authorize.ts';
import { errorLocation } from '../oauth/redirect.ts';
import { isOnThisComputer } from '../oauth/redirect-match.ts';
import { type Language, languageFor, languageIn, textsOf } from './language.ts';
import type { PageDependencies } from './login-dependencies.ts';
import { formTarget, pageReply, seeOther, serviceView } from './page-reply.ts';
import { messagePage } from './pages/message.ts';
import { carriedInvitation } from './session/carried-invitation.ts';
import { type Cookies, createLoginCookies } from './session/cookies.ts';
import { createLoginSession, type LoginSession } from './session/login-session.ts';
import { cookieNameFor } from './which-sign-in.ts';

/** Why a form is rejected: another site sent it, the browser sends no cookie, or the form was made for another cookie. */
export type FormFault = 'elsewhere' | 'cookies' | 'stale';

export interface LoginContext {
  readonly cookies: Cookies;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The address that completes a sign-in. */
  readonly callback: () => string;
  /** The path prefix of all pages, without a trailing slash; usually empty. */
  readonly pathPrefix: () => string;
  languageOf(request: PageRequest, parameters: FormParameters): Language;
  /** Returns the session of an authorization request, or the reply to one that gets no page. */
  openSession(request: PageRequest, query?: string): Promise<LoginSession | Reply>;
  /** Reads a submitted form. Forms that arrive together continue in turns. */
  readForm(request: FormPageRequest): Promise<URLSearchParams>;
  /** The values that identify a browser; undefined if it sent none. */
  browserOf(headers: IncomingHttpHeaders): Browser | undefined;
  /** Returns why a form was not sent by a page of this browser; undefined if it was. */
  formFault(request: PageRequest, form: FormParameters): FormFault | undefined;
  /** Returns a page that says why a form was rejected, with a link to the sign-in methods. */
  refuseForm(request: PageRequest, fault: FormFault): Reply;
  /** Whether the browser says that a request was sent by a page of this origin. */
  isSameOrigin(request: PageRequest): boolean;
  /** Returns a page with one message, and a link to the sign-in methods if the query is known. */
  message(language: Language, message: { title: string; texts: readonly string[] }, query: string, status: number): Reply;
  /** Throws `not_found` if another server serves the pages at this address. */
  requireServed(request: PageRequest): void;
  /** The address of the login page if it is elsewhere; undefined if it is here. */
  elsewhere(request: PageRequest): string | undefined;
}

/** How many pages may open together in a new browser with valid forms. */
const browserBounds = { countMax: 8 };

/** The address of the pages, and the browser that sends the request. */
function createSite(parts: PageDependencies) {
  const front = () => new URL(parts.authFrontUrl());
  const base = () => new URL(parts.baseUrl());
  const cookies = createLoginCookies(parts.authFrontUrl());
  const pathPrefix = () => front().pathname.replace(/\/$/, '');
  /** An empty cookie counts as missing: it would be equal in every browser, and its forms would have equal proofs. */
  const browserOf: LoginContext['browserOf'] = (headers) => {
    const own = cookies.names(headers, 'browser').slice(-browserBounds.countMax);
    const values = [undefined, ...own].map((of) => cookies.read(headers, 'browser', of)).filter(Boolean);
    const [first, ...rest] = new Set(values as string[]);
    return first === undefined ? undefined : [first, ...rest];
  };
  const proofs = parts.csrfKeys.map(
    (key) => (browser: string) => createHmac('sha256', key).update(browser).digest('base64url'),
  );
  const csrfOf = proofs[0] as (typeof proofs)[number];
  const isProof = (browser: Browser, text: string) =>
    browser.some((value) => proofs.some((proofOf) => isEqual(text, proofOf(value))));
  const addressIn = (query: string) => (path: string) =>
    `${pathPrefix()}${path}${query === '' ? '' : `${path.includes('?') ? '&' : '?'}${query}`}`;
  return { front, base, cookies, pathPrefix, browserOf, csrfOf, isProof, addressIn };
}

type Site = ReturnType<typeof createSite>;

/** Returns the context of all login pages. */
export function createLoginContext(parts: PageDependencies): LoginContext {
  const site = createSite(parts);
  const { front, base, cookies, pathPrefix } = site;
  /** Pages are served if the login address leads to this service: the base URL, or a separate host. */
  const elsewhere: LoginContext['elsewhere'] = ({ headers }) =>
    front().origin === base().origin || headers.host === front().host ? undefined : `${parts.authFrontUrl()}/authorize`;
  const message: LoginContext['message'] = (...content) => messageReply(site, ...content);
  return {
    cookies,
    now: parts.now,
    callback: () => `${parts.baseUrl()}/v1/auth/authorize/callback`,
    pathPrefix,
    languageOf,
    message,
    elsewhere,
    requireServed(request) {
      if (elsewhere(request) !== undefined) throw new Refusal('not_found', 'the login page is at another address');
    },
    openSession: (request, query = request.query) => openSession(parts, site, request, query),
    async readForm(request) {
      const form = await request.readForm();
      await parts.turn();
      return form;
    },
    isSameOrigin: ({ headers }) => isSameOrigin(headers, front().origin),
    browserOf: site.browserOf,
    formFault: (request, form) => formFault(site, request, form),
    refuseForm: (request, fault) => refuseForm(site, request, fault),
  };
}

const languageOf: LoginContext['languageOf'] = ({ headers }, parameters) => languageFor(parameters, headers);

function messageReply(
  { addressIn }: Site,
  ...[language, content, query, status]: Parameters<LoginContext['message']>
): Reply {
  const address = addressIn(query);
  const next = query === '' ? undefined : { address: address('/authorize'), label: textsOf(language).tryAgain };
  return pageReply(serviceView(language, address), messagePage({ ...content, next }), { status });
}

async function openSession(
  { authorize, legal, findInvitation }: PageDependencies,
  site: Site,
  pageRequest: PageRequest,
  sent: string,
): Promise<LoginSession | Reply> {
  const { front, base, cookies } = site;
  const { headers, clientName } = pageRequest;
  const parameters = readParameters(sent);
  const query = withoutPrompt(sent);
  const language = languageOf(pageRequest, parameters);
  const texts = textsOf(language);
  const isForOwnAccount = parameters.get('purpose') === 'account';
  const request = await (isForOwnAccount ? requestOfOwnAccount(authorize, parameters) : authorize.check(query));
  if (request.kind === 'redirect') return seeOther(request.location);
  if (request.kind === 'error_page') {
    const fault = request.fault === 'client' ? texts.unknownClient : texts.badRedirect;
    // Only an app under development asks to return to this machine: players never see a hint for its makers.
    const isOwn = request.fault === 'redirect_uri' && isOnThisComputer(parameters.get('redirect_uri'));
    const content = { title: texts.unknownClientTitle, texts: [fault, isOwn ? texts.forDevelopers : texts.tellDeveloper] };
    return messageReply(site, language, content, '', 400);
  }
  const brought =
    request.client.kind === 'developer' && !isForOwnAccount ? carriedInvitation(cookies, parameters, headers) : undefined;
  const found = brought === undefined ? undefined : await findInvitation(brought);
  if (brought !== undefined && found === undefined) {
    const location = errorLocation(
      { ...request, issuer: base().href.replace(/\/$/, '') },
      'access_denied',
      denials.invitationGone,
    );
    const next = { address: location, label: texts.goOn };
    const content = { title: texts.invitationGoneTitle, texts: [texts.invitationGone], next };
    return pageReply(serviceView(language, site.addressIn('')), messagePage(content), { status: 410 });
  }
  const { browser, cookie } = recognizeBrowser(site, headers);
  const formTargets = isForOwnAccount ? [] : [formTarget(request.redirectUri)];
  if (base().origin !== front().origin) formTargets.push(base().origin);
  return createLoginSession({
    request,
    query,
    parameters,
    language,
    browser,
    headers,
    formTargets,
    clientName,
    legal,
    invitation: brought,
    invitedTo: found?.account.name,
    needsSecondFactor: found?.account.requireSecondFactor === true,
    isForOwnAccount,
    address: site.addressIn(query),
    csrf: site.csrfOf(browser[0]),
    deviceToken: cookies.read(headers, 'device'),
    cookie: [...cookie, ...keepLanguage(site, headers, parameters)],
  });
}

const languageSeconds = 365 * 24 * 3_600;

/** Returns the header that keeps the language that the person has just chosen. */
function keepLanguage({ cookies }: Site, headers: IncomingHttpHeaders, parameters: FormParameters): readonly string[] {
  const chosen = languageIn(parameters.get('language'));
  if (chosen === undefined || cookies.read(headers, 'language') === chosen) return [];
  return cookies.set('language', chosen, languageSeconds);
}

/** For the page *Your sign-in*, the client decides whose users and colours apply, and there is nowhere to return to. */
async function requestOfOwnAccount(
  authorize: PageDependencies['authorize'],
  parameters: FormParameters,
): Promise<AuthorizationRequest | AuthorizeOutcome> {
  const client = parameters.repeated.size > 0 ? undefined : await authorize.findClient(parameters.get('client_id') ?? '');
  if (client === undefined) return { kind: 'error_page', fault: 'client', message: '' };
  return { kind: 'request', client, redirectUri: '', environment: null, state: undefined };
}

/**
 * Returns the browser, and the headers that let a new one be recognized. If several pages open together, each replaces the common cookie,
 * and the last value stays. Each value is also kept under a separate name, so that the forms of all these pages are valid.
 */
function recognizeBrowser(
  { cookies, browserOf }: Site,
  headers: IncomingHttpHeaders,
): { readonly browser: Browser; readonly cookie: readonly string[] } {
  const known = browserOf(headers);
  if (known !== undefined) return { browser: known, cookie: cookies.dropExcess(headers, 'browser', browserBounds) };
  const value = randomSecret();
  const own = cookies.set('browser', value, undefined, cookieNameFor(value));
  return { browser: [value], cookie: [...cookies.set('browser', value), ...own] };
}

function formFault(site: Site, request: PageRequest, form: FormParameters): FormFault | undefined {
  if (!isSameOrigin(request.headers, site.front().origin)) return 'elsewhere';
  const browser = site.browserOf(request.headers);
  if (browser === undefined) return 'cookies';
  return site.isProof(browser, form.get('csrf') ?? '') ? undefined : 'stale';
}

function refuseForm(site: Site, request: PageRequest, fault: FormFault): Reply {
  const { query } = request;
  const language = languageOf(request, readParameters(query));
  const { title, text } = formFaultTexts(language, fault);
  return messageReply(site, language, { title, texts: [text] }, query, 403);
}

/** Returns a page's text about a rejected form. */
export function formFaultTexts(language: Language, fault: FormFault): { readonly title: string; readonly text: string } {
  const { cookiesTitle, cookies, staleTitle, stale } = textsOf(language);
  return fault === 'cookies' ? { title: cookiesTitle, text: cookies } : { title: staleTitle, text: stale };
}

/** Returns a query without `prompt`, which concerns the first page only: a user who came to sign up may sign in instead. */
function withoutPrompt(query: string): string {
  return query
    .split('&')
    .filter((part) => !part.startsWith('prompt='))
    .join('&');
}

/** Whether the browser's headers say that a form was sent by a page of this origin. A page without referrer names its origin `null`. */
function isSameOrigin(headers: IncomingHttpHeaders, frontOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = headers;
  return origin === undefined || origin === 'null' || origin === frontOrigin;
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
