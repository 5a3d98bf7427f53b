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
import { type TokenBody, type TokenErrorCode, tokenErrorCodes } from '@holdfast/contract';
import type { Static } from 'typebox';
import { isIssuedBefore } from '../common/issued-before.ts';
import { Refusal } from '../common/refusal.ts';
import type {
  AuthorizationCode,
  Grant,
  RefreshFamily,
  RefreshTerms,
  SignInClaims,
  SignInStore,
} from '../storage/sign-in-store.ts';
import type { Awaitable, ProjectKey } from '../storage/store.ts';
import type { AccessTokens, TokenSigner } from './access-token.ts';
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
  /** When a project was created; undefined when there is none. */
  readonly projectCreatedAt: (key: ProjectKey) => Awaitable<number | undefined>;
  readonly accessTokenSeconds: number;
  /** For how long after its replacement a repeated refresh token only fails its own request. */
  readonly refreshReplayGraceSeconds: number;
  /** Told the subject of a developer whose tokens are refreshed. */
  readonly onDeveloper: (subject: string) => void;
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
 * Returns a function from the form-encoded body of a token request to its response. The function throws `StoreUnavailable`
 * only.
 */
export function createTokenEndpoint(
  options: TokenEndpointOptions,
): (body: string | URLSearchParams) => Promise<TokenOutcome> {
  const { clients } = options;
  return async (body) => {
    const form = readParameters(body);
    if (form.repeated.size > 0) return tokenError('invalid_request', 'a parameter is repeated');
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

/** Returns the form, or the error that the token endpoint gives for one that cannot be read. @see docs/contract.md §7.5 */
export async function readTokenForm(readForm: () => Promise<URLSearchParams>): Promise<URLSearchParams | TokenError> {
  try {
    return await readForm();
  } catch (fault) {
    if (fault instanceof Refusal) return tokenError('invalid_request', fault.message);
    throw fault;
  }
}

/** An error in the form of RFC 6749 §5.2, with the status of its code, or another one where the contract says so. */
function tokenError(
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
  return outcome === 'redeemed' ? tokens(options, family, accessToken, secret) : invalidCode;
}

/** One call of the store: what the request says of the family is compared with it in the step that spends the token. */
async function refresh(options: TokenEndpointOptions, form: Parameters, clientId: string): Promise<TokenOutcome> {
  const { store, accessTokens, now } = options;
  const text = form.get('refresh_token');
  if (text === undefined) return tokenError('invalid_request', 'refresh_token is missing');
  const token = parseRefreshToken(text);
  if (token === undefined) return invalidRefreshToken;
  const scope = form.get('scope');
  const previous = await readPrevious(options, form.get('previous_access_token'));
  if (previous === undefined) {
    const family = await store.findRefreshFamily(token.familyId, now());
    return family === undefined ? invalidRefreshToken : mismatch(family, clientId, scope);
  }
  const signer = await accessTokens.signer();
  const secret = randomSecret();
  const next = { secretHash: hashSecret(secret), idleExpiresAt: now() + idleMilliseconds };
  const grace = options.refreshReplayGraceSeconds * 1000;
  const outcome = await store.consumeRefreshToken(token, next, now(), grace, { ...previous.person, clientId, scope });
  if (outcome.kind === 'mismatched') return mismatch(outcome.family, clientId, scope);
  if (outcome.kind !== 'consumed') return invalidRefreshToken;
  if (outcome.family.slug === null) options.onDeveloper(outcome.family.subject);
  const accessToken = signAccessToken(signer, outcome.family, previous.claims, options.accessTokenSeconds);
  return tokens(options, outcome.family, accessToken, secret);
}

/** Why the family does not match the request or the previous access token. */
function mismatch(family: RefreshFamily, clientId: string, scope: string | undefined): TokenError {
  if (family.clientId !== clientId) return tokenError('invalid_grant', 'the refresh token is of another client');
  if (scope !== undefined && scope !== family.scope) return tokenError('invalid_scope', 'another scope was granted');
  return tokenError('invalid_grant', 'previous_access_token is not an access token of this end user', 401);
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

/** What a refresh takes over from the previous access token, and whose its family must be. */
interface Previous {
  readonly claims: SignInClaims;
  readonly person: RefreshTerms;
}

/**
 * Reads the previous access token, expired or not; without one, nothing is taken over. Undefined when it is not one of our
 * end-user tokens, or is of a project that was deleted since. @see docs/contract.md §7.6
 */
async function readPrevious(
  { accessTokens, projectCreatedAt }: Pick<TokenEndpointOptions, 'accessTokens' | 'projectCreatedAt'>,
  token: string | undefined,
): Promise<Previous | undefined> {
  if (token === undefined) return { claims: noClaims, person: {} };
  const previous = await accessTokens.verify(token, { acceptExpired: true });
  if (previous.kind === 'rejected' || previous.principal.kind !== 'end_user') return undefined;
  const { accountId, slug, environment, userId: subject, issuedAtMs } = previous.principal;
  const createdAt = await projectCreatedAt({ accountId, slug });
  if (createdAt === undefined || isIssuedBefore(createdAt, issuedAtMs)) return undefined;
  const { email = null, name = null } = previous;
  return { claims: { email, name }, person: { accountId, slug, environment, subject } };
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

function signAccessToken(signer: TokenSigner, grant: Grant, claims: SignInClaims, seconds: number): string {
  const { accountId, slug, environment, subject } = grant;
  const person = { email: claims.email ?? undefined, name: claims.name ?? undefined };
  if (slug === null || environment === null) return signer.signDeveloperToken({ accountId, subject, ...person, seconds });
  return signer.signEndUserToken({ ...{ accountId, slug, environment, seconds }, userId: subject, ...person });
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
