/** Who is at a login page, for which client, and whether what they send comes from a page that they were given. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../../common/refusal.ts';
import type { Directory, Visit } from '../../identity/built-in/directory.ts';
import type { Brand, Page, View } from '../../login/document.ts';
import { chooseLanguage, type Language, textsOf } from '../../login/language.ts';
import { messagePage } from '../../login/pages/message.ts';
import type { AuthorizationRequest } from '../../oauth/authorize.ts';
import type { Client } from '../../oauth/clients.ts';
import { type Parameters, readParameters } from '../../oauth/parameters.ts';
import { randomSecret } from '../../oauth/secret-text.ts';
import { type Cookies, createCookies } from '../cookies.ts';
import type { Exchange } from '../exchange.ts';
import type { Reply } from '../reply.ts';
import type { LoginParts } from './login.ts';
import { formTarget, newNonce, pageReply, seeOther, serviceView } from './login-reply.ts';

/** Somebody at a login page with an authorization request that can be answered. */
export interface Visitor {
  readonly request: AuthorizationRequest;
  /** The query of the authorization request as the client sent it, without a prompt. */
  readonly query: string;
  readonly parameters: Parameters;
  readonly view: View;
  /** The value of the browser's cookie. */
  readonly browser: string;
  readonly directory: Directory;
  /** What throttles and mails need to know. */
  readonly visit: Visit;
  readonly headers: IncomingHttpHeaders;
  /** Returns a page, or a redirect to another page, with the cookies of the visitor. */
  reply(page: Page, options?: { readonly status?: number; readonly headers?: readonly string[] }): Reply;
  goTo(path: string, headers?: readonly string[]): Reply;
  /** Returns a redirect to another place than these pages. */
  leave(location: string, headers: readonly string[]): Reply;
}

export interface Reception {
  readonly cookies: Cookies;
  /** The address that a sign-in is finished at. */
  readonly callback: () => string;
  /** Path under which the pages lie, without a slash at its end; mostly empty. */
  readonly pathPrefix: () => string;
  languageOf(exchange: Exchange, parameters: Parameters): Language;
  /** Returns who visits with this query, or the answer to a query that nobody can visit with. */
  receive(exchange: Exchange, query?: string): Promise<Visitor | Reply>;
  /** Returns the answer to a form that does not come from a page of this browser; undefined when it does. */
  refuseForm(exchange: Exchange, form: Parameters, query: string): Reply | undefined;
  /** Returns a page that says one thing, with a way on to the ways in where the query is known. */
  message(language: Language, message: { title: string; texts: readonly string[] }, query: string, status: number): Reply;
  /** Throws `not_found` where the pages are somebody else's. */
  demandServed(exchange: Exchange): void;
  /** The address of the page that takes the place of these; undefined where they are served. */
  elsewhere(exchange: Exchange): string | undefined;
}

/** Tells a visitor from the answer that stands in for one. */
export const isReply = (result: Visitor | Reply): result is Reply => 'status' in result;

/** Returns what receives visitors. */
export function createReception(parts: LoginParts): Reception {
  const front = () => new URL(parts.authFrontUrl());
  const base = () => new URL(parts.baseUrl());
  const cookies = createCookies(front().protocol === 'https:');
  const pathPrefix = () => front().pathname.replace(/\/$/, '');
  /** An empty value is none: it would be the same in every browser, and so would be the proof of its forms. */
  const browserOf = (headers: IncomingHttpHeaders) => cookies.read(headers, 'browser') || undefined;
  const csrfOf = (browser: string) => createHmac('sha256', parts.csrfKey).update(browser).digest('base64url');
  const languageOf: Reception['languageOf'] = ({ headers }, parameters) =>
    chooseLanguage(parameters.get('ui_locales'), headers['accept-language']);
  const addressIn = (query: string) => (path: string) =>
    `${pathPrefix()}${path}${query === '' ? '' : `${path.includes('?') ? '&' : '?'}${query}`}`;

  const message: Reception['message'] = (language, content, query, status) => {
    const address = addressIn(query);
    const onwards = query === '' ? undefined : { address: address('/authorize'), label: textsOf(language).tryAgain };
    return pageReply(serviceView(language, address), messagePage({ ...content, onwards }), { status });
  };

  /** Pages are served where the front is this service: at the base URL, or at a host of its own that leads here. */
  const elsewhere: Reception['elsewhere'] = ({ headers }) =>
    front().origin === base().origin || headers.host === front().host ? undefined : `${parts.authFrontUrl()}/authorize`;

  return {
    cookies,
    callback: () => `${parts.baseUrl()}/v1/auth/authorize/callback`,
    pathPrefix,
    languageOf,
    message,
    elsewhere,
    demandServed(exchange) {
      if (elsewhere(exchange) !== undefined) throw new Refusal('not_found', 'the login page is at another address');
    },

    async receive(exchange, sent = exchange.query) {
      const { headers } = exchange;
      const parameters = readParameters(sent);
      const query = withoutPrompt(sent);
      const language = languageOf(exchange, parameters);
      const texts = textsOf(language);
      const request = await parts.authorize.check(query);
      if (request.kind === 'redirect') return seeOther(request.location);
      if (request.kind === 'error_page') {
        const why = request.fault === 'client' ? texts.unknownClient : texts.badRedirect;
        return message(language, { title: texts.unknownClientTitle, texts: [why, texts.tellDeveloper] }, '', 400);
      }
      const known = browserOf(headers);
      const browser = known ?? randomSecret();
      const cookie = known === undefined ? cookies.set('browser', browser) : [];
      const brand = brandOf(request.client);
      const view: View = { language, brand, nonce: newNonce(), address: addressIn(query), csrf: csrfOf(browser) };
      const origins = new Set([
        formTarget(request.redirectUri),
        ...(base().origin === front().origin ? [] : [base().origin]),
      ]);
      return {
        ...{ request, query, parameters, view, browser, headers },
        directory: directoryOf(request.client),
        visit: {
          directory: directoryOf(request.client),
          address: exchange.clientName ?? '',
          language,
          brandName: brand.kind === 'project' ? brand.name : null,
          deviceToken: cookies.read(headers, 'device'),
        },
        reply: (page, { status = 200, headers = [] } = {}) =>
          pageReply(view, page, { status, formTargets: [...origins], headers: [...cookie, ...headers] }),
        goTo: (path, headers = []) => seeOther(view.address(path), [...cookie, ...headers]),
        leave: (location, headers) => seeOther(location, [...cookie, ...headers]),
      };
    },

    refuseForm(exchange, form, query) {
      const language = languageOf(exchange, readParameters(query));
      const texts = textsOf(language);
      const stale = () => message(language, { title: texts.staleTitle, texts: [texts.stale] }, query, 403);
      if (!isFromHere(exchange.headers, front().origin)) return stale();
      const browser = browserOf(exchange.headers);
      if (browser === undefined)
        return message(language, { title: texts.cookiesTitle, texts: [texts.cookies] }, query, 403);
      return isEqual(form.get('csrf') ?? '', csrfOf(browser)) ? undefined : stale();
    },
  };
}

/** Returns a query without what it asks of the first page: who came for a new account may change their mind. */
function withoutPrompt(query: string): string {
  return query
    .split('&')
    .filter((part) => !part.startsWith('prompt='))
    .join('&');
}

/** What the browser itself says of where a form comes from. A page without referrer names its origin as `null`. */
function isFromHere(headers: IncomingHttpHeaders, frontOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = headers;
  return origin === undefined || origin === 'null' || origin === frontOrigin;
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function directoryOf(client: Client): Directory {
  return client.kind === 'developer'
    ? { kind: 'developers' }
    : { kind: 'account', accountId: client.accountId, tenantId: client.tenantId };
}

function brandOf(client: Client): Brand {
  if (client.kind === 'developer') return { kind: 'service' };
  const { logoData, logoMediaType, primaryColor, surfaceColor, bgColor } = client.settings;
  return {
    kind: 'project',
    name: client.projectName,
    logo: logoData === null || logoMediaType === null ? null : { data: logoData, mediaType: logoMediaType },
    colours: { primary: primaryColor, surface: surfaceColor, background: bgColor },
  };
}
