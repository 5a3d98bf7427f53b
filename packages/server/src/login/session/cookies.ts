/** Cookies of the login pages. @see RFC 6265 */
import type { IncomingHttpHeaders } from 'node:http';

/**
 * `browser` identifies a browser while it is open. `device` identifies a device that has signed in before. `flow` is the sealed flow of a
 * browser that was sent to an identity provider, and `request` is where the last completed flow began. `sign_up` is a sign-up that waits
 * for its code. `invitation` is an invitation for a sign-in. `signed_in` is the sealed proof of a developer's sign-in, with which the
 * console switches to another account of the developer. `chosen` is the account that a developer chose last. `account` lets a browser show
 * the page *Your sign-in* for a while. `language` is the language that a person chose on a page.
 */
type CookieName =
  | 'browser'
  | 'device'
  | 'flow'
  | 'request'
  | 'sign_up'
  | 'invitation'
  | 'signed_in'
  | 'chosen'
  | 'account'
  | 'language';

/** How many cookies of one kind a browser may have, and their total length with names. */
export interface CookieBounds {
  readonly countMax: number;
  readonly charactersMax?: number;
}

/** How many cookies one response removes, so that a stranger's cookies cannot make it long. */
const droppedMax = 20;

export interface Cookies {
  /** Returns the value of a cookie, or undefined. `of` names one of several of a kind. */
  read(headers: IncomingHttpHeaders, name: CookieName, of?: string): string | undefined;
  /** Returns the names of the cookies of a kind, in the order in which the browser sends them. */
  names(headers: IncomingHttpHeaders, name: CookieName): readonly string[];
  /** Returns the header that sets a cookie, until the browser is closed unless seconds are given. */
  set(name: CookieName, value: string, maxAgeSeconds?: number, of?: string): readonly [string, string];
  /** Returns the headers that set one of several cookies of a kind, and remove the oldest ones if there would be too many. */
  setAmong(
    headers: IncomingHttpHeaders,
    [name, of]: readonly [CookieName, string],
    value: string,
    maxAgeSeconds: number,
    bounds: CookieBounds,
  ): readonly string[];
  /** Returns the headers that remove cookies over the bounds. */
  dropExcess(headers: IncomingHttpHeaders, name: CookieName, bounds: CookieBounds): readonly string[];
  /** Returns the header that removes a cookie. */
  clear(name: CookieName, of?: string): readonly [string, string];
}

/**
 * Returns the cookies of a page. Over https, their names have a prefix that keeps other hosts and plain connections from setting them.
 * Browsers send them when a user follows a link to this service, but not with forms, frames or scripts of other sites.
 */
export function createCookies(isSecure: boolean): Cookies {
  const sent = createReader(isSecure);
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  const set: Cookies['set'] = (name, value, maxAgeSeconds, of) => [
    'Set-Cookie',
    `${sent.fullName(name, of)}=${value}${attributes}${maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`}`,
  ];
  const clear: Cookies['clear'] = (name, of) => set(name, '', 0, of);
  const drop = (
    headers: IncomingHttpHeaders,
    name: CookieName,
    bounds: CookieBounds,
    but?: { of: string; length: number },
  ) => sent.excess(headers, name, bounds, but).flatMap((of) => clear(name, of));
  return {
    read: sent.read,
    names: sent.names,
    set,
    setAmong: (headers, [name, of], value, maxAgeSeconds, bounds) => [
      ...drop(headers, name, bounds, { of, length: sent.fullName(name, of).length + value.length }),
      ...set(name, value, maxAgeSeconds, of),
    ],
    dropExcess: drop,
    clear,
  };
}

/** Returns the cookies of the pages at this address. */
export const createLoginCookies = (authFrontUrl: string): Cookies =>
  createCookies(new URL(authFrontUrl).protocol === 'https:');

/** Parses the cookies that browsers send. */
function createReader(isSecure: boolean) {
  const fullName = (name: CookieName, of?: string) =>
    `${isSecure ? '__Host-' : ''}holdfast_${name}${of === undefined ? '' : `-${of}`}`;
  const pairsOf = ({ cookie = '' }: IncomingHttpHeaders) => cookie.split(';').map((pair) => pair.trim());
  /** The named cookies of a kind. Names that this service does not use are left out. */
  const several = (headers: IncomingHttpHeaders, name: CookieName) => {
    const start = `${fullName(name)}-`;
    return pairsOf(headers).flatMap((pair) => {
      const of = pair.startsWith(start) ? pair.slice(start.length, Math.max(pair.indexOf('='), 0)) : '';
      return /^[\w-]{1,64}$/.test(of) ? { of, length: pair.length } : [];
    });
  };
  const read: Cookies['read'] = (headers, name, of) => {
    const start = `${fullName(name, of)}=`;
    return pairsOf(headers)
      .find((pair) => pair.startsWith(start))
      ?.slice(start.length);
  };
  const names: Cookies['names'] = (headers, name) => several(headers, name).map(({ of }) => of);

  /** Browsers send the oldest cookies first. The newest are kept, as many as fit with the new one. */
  function excess(
    headers: IncomingHttpHeaders,
    name: CookieName,
    { countMax, charactersMax = Number.POSITIVE_INFINITY }: CookieBounds,
    set?: { readonly of: string; readonly length: number },
  ): readonly string[] {
    const others = several(headers, name).filter(({ of }) => of !== set?.of);
    let count = set === undefined ? 0 : 1;
    let characters = set?.length ?? 0;
    const fits = ({ length }: { readonly length: number }) => {
      count += 1;
      characters += length;
      return count <= countMax && characters <= charactersMax;
    };
    const dropped = others.toReversed().filter((other) => !fits(other));
    return dropped.slice(0, droppedMax).map(({ of }) => of);
  }

  return { fullName, read, names, excess };
}
