/**
 * An invitation during a sign-in, kept in a cookie so that it appears in no address, not even on the way to an identity provider, and in no
 * mail. It belongs to one sign-in: other sign-ins of this browser neither use nor replace it.
 */

import type { IncomingHttpHeaders } from 'node:http';
import type { Parameters } from '../../common/requests/form-parameters.ts';
import { daySeconds } from '../../common/time/durations.ts';
import { signInOf } from '../which-sign-in.ts';
import type { Cookies } from './cookies.ts';

/** As long as an invitation is valid. If the cookie expired sooner, an ordinary sign-in would remain. */
const carriedSeconds = 7 * daySeconds;
/** How many sign-ins of one browser carry an invitation at the same time. */
const carriedMax = 4;

/** Returns the headers that keep an invitation for a sign-in. The oldest ones give way. */
export function carryInvitation(
  cookies: Cookies,
  parameters: Parameters,
  headers: IncomingHttpHeaders,
  token: string,
): readonly string[] {
  return cookies.setAmong(headers, ['invitation', signInOf(parameters)], token, carriedSeconds, { countMax: carriedMax });
}

/** Returns the headers that remove the invitation of a sign-in from the browser, and nothing else. */
export function forgetInvitation(
  cookies: Cookies,
  parameters: Parameters,
  headers: IncomingHttpHeaders,
): readonly string[] {
  const signIn = signInOf(parameters);
  return cookies.read(headers, 'invitation', signIn) === undefined ? [] : cookies.clear('invitation', signIn);
}

/** Returns the invitation for this sign-in that the browser sent, if any. */
export function carriedInvitation(
  cookies: Cookies,
  parameters: Parameters,
  headers: IncomingHttpHeaders,
): string | undefined {
  return cookies.read(headers, 'invitation', signInOf(parameters)) || undefined;
}
