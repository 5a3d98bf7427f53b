/**
 * An invitation on its way through a sign-in, in a cookie: so it stands in no address, not on the way to an identity provider and not in
 * a mail either. It is for the one sign-in that it was brought with, and for no later one of this browser.
 */
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Parameters } from '../common/form-parameters.ts';
import type { Cookies } from './cookies.ts';

const carriedSeconds = 60 * 60;

/** Names the sign-in of a query. */
function signInOf(parameters: Parameters): string {
  const parts = ['client_id', 'redirect_uri', 'state', 'code_challenge'].map((name) => parameters.get(name) ?? '');
  return hash('sha256', JSON.stringify(parts), 'base64url');
}

/** Returns the header that keeps an invitation for a sign-in. */
export function carryInvitation(cookies: Cookies, parameters: Parameters, token: string): readonly string[] {
  return cookies.set('invitation', `${signInOf(parameters)}.${token}`, carriedSeconds);
}

/** Returns the invitation that the browser brought for this sign-in, if any. */
export function carriedInvitation(
  cookies: Cookies,
  parameters: Parameters,
  headers: IncomingHttpHeaders,
): string | undefined {
  const [signIn, token] = cookies.read(headers, 'invitation')?.split('.') ?? [];
  return signIn === signInOf(parameters) ? token : undefined;
}
