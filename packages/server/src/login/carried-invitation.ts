/**
 * An invitation on its way through a sign-in, in a cookie: so it stands in no address, not on the way to an identity provider and not in
 * a mail either. It is for the one sign-in that it was brought with: another sign-in of this browser neither takes nor replaces it.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Parameters } from '../common/form-parameters.ts';
import type { Cookies } from './cookies.ts';
import { signInOf } from './which-sign-in.ts';

/** As long as an invitation is good. A cookie that ended sooner would leave an ordinary sign-in behind. */
const carriedSeconds = 7 * 24 * 60 * 60;
/** How many sign-ins of one browser carry an invitation at a time. */
const carriedMax = 4;

/** Returns the headers that keep an invitation for a sign-in. What a browser has carried longest gives way. */
export function carryInvitation(
  cookies: Cookies,
  parameters: Parameters,
  headers: IncomingHttpHeaders,
  token: string,
): readonly string[] {
  return cookies.setAmong(headers, ['invitation', signInOf(parameters)], token, carriedSeconds, { countMax: carriedMax });
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
