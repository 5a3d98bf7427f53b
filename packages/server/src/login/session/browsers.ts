/** Recognizes browsers by a cookie, and the forms of their pages by a proof that belongs to it. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Parameters } from '../../common/requests/form-parameters.ts';
import { randomSecret } from '../../common/secrets/secret-text.ts';
import type { Browser } from '../../identity/tickets.ts';
import type { Site } from '../site.ts';
import { cookieNameFor } from '../which-sign-in.ts';

/** Why a form is rejected: another site sent it, the browser sends no cookie, or the form was made for another cookie. */
export type FormFault = 'elsewhere' | 'cookies' | 'stale';

export interface Browsers {
  /** Returns the values that identify a browser; undefined if it sent none. */
  find(headers: IncomingHttpHeaders): Browser | undefined;
  /**
   * Returns the browser, and the headers that let a new one be recognized. If several pages open together, each replaces the common cookie,
   * and the last value stays. Each value is also kept under a separate name, so that the forms of all these pages are valid.
   */
  recognize(headers: IncomingHttpHeaders): { readonly browser: Browser; readonly cookie: readonly string[] };
  /** Returns the proof for forms of this browser's pages. */
  proofFor(browser: Browser): string;
  /** Whether the browser says that a request was sent by a page of this origin. */
  isSameOrigin(headers: IncomingHttpHeaders): boolean;
  /** Returns why a form was not sent by a page of this browser; undefined if it was. */
  formFault(headers: IncomingHttpHeaders, form: Parameters): FormFault | undefined;
}

/** How many pages may open together in a new browser with valid forms. */
const browserBounds = { countMax: 8 };

/** Returns the browsers of a site. The first key makes proofs; proofs made with any of them are accepted. */
export function createBrowsers({ cookies, front }: Site, csrfKeys: readonly Uint8Array[]): Browsers {
  const proofs = csrfKeys.map((key) => (value: string) => createHmac('sha256', key).update(value).digest('base64url'));
  const firstProof = proofs[0] as (typeof proofs)[number];
  const isProof = (browser: Browser, text: string) =>
    browser.some((value) => proofs.some((proofOf) => isEqual(text, proofOf(value))));
  const browsers: Browsers = {
    /** An empty cookie counts as missing: it would be equal in every browser, and its forms would have equal proofs. */
    find(headers) {
      const own = cookies.names(headers, 'browser').slice(-browserBounds.countMax);
      const values = [undefined, ...own].map((of) => cookies.read(headers, 'browser', of)).filter(Boolean);
      const [first, ...rest] = new Set(values as string[]);
      return first === undefined ? undefined : [first, ...rest];
    },
    recognize(headers) {
      const known = browsers.find(headers);
      if (known !== undefined) return { browser: known, cookie: cookies.dropExcess(headers, 'browser', browserBounds) };
      const value = randomSecret();
      const own = cookies.set('browser', value, undefined, cookieNameFor(value));
      return { browser: [value], cookie: [...cookies.set('browser', value), ...own] };
    },
    proofFor: ([value]) => firstProof(value),
    isSameOrigin: (headers) => isSameOrigin(headers, front().origin),
    formFault(headers, form) {
      if (!browsers.isSameOrigin(headers)) return 'elsewhere';
      const browser = browsers.find(headers);
      if (browser === undefined) return 'cookies';
      return isProof(browser, form.get('csrf') ?? '') ? undefined : 'stale';
    },
  };
  return browsers;
}

/** A page without referrer names its origin `null`. */
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
