/**
 * The token endpoint exchanges a code or a refresh token for an access token and the next refresh token.
 *
 * Nothing is checked first and spent later. What is read beforehand only avoids spending a code in vain; the store decides in
 * one step which of any number of parallel uses wins. The signing key is loaded before that step, so a request that fails
 * without it has spent nothing and can be repeated.
 *
 * @see docs/contract.md §7.5 and §7.6, RFC 6749 §4.1.3 and §6, RFC 7636 §4.6, RFC 9700 §4.14
 */
import { hash, timingSafeEqual } from 'node:crypto';
import { type Parameters, readParameters } from '../common/form-parameters.ts';
import { Refusal } from '../common/refusal.ts';
import type { AuthorizationCode, RefreshFamily, SignInStore } from '../storage/sign-in-store.ts';
import type { Clients } from './clients.ts';
import { idleMilliseconds, type RefreshOptions, refresh } from './refresh.ts';
import { hashSecret, newFamilyId, randomSecret } from './secret-text.ts';
import { signAccessToken, type TokenError, type TokenOutcome, tokenError, tokens } from './token-outcome.ts';

const absoluteMilliseconds = 365 * 24 * 60 * 60 * 1000;
/** @see RFC 7636 §4.1 */
const verifierPattern = /^[A-Za-z0-9\-._~]{43,128}$/;

export interface TokenEndpointOptions extends RefreshOptions {
  readonly store: RefreshOptions['store'] &
    Pick<SignInStore, 'findAuthorizationCode' | 'redeemAuthorizationCode' | 'revokeRefreshFamily'>;
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

async function redeemCode(options: TokenEndpointOptions, form: Parameters, clientId: string): Promise<TokenOutcome> {
  const { store, now } = options;
  const code = form.get('code');
  const verifier = form.get('code_verifier');
  const redirectUri = form.get('redirect_uri');
  if (code === undefined) return tokenError('invalid_request', 'code is missing');
  if (redirectUri === undefined) return tokenError('invalid_request', 'redirect_uri is missing');
  if (verifier === undefined) return tokenError('invalid_request', 'code_verifier is missing');
  if (!verifierPattern.test(verifier)) return tokenError('invalid_request', 'code_verifier is malformed');

  const codeHash = hashSecret(code);
  const found = await store.findAuthorizationCode(codeHash, now());
  if (found === undefined) return invalidCode;
  // Two parties have the code, so one of them stole it: whatever else the request says, the family of the code ends.
  if (found.spentForFamilyId !== null) {
    await store.revokeRefreshFamily(found.spentForFamilyId);
    return invalidCode;
  }
  if (found.code.clientId !== clientId) return tokenError('invalid_grant', 'the code is of another client');
  if (found.code.redirectUri !== redirectUri) return tokenError('invalid_grant', 'the code is of another redirect_uri');
  if (!fitsChallenge(verifier, found.code)) return tokenError('invalid_grant', 'code_verifier does not fit the code');

  const secret = randomSecret();
  const family = newFamily(found.code, now());
  const signer = await options.accessTokens.signer();
  const accessToken = signAccessToken(signer, family, found.code, options.accessTokenSeconds);
  const outcome = await store.redeemAuthorizationCode(codeHash, family, hashSecret(secret), now());
  return outcome === 'redeemed' ? tokens(family, accessToken, options.accessTokenSeconds, secret) : invalidCode;
}

const invalidCode = tokenError('invalid_grant', 'the code is unknown, expired or was used before');

/** Whether the verifier hashes to the challenge; both have 43 characters. @see RFC 7636 §4.6 */
function fitsChallenge(verifier: string, { codeChallenge }: AuthorizationCode): boolean {
  return timingSafeEqual(Buffer.from(hash('sha256', verifier, 'base64url')), Buffer.from(codeChallenge));
}

function newFamily(code: AuthorizationCode, nowMs: number): RefreshFamily {
  const { accountId, slug, environment, clientId, subject, scope } = code;
  return {
    familyId: newFamilyId(),
    accountId,
    slug,
    environment,
    clientId,
    subject,
    scope,
    createdAt: nowMs,
    idleExpiresAt: nowMs + idleMilliseconds,
    absoluteExpiresAt: nowMs + absoluteMilliseconds,
  };
}
