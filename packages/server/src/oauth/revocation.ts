/**
 * Revocation: a client gives back a refresh token, which ends its session, or an access token, which ends alone.
 *
 * Logging out ends a session as well.
 *
 * @see docs/contract.md §7.7, RFC 7009
 */
import { serviceAccountIdPattern } from '@holdfast/contract';
import type { TokenCredential } from '../access/principal.ts';
import { developerClientId, playerClientId } from '../common/ids/client-id.ts';
import { type Parameters, readParameters } from '../common/requests/form-parameters.ts';
import type { Store } from '../storage/store.ts';
import type { AccessTokens } from './access-token.ts';
import { readClientAuthentication, readPublicClient } from './client-authentication.ts';
import { findServiceAccount, type ServiceAccountGrantOptions } from './client-credentials.ts';
import type { Clients } from './clients.ts';
import { parseRefreshToken } from './refresh-token-text.ts';
import type { TokenRequest } from './token.ts';
import { type TokenError, tokenError } from './token-error.ts';

export interface RevocationOptions {
  readonly store: Pick<Store, 'findRefreshFamily' | 'revokeRefreshFamily' | 'revokeAccessToken'> &
    ServiceAccountGrantOptions['store'];
  readonly accessTokens: Pick<AccessTokens, 'verify'>;
  readonly clients: Pick<Clients, 'known'>;
  readonly now: () => number;
}

/**
 * Revokes the token in a form. Undefined: it has ended, or the form has no token of this client. Throws like `count` for a request over
 * the limit.
 */
export type Revoke = (request: Pick<TokenRequest, 'body' | 'authorization' | 'count'>) => Promise<TokenError | undefined>;

/** Returns the function behind the revocation endpoint. A suspended client may still revoke its tokens. */
export function createRevocation(options: RevocationOptions): Revoke {
  return async ({ body, authorization, count }) => {
    const form = readParameters(body);
    const client = await identify(options, form, authorization);
    if (client.kind === 'service_account') await count.serviceAccount(client);
    else await count.address();
    if (client.kind === 'error') return client;
    await end(options, client.token, client.clientId);
    return undefined;
  };
}

type Identified =
  | { readonly kind: 'public'; readonly clientId: string; readonly token: string }
  | {
      readonly kind: 'service_account';
      readonly clientId: string;
      readonly token: string;
      readonly accountId: string;
      readonly subject: string;
    }
  | TokenError;

async function identify(
  { store, clients }: RevocationOptions,
  form: Parameters,
  authorization: string | undefined,
): Promise<Identified> {
  if (form.repeated.size > 0) return tokenError('invalid_request', 'a parameter is repeated');
  const token = form.get('token');
  if (token === undefined) return tokenError('invalid_request', 'token is missing');
  const confidential = readClientAuthentication(form, authorization);
  if (confidential.kind === 'client' && serviceAccountIdPattern.test(confidential.clientId)) {
    const found = await findServiceAccount(store, confidential);
    if (found.kind === 'error') return found;
    const { accountId, serviceAccountId } = found.serviceAccount;
    return { kind: 'service_account', clientId: serviceAccountId, token, accountId, subject: serviceAccountId };
  }
  // The form and HTTP Basic name different clients or secrets.
  if (confidential.kind === 'error' && confidential.error === 'invalid_request') return confidential;
  const client = readPublicClient(form, authorization);
  if (client.kind === 'error') return client;
  const { clientId, isBasic } = client;
  if ((await clients.known(clientId)) !== undefined) return { kind: 'public', clientId, token };
  return tokenError('invalid_client', 'the client is not known', { isBasic });
}

/** Ends a token of a client. Another client's is left alone, without revealing that it is a token. */
async function end(options: RevocationOptions, token: string, clientId: string): Promise<void> {
  const { store, accessTokens, now } = options;
  const refreshToken = parseRefreshToken(token);
  if (refreshToken !== undefined) {
    const family = await store.findRefreshFamily(refreshToken.familyId, now());
    if (family?.clientId === clientId) await store.revokeRefreshFamily(refreshToken.familyId, now());
    return;
  }
  const verified = await accessTokens.verify(token);
  if (verified.kind === 'rejected' || clientOf(verified.principal) !== clientId) return;
  const { credentialId: tokenId, accountId, expiresAtMs: expiresAt } = verified.principal;
  await store.revokeAccessToken({ tokenId, accountId, endedAt: now(), expiresAt });
}

/** The client to which an access token was issued. */
function clientOf(principal: TokenCredential): string {
  if (principal.kind === 'end_user') return playerClientId(principal);
  return principal.actsAs === 'service_account' ? principal.subject : developerClientId;
}

/** Ends the session of a refresh token, whether the token is the current one or not. An unknown token is ignored. */
export async function logOut(store: Pick<Store, 'revokeRefreshFamily'>, refreshToken: string, now: number): Promise<void> {
  const token = parseRefreshToken(refreshToken);
  if (token !== undefined) await store.revokeRefreshFamily(token.familyId, now);
}
