/** How a client identifies itself: in the form, or by HTTP Basic. @see RFC 6749 §2.3.1 */
import type { Parameters } from '../common/requests/form-parameters.ts';
import { type TokenError, tokenError } from './token-error.ts';

/** A client as presented, before any look-up. */
export interface PresentedClient {
  readonly kind: 'client';
  readonly clientId: string;
  readonly secret: string;
  /** Whether it used HTTP Basic, which a refusal then names. */
  readonly isBasic: boolean;
}

/** Longer than a client id and a secret with every character escaped. */
const basicCharactersMax = 1_024;
const basicPattern = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/**
 * Returns the client and its secret. The error is `invalid_request` for a client that does both or names two ids, and `invalid_client` for
 * one without a secret, or with an unreadable header.
 */
export function readClientAuthentication(
  form: Parameters,
  authorization: string | undefined,
): PresentedClient | TokenError {
  const [clientId, secret] = [form.get('client_id'), form.get('client_secret')];
  if (authorization === undefined || !isBasicHeader.test(authorization)) {
    if (clientId === undefined) return tokenError('invalid_request', 'client_id is missing');
    if (secret === undefined) return tokenError('invalid_client', 'client_secret is missing');
    return { kind: 'client', clientId, secret, isBasic: false };
  }
  if (secret !== undefined) return tokenError('invalid_request', 'the secret is sent twice: in the form and by HTTP Basic');
  const basic = readBasic(authorization);
  if (basic === undefined) return malformedBasic;
  return isOther(clientId, basic.clientId) ? otherClient : { kind: 'client', ...basic, isBasic: true };
}

/**
 * Returns the client of a request that needs no secret: the form names it, or HTTP Basic with an empty password. A header that does not
 * name the client of the form is for an intermediary, such as a proxy, and is not read. The error is `invalid_request` if no client is
 * named, and `invalid_client` for a password or an unreadable header.
 */
export function readPublicClient(
  form: Parameters,
  authorization: string | undefined,
): Omit<PresentedClient, 'secret'> | TokenError {
  const clientId = form.get('client_id');
  if (authorization === undefined || !isBasicHeader.test(authorization)) {
    return clientId === undefined
      ? tokenError('invalid_request', 'client_id is missing')
      : { kind: 'client', clientId, isBasic: false };
  }
  const basic = readBasic(authorization);
  if (clientId !== undefined && basic?.clientId !== clientId) return { kind: 'client', clientId, isBasic: false };
  if (basic === undefined) return malformedBasic;
  if (basic.secret !== '')
    return tokenError('invalid_client', 'the client has no secret: leave the password empty', { isBasic: true });
  return { kind: 'client', clientId: basic.clientId, isBasic: true };
}

const isBasicHeader = /^basic(?: |$)/i;
const malformedBasic = tokenError('invalid_client', 'the header Authorization is malformed', { isBasic: true });
const otherClient = tokenError('invalid_request', 'client_id differs from that of HTTP Basic');
const isOther = (clientId: string | undefined, named: string): boolean => clientId !== undefined && clientId !== named;

/** Both halves are form-encoded, then joined by a colon, then base64. @see RFC 6749 §2.3.1 and appendix B */
function readBasic(authorization: string): Pick<PresentedClient, 'clientId' | 'secret'> | undefined {
  if (authorization.length > basicCharactersMax) return undefined;
  const [, encoded] = basicPattern.exec(authorization) ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  const [clientId, secret] = [formDecoded(text.slice(0, colon)), formDecoded(text.slice(colon + 1))];
  return clientId === undefined || secret === undefined ? undefined : { clientId, secret };
}

function formDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
