/** Cookies of the login pages. @see RFC 6265 */
import type { IncomingHttpHeaders } from 'node:http';

/**
 * `browser` identifies a browser while it is open. `device` identifies a device that signed in before. `flow` and `request`
 * belong to a browser that went to an identity provider: its sealed flow, and where the sign-in began. `sign_up` is a sign-up
 * that waits for its code. `invitation` is one that a sign-in takes along. `signed_in` is the sealed proof of a developer's sign-in, with
 * which the console goes to another account of the developer. `chosen` is the account that a developer chose last. `account` lets a browser
 * see the page *Your sign-in* for a while.
 */
export type CookieName =
  | 'browser'
  | 'device'
  | 'flow'
  | 'request'
  | 'sign_up'
  | 'invitation'
  | 'signed_in'
  | 'chosen'
  | 'account';

export interface Cookies {
  /** The value of a cookie, or undefined. `of` names one of several of this kind. */
  read(headers: IncomingHttpHeaders, name: CookieName, of?: string): string | undefined;
  /** What the cookies of this kind are named by, in the order in which the browser sends them. */
  names(headers: IncomingHttpHeaders, name: CookieName): readonly string[];
  /** The header that sets a cookie, for as long as the browser is open unless seconds are given. */
  set(name: CookieName, value: string, maxAgeSeconds?: number, of?: string): readonly [string, string];
  /** The header that removes a cookie. */
  clear(name: CookieName, of?: string): readonly [string, string];
}

/**
 * Returns the cookies of a page. Over https, their names have a prefix under which no other host and no plain connection can
 * set them. Browsers send them when a user follows a link here, and not with forms, frames or scripts of other sites.
 */
export function createCookies(isSecure: boolean): Cookies {
  const fullName = (name: CookieName, of?: string) =>
    `${isSecure ? '__Host-' : ''}holdfast_${name}${of === undefined ? '' : `-${of}`}`;
  const pairsOf = ({ cookie = '' }: IncomingHttpHeaders) => cookie.split(';').map((pair) => pair.trim());
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  const set: Cookies['set'] = (name, value, maxAgeSeconds, of) => [
    'Set-Cookie',
    `${fullName(name, of)}=${value}${attributes}${maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`}`,
  ];
  return {
    read(headers, name, of) {
      const start = `${fullName(name, of)}=`;
      return pairsOf(headers)
        .find((pair) => pair.startsWith(start))
        ?.slice(start.length);
    },
    names(headers, name) {
      const start = `${fullName(name)}-`;
      const pairs = pairsOf(headers).filter((pair) => pair.startsWith(start) && pair.includes('='));
      return pairs.map((pair) => pair.slice(start.length, pair.indexOf('=')));
    },
    set,
    clear: (name, of) => set(name, '', 0, of),
  };
}

/** Returns the cookies of the pages at this address. */
export const createLoginCookies = (authFrontUrl: string): Cookies =>
  createCookies(new URL(authFrontUrl).protocol === 'https:');
