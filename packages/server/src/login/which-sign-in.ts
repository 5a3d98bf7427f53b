/** Names for the data of one sign-in of a browser, so that its other sign-ins neither see nor replace it. */
import { hash } from 'node:crypto';
import type { Parameters } from '../common/requests/form-parameters.ts';

/** Returns the name of the sign-in that a query requests, of 43 characters. Two tabs with the same query share it. */
export function signInOf(parameters: Parameters): string {
  const parts = ['client_id', 'redirect_uri', 'state', 'code_challenge'].map((name) => parameters.get(name) ?? '');
  return hash('sha256', JSON.stringify(parts), 'base64url');
}

/** Returns a cookie name that reveals nothing about its source: 96 bits of a hash, in 16 characters. */
export function cookieNameFor(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 16);
}
