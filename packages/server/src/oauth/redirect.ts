/** Responses of the authorization endpoint: redirects back to the client. @see RFC 6749 §4.1.2, RFC 9207 */

import type { Account } from '../storage/contract/accounts.ts';

/** Errors that go back to the client. @see RFC 6749 §4.1.2.1 */
export type AuthorizeError = 'invalid_request' | 'invalid_scope' | 'access_denied' | 'unsupported_response_type';

export interface ClientReturn {
  /** A registered redirect URI of the client. */
  readonly redirectUri: string;
  readonly state: string | undefined;
  /** The issuer of codes. A client of several servers needs it to know which one responded. */
  readonly issuer: string;
}

/** Returns where to send the browser with a code. */
export function codeLocation(to: ClientReturn, code: string): string {
  return location(to, { code });
}

/** Returns where to send the browser with an error. `description` is a constant string without quotes and backslashes. */
export function errorLocation(to: ClientReturn, error: AuthorizeError, description: string): string {
  return location(to, { error, error_description: description });
}

/** Adds parameters to the redirect URI exactly as it is registered: it is not normalised, and keeps its query. */
function location({ redirectUri, state, issuer }: ClientReturn, answer: Readonly<Record<string, string>>): string {
  const parameters = new URLSearchParams({ ...answer, ...(state !== undefined && { state }), iss: issuer });
  const separator = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&';
  return `${redirectUri}${separator}${parameters}`;
}

/** A sign-in that cannot be finished. A redirect tells the client why. */
export class Denial {
  readonly error: AuthorizeError;
  readonly description: string;

  constructor(error: AuthorizeError, description: string) {
    this.error = error;
    this.description = description;
  }
}

/** The `access_denied` of a person who may not sign in. */
export const denied = (description: string): Denial => new Denial('access_denied', description);

/** Whom a code is for. */
export interface SignedInAs extends Pick<Account, 'accountId'> {
  /** The project of a player; null for developers. */
  readonly slug: string | null;
  readonly subject: string;
}
