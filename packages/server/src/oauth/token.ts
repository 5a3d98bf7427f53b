/**
 * The token endpoint: the grants, of which each turns a form into tokens, and what the endpoint answers. A code or a refresh token is
 * exchanged for an access token and the next refresh token, the assertion of a guest for an access token.
 *
 * @see docs/contract.md §7.5, §7.6 and §7.14, RFC 6749 §4.1.3, §5 and §6
 */
import { guestGrantType, type TokenBody, type TokenErrorCode, tokenErrorCodes } from '@holdfast/contract';
import type { Static } from 'typebox';
import { type Parameters, readParameters } from '../common/form-parameters.ts';
import { Refusal } from '../common/refusal.ts';
import type { Grant as Granted, RefreshFamily, SignInClaims } from '../storage/sign-in-store.ts';
import { operatorSubject, type TokenSigner } from './access-token.ts';
import type { Clients } from './clients.ts';
import { refreshTokenText } from './secret-text.ts';

export interface Tokens extends Static<typeof TokenBody> {
  readonly kind: 'tokens';
}

export interface TokenError {
  readonly kind: 'error';
  readonly status: number;
  readonly error: TokenErrorCode;
  readonly description: string;
}

export type TokenOutcome = Tokens | TokenError;

/** An error in the form of RFC 6749 §5.2, with the status of its code, or another one where the contract says so. */
export function tokenError(
  error: TokenErrorCode,
  description: string,
  status: number = tokenErrorCodes[error].status,
): TokenError {
  return { kind: 'error', status, error, description };
}

/** A request to the token endpoint: its form, the header `Idempotency-Key` if there is one, and whose address it came from. */
export interface TokenRequest {
  readonly body: string | URLSearchParams;
  readonly idempotencyKey?: string | undefined;
  /** The name under which the address is counted. */
  readonly clientName: string;
  /** From where it comes, in words that name nobody. */
  readonly place?: string | undefined;
}

/** Exchanges what the form of a known client brings. Throws `StoreUnavailable` only. */
export type Grant = (form: Parameters, clientId: string, request: Omit<TokenRequest, 'body'>) => Promise<TokenOutcome>;

const grantTypes = ['authorization_code', 'refresh_token', guestGrantType] as const;
type GrantType = (typeof grantTypes)[number];

/** Returns a function from a token request to its response. The function throws `StoreUnavailable` only. */
export function createTokenEndpoint(
  clients: Pick<Clients, 'isKnown'>,
  grants: Readonly<Record<GrantType, Grant>>,
): (request: TokenRequest) => Promise<TokenOutcome> {
  return async ({ body, ...request }) => {
    const form = readParameters(body);
    if (form.repeated.size > 0) return tokenError('invalid_request', 'a parameter is repeated');
    const grantType = form.get('grant_type');
    const clientId = form.get('client_id');
    if (grantType === undefined) return tokenError('invalid_request', 'grant_type is missing');
    if (clientId === undefined) return tokenError('invalid_request', 'client_id is missing');
    if (!(await clients.isKnown(clientId))) return tokenError('invalid_client', 'the client is not known');
    const known = grantTypes.find((one) => one === grantType);
    if (known === undefined) {
      return tokenError('unsupported_grant_type', `grant_type is none of ${grantTypes.join(', ')}`);
    }
    return grants[known](form, clientId, request);
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

/** Signs an access token for what was granted, with the claims of the sign-in. */
export function signAccessToken(signer: TokenSigner, grant: Granted, claims: SignInClaims, seconds: number): string {
  const { accountId, slug, environment, subject, amr } = grant;
  const person = { email: claims.email ?? undefined, name: claims.name ?? undefined };
  if (slug === null || environment === null) {
    // Only the command of the operator makes codes with this subject: nobody signs in with it.
    const actsAs = subject === operatorSubject ? 'operator' : undefined;
    return signer.signDeveloperToken({ accountId, subject, actsAs, amr, ...person, seconds });
  }
  return signer.signEndUserToken({ accountId, slug, environment, seconds, userId: subject, ...person });
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
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: accessTokenSeconds,
    refresh_token: refreshTokenText(familyId, secret),
    scope,
  };
}
