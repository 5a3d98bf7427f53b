/**
 * Access tokens: JSON Web Tokens, signed and verified by this service alone.
 *
 * @see interface 2.9, RFC 9068, RFC 8725
 */
import { hash, randomUUID } from 'node:crypto';
import { type Environment, environments } from '@holdfast/contract';
import { type CryptoKey, errors, type JWTPayload, jwtVerify, type ProtectedHeaderParameters, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { DeveloperPrincipal, EndUserPrincipal, TokenPrincipal } from '../access/principal.ts';
import { accessTokenSecondsMax, type SigningKeys } from './signing-keys.ts';

/** The client of every developer token. @see interface 5.1 */
export const developerClientId = 'svc-developer';

export interface DeveloperTokenRequest {
  readonly accountId: string;
  /** The developer, as the identity provider knows him; of an operator's token a name for its use. */
  readonly subject: string;
  readonly seconds: number;
}

export interface EndUserTokenRequest {
  readonly accountId: string;
  readonly slug: string;
  readonly environment: Environment;
  readonly userId: string;
  /** Added when the identity provider gave them at sign-in. */
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly seconds: number;
}

export interface VerifiedToken {
  readonly kind: 'verified';
  readonly principal: TokenPrincipal;
  readonly email: string | undefined;
  readonly name: string | undefined;
}

export type TokenVerification = VerifiedToken | { readonly kind: 'rejected'; readonly reason: string };

export interface AccessTokensOptions {
  readonly signingKeys: Pick<SigningKeys, 'current' | 'find'>;
  /** The base URL, which is issuer and audience; asked when needed, since a port may be known only after listening. */
  readonly issuer: () => string;
  readonly now: () => number;
}

export interface AccessTokens {
  /** Returns a signed developer token. */
  signDeveloperToken(request: DeveloperTokenRequest): Promise<string>;
  /** Returns a signed end-user token. */
  signEndUserToken(request: EndUserTokenRequest): Promise<string>;
  /**
   * Returns what a token proves, or why it is rejected in words fit for a header. `acceptExpired` takes a token that is
   * good but for its expiry. Throws `StoreUnavailable` when the keys cannot be read.
   */
  verify(token: string, options?: { readonly acceptExpired?: boolean }): Promise<TokenVerification>;
}

/** Verified tokens are remembered by their hash, at about 1 KB each. */
const rememberedMax = 20_000;
const tokenCharactersMax = 8_192;

interface Remembered {
  readonly keyId: string;
  readonly verified: VerifiedToken;
}

/** Returns the signer and verifier of access tokens. */
export function createAccessTokens({ signingKeys, issuer, now }: AccessTokensOptions): AccessTokens {
  /**
   * Access changes all the time (someone makes a project), and each time every credential is looked up again; without this
   * memory each token would then cost a signature check, a hundred times a look-up. It holds as long as its key does.
   */
  const remembered = new LRUCache<string, Remembered>({ max: rememberedMax });

  async function sign(clientId: string, subject: string, seconds: number, claims: JWTPayload): Promise<string> {
    if (!(Number.isSafeInteger(seconds) && seconds >= 1 && seconds <= accessTokenSecondsMax)) {
      throw new RangeError(`an access token lives 1 to ${accessTokenSecondsMax} whole seconds, not ${seconds}`);
    }
    const { keyId, privateKey } = await signingKeys.current();
    const issuedAt = Math.floor(now() / 1000);
    return new SignJWT({ ...claims, client_id: clientId })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: keyId })
      .setIssuer(issuer())
      .setAudience(issuer())
      .setSubject(subject)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + seconds)
      .setJti(randomUUID())
      .sign(privateKey);
  }

  /** Checks everything but the expiry, which is judged anew at every use. */
  async function check(token: string): Promise<Remembered | undefined> {
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
      const verified = readClaims(payload);
      return verified === undefined ? undefined : { keyId, verified };
    } catch (fault) {
      if (fault instanceof errors.JOSEError) return undefined;
      throw fault;
    }
  }

  async function recall(token: string): Promise<VerifiedToken | undefined> {
    const name = hash('sha256', token, 'base64');
    const known = remembered.get(name);
    if (known !== undefined && (await signingKeys.find(known.keyId)) !== undefined) return known.verified;
    const fresh = await check(token);
    if (fresh === undefined) remembered.delete(name);
    else remembered.set(name, fresh);
    return fresh?.verified;
  }

  return {
    signDeveloperToken: ({ accountId, subject, seconds }) =>
      sign(developerClientId, subject, seconds, { svc_role: 'developer', svc_account_id: accountId }),

    signEndUserToken: ({ accountId, slug, environment, userId, email, name, seconds }) =>
      sign(`${accountId}.${slug}`, userId, seconds, {
        svc_role: 'end_user',
        svc_account_id: accountId,
        svc_project_slug: slug,
        svc_environment: environment,
        user_id: userId,
        ...(email !== undefined && { email }),
        ...(name !== undefined && { name }),
      }),

    async verify(token, { acceptExpired = false } = {}) {
      if (token.length > tokenCharactersMax) return rejected('the token is too long');
      const verified = await recall(token);
      if (verified === undefined) return rejected('the token is malformed, or was not issued by this service');
      if (!acceptExpired && now() >= verified.principal.expiresAtMs) return rejected('the token expired');
      return verified;
    },
  };
}

const rejected = (reason: string): TokenVerification => ({ kind: 'rejected', reason });

/** This service writes `alg`, `typ` and `kid`; a header with anything else, `crit` or `jwk` say, is not its own. */
function keyIdOf(header: ProtectedHeaderParameters): string {
  const { kid } = header;
  if (typeof kid !== 'string' || Object.keys(header).length !== 3) throw new errors.JWSInvalid('foreign header');
  return kid;
}

/** Returns what the claims of a signed token say, or undefined when they are not those of an access token. */
function readClaims(claims: JWTPayload): VerifiedToken | undefined {
  const { sub, jti, exp, svc_role: role, svc_account_id: accountId, email, name } = claims;
  if (!isText(sub) || !isText(jti) || !isText(accountId) || exp === undefined) return undefined;
  const credential = { credentialId: jti, expiresAtMs: exp * 1000, accountId };
  const principal =
    role === 'developer'
      ? developerOf(claims, sub, credential)
      : role === 'end_user'
        ? endUserOf(claims, sub, credential)
        : undefined;
  if (principal === undefined) return undefined;
  return { kind: 'verified', principal, email: isText(email) ? email : undefined, name: isText(name) ? name : undefined };
}

type Credential = Pick<TokenPrincipal, 'credentialId' | 'expiresAtMs' | 'accountId'>;

function developerOf(claims: JWTPayload, subject: string, credential: Credential): DeveloperPrincipal | undefined {
  if (claims.client_id !== developerClientId) return undefined;
  return { kind: 'developer', ...credential, subject };
}

function endUserOf(claims: JWTPayload, subject: string, credential: Credential): EndUserPrincipal | undefined {
  const { svc_project_slug: slug, svc_environment: named, user_id: userId, client_id: clientId } = claims;
  const environment = environments.find((candidate) => candidate === named);
  if (!isText(slug) || environment === undefined || userId !== subject) return undefined;
  if (clientId !== `${credential.accountId}.${slug}`) return undefined;
  return { kind: 'end_user', ...credential, slug, environment, userId: subject };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
