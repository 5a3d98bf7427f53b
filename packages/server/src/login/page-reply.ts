/** Login pages as replies. The headers say what a page may do in the browser, and that it is not cached. */

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { readParameters } from '../common/requests/form-parameters.ts';
import { neverKept } from '../http/replies/caching.ts';
import { emptyReply, type Reply, textReply } from '../http/replies/reply.ts';
import { type Page, renderDocument, type View } from './document.ts';
import { duration, type Language, languageFor, textsOf } from './language.ts';
import { messagePage } from './pages/message.ts';

/** Returns a value for one page, of 128 random bits. */
export const newNonce = () => randomBytes(16).toString('base64url');

/**
 * The headers of a page. There is no `Cross-Origin-Opener-Policy`: it would cut off an app that opened the page in a window of
 * its own and waits for the result.
 */
function pageHeaders(nonce: string, formTargets: readonly string[], asksAgain: boolean): readonly string[] {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    ...(asksAgain ? ["connect-src 'self'"] : []),
    `style-src 'nonce-${nonce}'`,
    "font-src 'self'",
    'img-src data:',
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return [
    'Cache-Control',
    'no-store',
    'Content-Security-Policy',
    policy.join('; '),
    'Referrer-Policy',
    'no-referrer',
    'X-Content-Type-Options',
    'nosniff',
    'Cross-Origin-Resource-Policy',
    'same-origin',
  ];
}

export interface PageReplyOptions {
  readonly status?: number;
  /** Sources to which forms of the page may lead, other than the page's own origin. */
  readonly formTargets?: readonly string[];
  readonly headers?: readonly string[];
}

/** Returns a page as a reply. */
export function pageReply(view: View, page: Page, options: PageReplyOptions = {}): Reply {
  const { status = 200, formTargets = [], headers = [] } = options;
  const text = renderDocument(view, page);
  const policy = pageHeaders(view.nonce, formTargets, page.asksAgain === true);
  return textReply(status, 'text/html; charset=utf-8', text, [...policy, ...headers]);
}

/** Returns a JSON text as a file that the browser keeps; it stays on its page. */
export function fileReply(name: string, pieces: AsyncIterable<string>): Reply<200, never> {
  async function* portions(): AsyncGenerator<Iterable<string>, void, undefined> {
    for await (const piece of pieces) yield [piece];
  }
  const headers = [
    'Cache-Control',
    'no-store',
    'Content-Type',
    'application/json',
    'Content-Disposition',
    `attachment; filename="${name}"`,
    'X-Content-Type-Options',
    'nosniff',
    'Cross-Origin-Resource-Policy',
    'same-origin',
  ];
  return { status: 200, headers, body: portions() };
}

/** Returns a 303 that is not cached. */
export function seeOther(location: string, headers: readonly string[] = []): Reply {
  return emptyReply(303, [...neverKept, 'Referrer-Policy', 'no-referrer', ...headers, 'Location', location]);
}

/**
 * Returns the source expression that lets a form through to a redirect URI: its origin, or its scheme where it is a private
 * one or its host one that source expressions cannot name.
 *
 * @see https://www.w3.org/TR/CSP3/#framework-directive-source-list
 */
export function formTarget(uri: string): string {
  const url = URL.parse(uri);
  if (url === null) return uri.slice(0, uri.indexOf(':') + 1).toLowerCase(); // registered before hosts were checked
  const isNameable = /^https?:$/.test(url.protocol) && /^[a-z0-9.-]+$/.test(url.hostname);
  return isNameable ? url.origin : url.protocol;
}

/** Returns a view of the service's own page, for when the brand is not known. */
export function serviceView(language: Language, address: View['address']): View {
  return { language, brand: { kind: 'service' }, nonce: newNonce(), address, csrf: '' };
}

/** Returns a refusal of the transport as a page, with a link back when the request says where sign-in began. */
export async function faultPageReply(
  reply: Reply,
  { url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>,
  pathPrefix: string,
): Promise<Reply> {
  const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  const parameters = readParameters(query);
  const language = languageFor(parameters, headers);
  const texts = textsOf(language);
  const retryAfter = reply.headers[reply.headers.indexOf('Retry-After') + 1];
  const isKnownLater = reply.headers.includes('Retry-After') && retryAfter !== undefined;
  const [title, text] = {
    404: [texts.notFoundTitle, texts.notFound] as const,
    429: [texts.limitTitle, texts.limit(duration(language, Number(isKnownLater ? retryAfter : 60)))] as const,
    503: [texts.unavailableTitle, texts.unavailable] as const,
  }[reply.status] ?? [texts.failedTitle, texts.failed];
  const next =
    parameters.get('client_id') === undefined || reply.status === 404
      ? undefined
      : { address: `${pathPrefix}/authorize?${query}`, label: texts.tryAgain };
  const view = serviceView(language, (path) => path);
  const page = pageReply(view, messagePage({ title, texts: [text], next }), {
    status: reply.status,
    headers: isKnownLater ? ['Retry-After', retryAfter] : [],
  });
  return { ...page, ...(reply.code !== undefined && { code: reply.code }) };
}
