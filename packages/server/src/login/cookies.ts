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
  /** The value of a cookie, or undefined. */
  read(headers: IncomingHttpHeaders, name: CookieName): string | undefined;
  /** The header that sets a cookie, for as long as the browser is open unless seconds are given. */
  set(name: CookieName, value: string, maxAgeSeconds?: number): readonly [string, string];
  /** The header that removes a cookie. */
  clear(name: CookieName): readonly [string, string];
}

/**
 * Returns the cookies of a page. Over https, their names have a prefix under which no other host and no plain connection can
 * set them. Browsers send them when a user follows a link here, and not with forms, frames or scripts of other sites.
 */
export function createCookies(isSecure: boolean): Cookies {
  const fullName = (name: CookieName) => `${isSecure ? '__Host-' : ''}holdfast_${name}`;
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  const set: Cookies['set'] = (name, value, maxAgeSeconds) => [
    'Set-Cookie',
    `${fullName(name)}=${value}${attributes}${maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`}`,
  ];
  return {
    read({ cookie = '' }, name) {
      const start = `${fullName(name)}=`;
      return cookie
        .split(';')
        .map((pair) => pair.trim())
        .find((pair) => pair.startsWith(start))
        ?.slice(start.length);
    },
    set,
    clear: (name) => set(name, '', 0),
  };
}
