/**
 * The token endpoint: its grants, each of which turns a form into tokens, and its responses. A code or a refresh token is exchanged for an
 * access token and the next refresh token; a guest's assertion or a service account's secret, for an access token.
 *
 * @see docs/contract.md §7.5, §7.6 and §7.14, RFC 6749 §4.1.3, §5 and §6
 */

import { guestGrantType, playerBlocked, type TokenBody } from '@holdfast/contract';
import { accountMessages } from '@holdfast/contract/messages';
import type { Static } from 'typebox';
import { type Awaitable, mapAwaitable } from '../common/async/awaitable.ts';
import { sessionIdOf } from '../common/ids/session-id.ts';
import { type Parameters, readParameters } from '../common/requests/form-parameters.ts';
import { Refusal } from '../common/requests/refusal.ts';
import type { CountServiceAccount, DeferredCount } from '../limits/deferred-count.ts';
import type { RefreshFamily, SignInClaims } from '../storage/contract/sign-ins.ts';
import type { TokenSigner } from './access-token.ts';
import { operatorSubject } from './access-token-claims.ts';
import { readPublicClient } from './client-authentication.ts';
import type { Clients, KnownClient } from './clients.ts';
import { refreshTokenText } from './refresh-token-text.ts';
import { type TokenError, tokenError } from './token-error.ts';

export interface Tokens extends Static<typeof TokenBody> {
  readonly kind: 'tokens';
  /** The family of the refresh token, which the request is counted for. */
  readonly familyId?: string;
}

export type TokenOutcome = Tokens | TokenError;

export const useNonce = tokenError(
  'use_nonce',
  'the nonce of the assertion is missing, too old or not of this service: sign another one, with the nonce of the header Auth-Nonce',
);
export const invalidCode = tokenError('invalid_grant', 'the code is unknown, expired or was used before');

/** A request to the token endpoint: its form, the headers that grants read, its origin, and how it is counted. */
export interface TokenRequest {
  readonly body: string | URLSearchParams;
  readonly idempotencyKey?: string | undefined;
  readonly authorization?: string | undefined;
  /** The name under which the address is counted. */
  readonly clientName: string;
  /** Its origin, in words that identify no person. */
  readonly sessionLabel?: string | undefined;
  readonly count: DeferredCount;
}

/** Exchanges the credential in a known client's form. Throws only `StoreUnavailable`. */
export type Grant = (form: Parameters, client: KnownClient, request: Omit<TokenRequest, 'body'>) => Promise<TokenOutcome>;

const grantTypes = ['authorization_code', 'refresh_token', guestGrantType] as const;
type GrantType = (typeof grantTypes)[number];
/** Its clients have secrets, and may identify themselves in a header. */
const secretGrantType = 'client_credentials';

/** Exchanges a secret, which is in the form or in the header `Authorization`. Throws `StoreUnavailable`, and the errors of `count`. */
export type SecretGrant = (
  form: Parameters,
  authorization: string | undefined,
  count: CountServiceAccount,
) => Promise<TokenOutcome>;

/** Called with the grant type of a request, if it has one, and the code of the error, if there was one. */
export type OnExchanged = (grantType: string | undefined, error: string | undefined) => void;

/**
 * Returns a function from a token request to its response. The function throws `StoreUnavailable`, and the errors of `count` for a request
 * over the limit.
 */
export function createTokenEndpoint(
  clients: Pick<Clients, 'known'>,
  grants: Readonly<Record<GrantType, Grant>> & { readonly client_credentials: SecretGrant },
  onExchanged?: OnExchanged,
): (request: TokenRequest) => Promise<TokenOutcome> {
  function exchange(form: Parameters, request: TokenRequest): Awaitable<TokenOutcome> {
    if (form.repeated.size > 0) return tokenError('invalid_request', 'a parameter is repeated');
    const grantType = form.get('grant_type');
    if (grantType === undefined) return tokenError('invalid_request', 'grant_type is missing');
    const named = readPublicClient(form, request.authorization);
    if (named.kind === 'error') return named;
    const { clientId, isBasic } = named;
    return mapAwaitable(clients.known(clientId), (client) => {
      if (client === undefined) return tokenError('invalid_client', 'the client is not known', { isBasic });
      if (client.isSuspended) return suspended;
      const known = grantTypes.find((one) => one === grantType);
      return known === undefined ? unknownGrant : grants[known](form, client, request);
    });
  }

  async function exchangeAndCount(
    form: Parameters,
    grantType: string | undefined,
    request: TokenRequest,
  ): Promise<TokenOutcome> {
    const { authorization, count } = request;
    if (grantType === guestGrantType) {
      await count.address();
      return exchange(form, request);
    }
    const outcome =
      grantType === secretGrantType
        ? await grants[secretGrantType](form, authorization, count.serviceAccount)
        : await exchange(form, request);
    if (outcome.kind === 'error') await count.address();
    // A completed exchange is answered, even if counting it fails.
    else if (outcome.familyId !== undefined) {
      const counting = count.family(outcome.familyId);
      if (counting instanceof Promise) await counting.catch(() => undefined);
    }
    return outcome;
  }

  return async (request) => {
    const form = readParameters(request.body);
    const grantType = form.repeated.size > 0 ? undefined : form.get('grant_type');
    try {
      const outcome = await exchangeAndCount(form, grantType, request);
      onExchanged?.(grantType, outcome.kind === 'error' ? outcome.error : undefined);
      return outcome;
    } catch (error) {
      onExchanged?.(grantType, error instanceof Refusal ? error.code : 'failed');
      throw error;
    }
  };
}

const unknownGrant = tokenError(
  'unsupported_grant_type',
  `grant_type is not one of ${[...grantTypes, secretGrantType].join(', ')}`,
);

/** Returns the form, or the token endpoint's error for an unreadable one. @see docs/contract.md §7.5 */
export async function readTokenForm(readForm: () => Promise<URLSearchParams>): Promise<URLSearchParams | TokenError> {
  try {
    return await readForm();
  } catch (fault) {
    if (fault instanceof Refusal) return tokenError('invalid_request', fault.message);
    throw fault;
  }
}

/** The response to everybody in a suspended account. */
export const suspended = tokenError('forbidden', accountMessages.suspended);

/** The response to a blocked player, even without a session. Clients recognise it by its description. */
export const blocked = tokenError('invalid_grant', playerBlocked);

/** Signs an access token for the session of a family, with the claims of the sign-in. */
export function signAccessToken(signer: TokenSigner, family: RefreshFamily, claims: SignInClaims, seconds: number): string {
  const { accountId, slug, environment, subject, amr, epoch = 0, createdAt: signedInAt } = family;
  const sessionId = sessionIdOf(family.familyId);
  const person = { email: claims.email ?? undefined, name: claims.name ?? undefined };
  if (slug === null || environment === null) {
    // Only the operator's command makes codes with this subject: it cannot sign in.
    const actsAs = subject === operatorSubject ? 'operator' : undefined;
    return signer.signDeveloperToken({ accountId, subject, actsAs, amr, sessionId, signedInAt, ...person, seconds });
  }
  const userId = subject;
  return signer.signPlayerToken({
    accountId,
    slug,
    environment,
    seconds,
    userId,
    epoch,
    signedInAt,
    sessionId,
    ...person,
  });
}

/** The token response. `secret` is that of the refresh token. */
export function tokens(
  { familyId, scope }: RefreshFamily,
  accessToken: string,
  accessTokenSeconds: number,
  secret: string,
): Tokens {
  return {
    kind: 'tokens',
    familyId,
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: accessTokenSeconds,
    refresh_token: refreshTokenText(familyId, secret),
    scope,
  };
}
