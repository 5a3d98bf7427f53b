/**
 * Redirect URIs: which may be registered, and which are on loopback. Requests must match them exactly, so nothing is normalised here.
 *
 * @see RFC 8252 §7, RFC 9700 §2.1
 */
import { redirectUriCharactersMax } from '@holdfast/contract';

/** The characters of a URI, escapes complete. @see RFC 3986 §2 */
const uriPattern = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/;
const loopbackStart = String.raw`^http://(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])`;
const loopbackPattern = new RegExp(`${loopbackStart}(?::[0-9]{1,5})?(?:[/?]|$)`, 'i');
const thisComputerPattern = new RegExp(`${loopbackStart}(?:[:/?]|$)`, 'i');
/**
 * A resolvable host: letters, digits, dots, hyphens and underscores, or an IPv6 address. The host becomes part of the login page's policy
 * header, where `;` and `,` would end it. URLs allow both, even escaped.
 */
const hostPattern = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/i;
const privateUsePattern = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\//i;

/** Returns why `uri` may not be registered, as an ending of "the redirect URI …", or undefined if it may. */
export function redirectUriFault(uri: string): string | undefined {
  if (uri.length > redirectUriCharactersMax) return `has more than ${redirectUriCharactersMax} characters`;
  if (!uriPattern.test(uri)) return 'has a character that a URI cannot have';
  if (uri.includes('#')) return 'has a fragment';
  if (uri.includes('*')) return 'has a wildcard; it is compared exactly';
  if (/^https:/i.test(uri)) return webUriFault(uri, /^https:\/\/[^/?]/i.test(uri));
  if (/^http:/i.test(uri)) {
    return loopbackPattern.test(uri) ? webUriFault(uri, true) : 'is http, which is allowed only on loopback';
  }
  if (!privateUsePattern.test(uri)) {
    return 'must use https, http on loopback, or a private-use scheme with a dot, such as com.example.app:/callback';
  }
  return privateUriFault(uri);
}

/** Whether an address is on the requester's own computer, as during development, even if it may not be registered. */
export const isOnThisComputer = (redirectUri: string | undefined): boolean => thisComputerPattern.test(redirectUri ?? '');

/** A private-use scheme may be followed by a host or not. */
function privateUriFault(uri: string): string | undefined {
  const url = URL.parse(uri);
  if (url === null) return 'has no valid host';
  return url.hostname === '' ? undefined : hostFault(url);
}

const hostFault = ({ hostname }: URL): string | undefined =>
  hostPattern.test(hostname) ? undefined : 'has a host with characters other than letters, digits, ".", "-" and "_"';

function webUriFault(uri: string, hasHost: boolean): string | undefined {
  const url = hasHost ? URL.parse(uri) : null;
  if (url === null) return 'has no valid host';
  if (/^[^/]*\/\/[^/?]*@/.test(uri)) return 'has user information before its host';
  return hostFault(url);
}
