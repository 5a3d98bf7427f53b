/**
 * An invitation on its way through a sign-in, in a cookie: so it stands in no address, not on the way to an identity provider and not in
 * a mail either. It is for the one sign-in that it was brought with: another sign-in of this browser neither takes nor replaces it.
 */
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Parameters } from '../common/form-parameters.ts';
import type { Cookies } from './cookies.ts';

/** As long as an invitation is good. A cookie that ended sooner would leave an ordinary sign-in behind. */
const carriedSeconds = 7 * 24 * 60 * 60;
/** How many sign-ins of one browser carry an invitation at a time. */
const carriedMax = 4;

/** Names the sign-in of a query. */
function signInOf(parameters: Parameters): string {
  const parts = ['client_id', 'redirect_uri', 'state', 'code_challenge'].map((name) => parameters.get(name) ?? '');
  return hash('sha256', JSON.stringify(parts), 'base64url');
}

/** Returns the headers that keep an invitation for a sign-in. What a browser has carried longest gives way. */
export function carryInvitation(
  cookies: Cookies,
  parameters: Parameters,
  headers: IncomingHttpHeaders,
  token: string,
): readonly string[] {
  const signIn = signInOf(parameters);
  const others = cookies.names(headers, 'invitation').filter((name) => name !== signIn && /^[\w-]{1,64}$/.test(name));
  const excess = others.slice(0, Math.max(others.length - (carriedMax - 1), 0));
  return [
    ...excess.flatMap((name) => cookies.clear('invitation', name)),
    ...cookies.set('invitation', token, carriedSeconds, signIn),
  ];
}

/** Returns the headers that take the invitation of a sign-in from the browser that carries one. Nothing else of the browser changes. */
export function forgetInvitation(
  cookies: Cookies,
  parameters: Parameters,
  headers: IncomingHttpHeaders,
): readonly string[] {
  const signIn = signInOf(parameters);
  return cookies.read(headers, 'invitation', signIn) === undefined ? [] : cookies.clear('invitation', signIn);
}

/** Returns the invitation that the browser brought for this sign-in, if any. */
export function carriedInvitation(
  cookies: Cookies,
  parameters: Parameters,
  headers: IncomingHttpHeaders,
): string | undefined {
  return cookies.read(headers, 'invitation', signInOf(parameters)) || undefined;
}
