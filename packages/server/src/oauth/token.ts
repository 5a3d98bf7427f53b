/**
 * The token endpoint: which grant a request asks for. A code or a refresh token is exchanged for an access token and the next refresh
 * token.
 *
 * @see docs/contract.md §7.5 and §7.6, RFC 6749 §4.1.3 and §6
 */
import { readParameters } from '../common/form-parameters.ts';
import { Refusal } from '../common/refusal.ts';
import { type RedeemOptions, redeemCode } from './authorization-code.ts';
import type { Clients } from './clients.ts';
import { type RefreshOptions, refresh } from './refresh.ts';
import { type TokenError, type TokenOutcome, tokenError } from './token-outcome.ts';

export interface TokenEndpointOptions extends RefreshOptions, RedeemOptions {
  readonly store: RefreshOptions['store'] & RedeemOptions['store'];
  readonly clients: Pick<Clients, 'isKnown'>;
}

/** A request to the token endpoint: its form, and the header `Idempotency-Key` if there is one. */
export interface TokenRequest {
  readonly body: string | URLSearchParams;
  readonly idempotencyKey?: string | undefined;
}

/** Returns a function from a token request to its response. The function throws `StoreUnavailable` only. */
export function createTokenEndpoint(options: TokenEndpointOptions): (request: TokenRequest) => Promise<TokenOutcome> {
  const { clients } = options;
  return async ({ body, idempotencyKey }) => {
    const form = readParameters(body);
    if (form.repeated.size > 0) return tokenError('invalid_request', 'a parameter is repeated');
    const grantType = form.get('grant_type');
    const clientId = form.get('client_id');
    if (grantType === undefined) return tokenError('invalid_request', 'grant_type is missing');
    if (clientId === undefined) return tokenError('invalid_request', 'client_id is missing');
    if (!(await clients.isKnown(clientId))) return tokenError('invalid_client', 'the client is not known');
    if (grantType === 'authorization_code') return redeemCode(options, form, clientId);
    if (grantType === 'refresh_token') return refresh(options, form, clientId, idempotencyKey);
    return tokenError('unsupported_grant_type', 'grant_type is neither authorization_code nor refresh_token');
  };
}

/** Returns the form, or the error that the token endpoint gives for one that cannot be read. @see docs/contract.md §7.5 */
export async function readTokenForm(readForm: () => Promise<URLSearchParams>): Promise<URLSearchParams | TokenError> {
  try {
    return await readForm();
  } catch (fault) {
    if (fault instanceof Refusal) return tokenError('invalid_request', fault.message);
    throw fault;
  }
}
