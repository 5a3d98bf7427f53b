/**
 * The token endpoint: a code, or a refresh token, for an access token and the next refresh token.
 *
 * Nothing is checked first and spent later: what is read beforehand only saves spending a token in vain, and the store
 * decides in one step which of any number of parallel uses wins. The access token is signed before that step, so that a
 * request that fails for want of a key has spent nothing and can be repeated.
 *
 * @see interface 4.6 and 5.2, RFC 6749 §4.1.3 and §6, RFC 7636 §4.6, RFC 9700 §4.14
 */
import { hash, timingSafeEqual } from 'node:crypto';
import { type TokenBody, type TokenErrorCode, tokenErrorCodes } from '@holdfast/contract';
import type { Static } from 'typebox';
import type { AuthorizationCode, Grant, RefreshFamily, SignInClaims, SignInStore } from '../storage/sign-in-store.ts';
import type { AccessTokens } from './access-token.ts';
import type { Clients } from './clients.ts';
import { type Parameters, readParameters } from './parameters.ts';
import { hashSecret, newFamilyId, parseRefreshToken, randomSecret, refreshTokenText } from './secret-text.ts';

const day = 24 * 60 * 60 * 1000;
const idleMilliseconds = 30 * day;
const absoluteMilliseconds = 365 * day;
/** @see RFC 7636 §4.1 */
const verifierPattern = /^[A-Za-z0-9\-._~]{43,128}$/;

export interface TokenEndpointOptions {
  readonly store: Pick<
    SignInStore,
    | 'findAuthorizationCode'
    | 'redeemAuthorizationCode'
    | 'findRefreshFamily'
    | 'consumeRefreshToken'
    | 'revokeRefreshFamily'
  >;
  readonly clients: Pick<Clients, 'isKnown'>;
  readonly accessTokens: AccessTokens;
  readonly accessTokenSeconds: number;
  /** How long after its replacement a refresh token that comes again ends nothing but its own request. */
  readonly refreshReplayGraceSeconds: number;
  readonly now: () => number;
}

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

/**
 * Returns a function from the form-encoded body of a token request to its answer. The function throws `StoreUnavailable`
 * only.
 */
export function createTokenEndpoint(options: TokenEndpointOptions): (form: string) => Promise<TokenOutcome> {
  const { clients } = options;
  return async (text) => {
    const form = readParameters(text);
    if (form.repeated.size > 0) return tokenError('invalid_request', 'a parameter stands there more than once');
    const grantType = form.get('grant_type');
    const clientId = form.get('client_id');
    if (grantType === undefined) return tokenError('invalid_request', 'grant_type is missing');
    if (clientId === undefined) return tokenError('invalid_request', 'client_id is missing');
    if (!(await clients.isKnown(clientId))) return tokenError('invalid_client', 'the client is not known');
    if (grantType === 'authorization_code') return redeemCode(options, form, clientId);
    if (grantType === 'refresh_token') return refresh(options, form, clientId);
    return tokenError('unsupported_grant_type', 'grant_type is neither authorization_code nor refresh_token');
  };
}

/** An error as RFC 6749 §5.2 shapes it, under the status of its code, or another one where the interface says so. */
export function tokenError(
  error: TokenErrorCode,
  description: string,
  status: number = tokenErrorCodes[error].status,
): TokenError {
  return { kind: 'error', status, error, description };
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
  // Two have the code, so one of them stole it: whatever else the request says, what the code paid for ends.
  if (found.spentForFamilyId !== null) {
    await store.revokeRefreshFamily(found.spentForFamilyId);
    return invalidCode;
  }
  if (found.code.clientId !== clientId) return tokenError('invalid_grant', 'the code is of another client');
  if (found.code.redirectUri !== redirectUri) return tokenError('invalid_grant', 'the code is of another redirect_uri');
  if (!fitsChallenge(verifier, found.code)) return tokenError('invalid_grant', 'code_verifier does not fit the code');

  const secret = randomSecret();
  const family = newFamily(found.code, now());
  const accessToken = await signAccessToken(options, family, found.code);
  const outcome = await store.redeemAuthorizationCode(codeHash, family, hashSecret(secret), now());
  return outcome === 'redeemed' ? tokens(options, family, accessToken, secret) : invalidCode;
}

async function refresh(options: TokenEndpointOptions, form: Parameters, clientId: string): Promise<TokenOutcome> {
  const { store, now } = options;
  const text = form.get('refresh_token');
  if (text === undefined) return tokenError('invalid_request', 'refresh_token is missing');
  const token = parseRefreshToken(text);
  const family = token && (await store.findRefreshFamily(token.familyId, now()));
  if (token === undefined || family === undefined) return invalidRefreshToken;
  if (family.clientId !== clientId) return tokenError('invalid_grant', 'the refresh token is of another client');
  const scope = form.get('scope');
  if (scope !== undefined && scope !== family.scope) return tokenError('invalid_scope', 'another scope was granted');

  const claims = await previousClaims(options.accessTokens, form.get('previous_access_token'), family);
  if (claims === undefined) {
    return tokenError('invalid_grant', 'previous_access_token is no access token of this end user', 401);
  }
  const secret = randomSecret();
  const accessToken = await signAccessToken(options, family, claims);
  const idleExpiresAt = Math.min(now() + idleMilliseconds, family.absoluteExpiresAt);
  const next = { secretHash: hashSecret(secret), idleExpiresAt };
  const outcome = await store.consumeRefreshToken(token, next, now(), options.refreshReplayGraceSeconds * 1000);
  return outcome.kind === 'consumed' ? tokens(options, family, accessToken, secret) : invalidRefreshToken;
}

const invalidCode = tokenError('invalid_grant', 'the code is unknown, expired or was used before');
const invalidRefreshToken = tokenError(
  'invalid_grant',
  'the refresh token is unknown, expired, revoked or was used before',
);

/** Whether the verifier hashes to the challenge; both have 43 characters. @see RFC 7636 §4.6 */
function fitsChallenge(verifier: string, { codeChallenge }: AuthorizationCode): boolean {
  return timingSafeEqual(Buffer.from(hash('sha256', verifier, 'base64url')), Buffer.from(codeChallenge));
}

const noClaims: SignInClaims = { email: null, name: null };

/**
 * Returns the claims that a refresh takes over: those of the previous access token, none without one; undefined when it is
 * anything but an end-user token, expired or not, of the same person in the same environment. @see interface 5.2
 */
async function previousClaims(
  accessTokens: AccessTokens,
  previousToken: string | undefined,
  family: RefreshFamily,
): Promise<SignInClaims | undefined> {
  if (previousToken === undefined) return noClaims;
  const previous = await accessTokens.verify(previousToken, { acceptExpired: true });
  if (previous.kind === 'rejected' || previous.principal.kind !== 'end_user') return undefined;
  const { accountId, slug, environment, userId } = previous.principal;
  const isSamePerson = accountId === family.accountId && userId === family.subject;
  if (!isSamePerson || slug !== family.slug || environment !== family.environment) return undefined;
  return { email: previous.email ?? null, name: previous.name ?? null };
}

function newFamily(code: AuthorizationCode, nowMs: number): RefreshFamily {
  const { accountId, slug, environment, clientId, subject, scope } = code;
  return {
    familyId: newFamilyId(),
    ...{ accountId, slug, environment, clientId, subject, scope },
    createdAt: nowMs,
    idleExpiresAt: nowMs + idleMilliseconds,
    absoluteExpiresAt: nowMs + absoluteMilliseconds,
  };
}

function signAccessToken(options: TokenEndpointOptions, grant: Grant, claims: SignInClaims): Promise<string> {
  const { accessTokens, accessTokenSeconds: seconds } = options;
  const { accountId, slug, environment, subject } = grant;
  if (slug === null || environment === null) return accessTokens.signDeveloperToken({ accountId, subject, seconds });
  const { email, name } = claims;
  return accessTokens.signEndUserToken({
    ...{ accountId, slug, environment, seconds },
    userId: subject,
    email: email ?? undefined,
    name: name ?? undefined,
  });
}

function tokens(
  { accessTokenSeconds }: TokenEndpointOptions,
  { familyId, scope }: RefreshFamily,
  accessToken: string,
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
