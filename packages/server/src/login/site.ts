/** The addresses of the login pages, the cookies of their browsers, and pages with one message. */
import type { Reply } from '../http/replies/reply.ts';
import { type Language, textsOf } from './language.ts';
import type { LoginDependencies } from './login-dependencies.ts';
import { pageReply, serviceView } from './page-reply.ts';
import { messagePage } from './pages/message.ts';
import { type Cookies, createLoginCookies } from './session/cookies.ts';

export interface Site {
  readonly cookies: Cookies;
  /** The address of the pages, perhaps on a separate host. */
  readonly front: () => URL;
  /** The base URL of the service. */
  readonly base: () => URL;
  /** The path prefix of all pages, without a trailing slash; usually empty. */
  readonly pathPrefix: () => string;
  /** Returns a function that completes the path of a page by the prefix and this query. */
  addressIn(query: string): (path: string) => string;
  /** Returns a page with one message, and a link to the sign-in methods if the query is known. */
  message(language: Language, message: { title: string; texts: readonly string[] }, query: string, status: number): Reply;
}

/** Returns the site of the login pages. */
export function createSite({ authFrontUrl, baseUrl }: Pick<LoginDependencies, 'authFrontUrl' | 'baseUrl'>): Site {
  const front = () => new URL(authFrontUrl());
  const pathPrefix = () => front().pathname.replace(/\/$/, '');
  const addressIn: Site['addressIn'] = (query) => (path) =>
    `${pathPrefix()}${path}${query === '' ? '' : `${path.includes('?') ? '&' : '?'}${query}`}`;
  return {
    cookies: createLoginCookies(authFrontUrl()),
    front,
    base: () => new URL(baseUrl()),
    pathPrefix,
    addressIn,
    message(language, content, query, status) {
      const address = addressIn(query);
      const next = query === '' ? undefined : { address: address('/authorize'), label: textsOf(language).tryAgain };
      return pageReply(serviceView(language, address), messagePage({ ...content, next }), { status });
    },
  };
}
