/** What every login page uses: the dependencies of the room, its site, sessions of browsers, and submitted forms. */
import type { IncomingHttpHeaders } from 'node:http';
import { type Parameters, readParameters } from '../common/requests/form-parameters.ts';
import { Refusal } from '../common/requests/refusal.ts';
import type { FormPageRequest, PageRequest } from '../http/operation-request.ts';
import type { Reply } from '../http/replies/reply.ts';
import type { Browser } from '../identity/tickets.ts';
import { type Language, languageFor, textsOf } from './language.ts';
import type { LoginDependencies } from './login-dependencies.ts';
import { createBrowsers, type FormFault } from './session/browsers.ts';
import type { LoginSession } from './session/login-session.ts';
import { openSession } from './session/open-session.ts';
import { createSite, type Site } from './site.ts';

export interface Login extends LoginDependencies, Site {
  /** The address that completes a sign-in. */
  readonly callback: () => string;
  /** Returns the session of an authorization request, or the reply to one that gets no page. */
  openSession(request: PageRequest, query?: string): Promise<LoginSession | Reply>;
  /** Reads a submitted form. Forms that arrive together continue in turns. */
  readForm(request: FormPageRequest): Promise<URLSearchParams>;
  /** The values that identify a browser; undefined if it sent none. */
  browserOf(headers: IncomingHttpHeaders): Browser | undefined;
  /** Returns why a form was not sent by a page of this browser; undefined if it was. */
  formFault(request: PageRequest, form: Parameters): FormFault | undefined;
  /** Returns a page that says why a form was rejected, with a link to the sign-in methods. */
  refuseForm(request: PageRequest, fault: FormFault): Reply;
  /** Whether the browser says that a request was sent by a page of this origin. */
  isSameOrigin(request: PageRequest): boolean;
  /** Throws `not_found` if another server serves the pages at this address. */
  requireServed(request: PageRequest): void;
  /** The address of the login page if it is elsewhere; undefined if it is here. */
  elsewhere(request: PageRequest): string | undefined;
}

/** Returns what the login pages use. `turn` resolves when another page may be made. */
export function createLogin(dependencies: LoginDependencies, turn: () => Promise<void>): Login {
  const { authFrontUrl, baseUrl, csrfKeys } = dependencies;
  const site = createSite(dependencies);
  const browsers = createBrowsers(site, csrfKeys);
  const sources = { ...dependencies, site, browsers };
  /** Pages are served if the login address leads to this service: the base URL, or a separate host. */
  const elsewhere: Login['elsewhere'] = ({ headers }) =>
    site.front().origin === site.base().origin || headers.host === site.front().host
      ? undefined
      : `${authFrontUrl()}/authorize`;
  return {
    ...dependencies,
    ...site,
    callback: () => `${baseUrl()}/v1/auth/authorize/callback`,
    openSession: (request, query = request.query) => openSession(sources, request, query),
    async readForm(request) {
      const form = await request.readForm();
      await turn();
      return form;
    },
    browserOf: browsers.find,
    formFault: ({ headers }, form) => browsers.formFault(headers, form),
    refuseForm({ headers, query }, fault) {
      const language = languageFor(readParameters(query), headers);
      const { title, text } = formFaultTexts(language, fault);
      return site.message(language, { title, texts: [text] }, query, 403);
    },
    isSameOrigin: ({ headers }) => browsers.isSameOrigin(headers),
    requireServed(request) {
      if (elsewhere(request) !== undefined) throw new Refusal('not_found', 'the login page is at another address');
    },
    elsewhere,
  };
}

/** Returns a page's text about a rejected form. */
export function formFaultTexts(language: Language, fault: FormFault): { readonly title: string; readonly text: string } {
  const { cookiesTitle, cookies, staleTitle, stale } = textsOf(language);
  return fault === 'cookies' ? { title: cookiesTitle, text: cookies } : { title: staleTitle, text: stale };
}
