/**
 * Access tokens: JSON Web Tokens, signed and verified by this service alone.
 *
 * @see docs/contract.md §7.8, RFC 9068, RFC 8725
 */
import { hash, randomUUID } from 'node:crypto';
import type { Environment } from '@holdfast/contract';
import type { CryptoKey, ProtectedHeaderParameters } from 'jose';
import * as errors from 'jose/errors';
import { jwtVerify } from 'jose/jwt/verify';
import { LRUCache } from 'lru-cache';
import { type Awaitable, mapAwaitable } from '../common/async/awaitable.ts';
import { developerClientId, playerClientId } from '../common/ids/client-id.ts';
import { type JwtKey, jwtSigner } from '../common/secrets/jwt.ts';
import {
  type Actor,
  actsAsClaim,
  epochClaim,
  guestClaim,
  readClaims,
  secretIdClaim,
  type VerifiedToken,
} from './access-token-claims.ts';
import { accessTokenSecondsMax, type SigningKeys } from './signing-keys.ts';

interface DeveloperTokenRequest {
  readonly accountId: string;
  /** The developer's subject at the identity provider; for a token of the operator, a name for its use. */
  readonly subject: string;
  /** For a token that does not act for a person. */
  readonly actsAs?: Exclude<Actor, 'service_account'> | undefined;
  /** How a person signed in, if known. */
  readonly amr?: string | undefined;
  /** When the person signed in, in milliseconds since the epoch, if known. */
  readonly signedInAt?: number | undefined;
  /** The session that the token belongs to, if it does. */
  readonly sessionId?: string | undefined;
  /** Set if known: the console shows whose session it is. */
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly seconds: number;
}

interface ServiceAccountTokenRequest {
  readonly accountId: string;
  readonly serviceAccountId: string;
  /** The secret that the token was issued for. */
  readonly secretId: string;
  readonly name: string;
  readonly seconds: number;
}

interface PlayerTokenRequest {
  readonly accountId: string;
  readonly slug: string;
  readonly environment: Environment;
  readonly userId: string;
  /** Whether it is a guest, who cannot sign in. */
  readonly isGuest?: boolean;
  /** The epoch of the player's tokens, read before the checks for this one. */
  readonly epoch?: number | undefined;
  /** When the player signed in, in milliseconds since the epoch; left out for guests. */
  readonly signedInAt?: number | undefined;
  /** The session that the token belongs to; left out for guests. */
  readonly sessionId?: string | undefined;
  /** Set if the identity provider gave them at sign-in. */
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly seconds: number;
}

interface RejectedToken {
  readonly kind: 'rejected';
  /** A constant of this program. */
  readonly reason: string;
}

type AccessTokenVerification = VerifiedToken | RejectedToken;

export interface AccessTokensOptions {
  readonly signingKeys: Pick<SigningKeys, 'current' | 'find'>;
  /** The base URL, which is issuer and audience. A function, since a port may be known only after listening. */
  readonly issuer: () => string;
  readonly now: () => number;
  /** The longest validity of a session's token, regardless of its `exp`: a shortened time also applies to older tokens. */
  readonly accessTokenSeconds?: number;
}

export interface TokenSigner {
  /** Returns a signed token of a service account. Throws a `RangeError` for an impossible lifetime. */
  signServiceAccountToken(request: ServiceAccountTokenRequest): string;
  /** Returns a signed developer token. Throws a `RangeError` for an impossible lifetime. */
  signDeveloperToken(request: DeveloperTokenRequest): string;
  /** Returns a signed player token. Throws a `RangeError` for an impossible lifetime. */
  signPlayerToken(request: PlayerTokenRequest): string;
}

export interface AccessTokens {
  /** As the signer does. Rejects with `StoreUnavailable` if the keys cannot be read. */
  signDeveloperToken(request: DeveloperTokenRequest): Promise<string>;
  /** As the signer does. Rejects with `StoreUnavailable` if the keys cannot be read. */
  signPlayerToken(request: PlayerTokenRequest): Promise<string>;
  /** Returns a signer that has its key and does not ask the store again. Rejects with `StoreUnavailable`. */
  signer(): Awaitable<TokenSigner>;
  /**
   * Returns the proven claims of a token, or the reason for rejecting it, as a string fit for a header. `acceptExpired` accepts a token
   * that is valid except for its expiry. Throws `StoreUnavailable` if the keys cannot be read.
   */
  verify(token: string, options?: { readonly acceptExpired?: boolean }): Promise<AccessTokenVerification>;
}

/** Verified tokens are remembered by their hash, at about 1 KB each. */
const rememberedMax = 20_000;
const tokenCharactersMax = 8_192;

interface CachedToken {
  readonly keyId: string;
  readonly verified: VerifiedToken;
}

/** Returns the signer and verifier of access tokens. */
export function createAccessTokens(options: AccessTokensOptions): AccessTokens {
  return { ...createSigner(options), ...createVerifier(options) };
}

function createSigner(options: AccessTokensOptions): Omit<AccessTokens, 'verify'> {
  /** Signs with the newest key. Kept, since it changes once a month. */
  let newest: { readonly keyId: string; readonly signer: TokenSigner } | undefined;
  const signerOf = (key: JwtKey) => {
    if (newest?.keyId !== key.keyId) newest = { keyId: key.keyId, signer: signWith(key, options.issuer(), options.now) };
    return newest.signer;
  };
  const signer = () => mapAwaitable(options.signingKeys.current(), signerOf);
  return {
    signer,
    signDeveloperToken: async (request) => (await signer()).signDeveloperToken(request),
    signPlayerToken: async (request) => (await signer()).signPlayerToken(request),
  };
}

function signWith(key: JwtKey, issuer: string, now: () => number): TokenSigner {
  const signClaims = jwtSigner(key, 'at+jwt');

  function sign(clientId: string, subject: string, seconds: number, claims: object): string {
    if (!(Number.isSafeInteger(seconds) && seconds >= 1 && seconds <= accessTokenSecondsMax)) {
      throw new RangeError(`an access token lives 1 to ${accessTokenSecondsMax} whole seconds, not ${seconds}`);
    }
    const iat = Math.floor(now() / 1000);
    const registered = { iss: issuer, aud: issuer, sub: subject, iat, exp: iat + seconds, jti: randomUUID() };
    return signClaims({ ...claims, client_id: clientId, ...registered });
  }

  return {
    signServiceAccountToken: ({ accountId, serviceAccountId, secretId, name, seconds }) =>
      sign(serviceAccountId, serviceAccountId, seconds, {
        svc_role: 'developer',
        svc_account_id: accountId,
        [actsAsClaim]: 'service_account' satisfies Actor,
        [secretIdClaim]: secretId,
        name,
      }),

    signDeveloperToken: ({ accountId, subject, actsAs, amr, sessionId, signedInAt, email, name, seconds }) =>
      sign(developerClientId, subject, seconds, {
        svc_role: 'developer',
        svc_account_id: accountId,
        ...(actsAs !== undefined && { [actsAsClaim]: actsAs }),
        ...(amr !== undefined && { amr: amr.split(' ') }),
        ...(sessionId !== undefined && { sid: sessionId }),
        ...(signedInAt !== undefined && { auth_time: Math.floor(signedInAt / 1000) }),
        ...(email !== undefined && { email }),
        ...(name !== undefined && { name }),
      }),

    signPlayerToken: ({
      accountId,
      slug,
      environment,
      userId,
      isGuest = false,
      epoch,
      signedInAt,
      sessionId,
      email,
      name,
      seconds,
    }) =>
      sign(playerClientId({ accountId, slug }), userId, seconds, {
        svc_role: 'end_user',
        svc_account_id: accountId,
        svc_project_slug: slug,
        svc_environment: environment,
        user_id: userId,
        ...(isGuest && { [guestClaim]: true }),
        ...(sessionId !== undefined && { sid: sessionId }),
        ...(epoch !== undefined && { [epochClaim]: epoch }),
        ...(signedInAt !== undefined && { auth_time: Math.floor(signedInAt / 1000) }),
        ...(email !== undefined && { email }),
        ...(name !== undefined && { name }),
      }),
  };
}

function createVerifier(options: AccessTokensOptions): Pick<AccessTokens, 'verify'> {
  const { signingKeys, now } = options;
  /**
   * A credential is looked up again when its account or project changes, and if there was no room to remember it. Without this memory, each
   * such token would cost a signature check, ten times the look-up. A result is valid as long as its key is.
   */
  const remembered = new LRUCache<string, CachedToken>({ maxSize: rememberedMax, sizeCalculation: () => 1 });

  async function recall(token: string): Promise<AccessTokenVerification> {
    const name = hash('sha256', token, 'base64');
    const known = remembered.get(name);
    if (known !== undefined && (await signingKeys.find(known.keyId)) !== undefined) return known.verified;
    const fresh = await check(options, token);
    if ('reason' in fresh) {
      remembered.delete(name);
      return fresh;
    }
    remembered.set(name, fresh);
    return fresh.verified;
  }

  return {
    async verify(token, { acceptExpired = false } = {}) {
      if (token.length > tokenCharactersMax) return rejected('the token is too long');
      const verified = await recall(token);
      if (verified.kind === 'rejected') return verified;
      if (!acceptExpired && now() >= verified.principal.expiresAtMs) return rejected('the token expired');
      return verified;
    },
  };
}

/** Checks everything but the expiry, which each use checks: hence a date before every expiry. */
async function check(options: AccessTokensOptions, token: string): Promise<CachedToken | RejectedToken> {
  const { signingKeys, issuer, accessTokenSeconds = accessTokenSecondsMax } = options;
  let keyId = '';
  const findKey = async (header: ProtectedHeaderParameters): Promise<CryptoKey> => {
    keyId = keyIdOf(header);
    const key = await signingKeys.find(keyId);
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    return key;
  };
  try {
    const { payload } = await jwtVerify(token, findKey, {
      algorithms: ['ES256'],
      typ: 'at+jwt',
      issuer: issuer(),
      audience: issuer(),
      currentDate: new Date(0),
    });
    const verified = readClaims(payload, accessTokenSeconds);
    return verified === undefined ? foreign : { keyId, verified };
  } catch (fault) {
    if (isOfAnotherAddress(fault)) return rejected('the token was issued for another address of the service');
    if (fault instanceof errors.JOSEError) return foreign;
    throw fault;
  }
}

const rejected = (reason: string): RejectedToken => ({ kind: 'rejected', reason });
const foreign = rejected('the token is malformed, or was not issued by this service');

/** Claims are read only if the signature is ours. If they do not match, the service had another base URL when it signed. */
function isOfAnotherAddress(fault: unknown): boolean {
  const isClaim = fault instanceof errors.JWTClaimValidationFailed && fault.reason === 'check_failed';
  return isClaim && (fault.claim === 'iss' || fault.claim === 'aud');
}

/** This service writes `alg`, `typ` and `kid`. A header with anything else, such as `crit` or `jwk`, is foreign. */
function keyIdOf(header: ProtectedHeaderParameters): string {
  const { kid } = header;
  if (typeof kid !== 'string' || Object.keys(header).length !== 3) throw new errors.JWSInvalid('foreign header');
  return kid;
}
