/**
 * ID tokens of an OpenID Connect issuer: proof of a person's sign-in at an identity provider.
 *
 * @see OpenID Connect Core 1.0 §3.1.3.7, RFC 8725
 */

import { nameCharactersMax } from '@holdfast/contract';
import type { JWTPayload, JWTVerifyResult } from 'jose';
import * as errors from 'jose/errors';
import { jwtVerify } from 'jose/jwt/verify';
import type { IdTokenVerification } from '../common/secrets/id-token-verification.ts';
import { readIssuedEmail } from '../common/text/email-address.ts';
import type { Fetch } from '../outbound/fetch.ts';
import { StoreError } from '../storage/store.ts';
import {
  createProviderKeys,
  type FindKey,
  fetchProviderKeys,
  isTrustedAddress,
  ProviderUnavailable,
} from './provider-keys.ts';

/**
 * Signatures with a published key only: never `none`, and no HMAC, whose only possible key would be a public one. Providers of accounts may use
 * more (upstream-client.ts).
 */
const algorithms = ['RS256', 'ES256', 'EdDSA', 'PS256', 'ES384', 'RS384', 'RS512'];
const leewaySeconds = 60;
const tokenCharactersMax = 32_768;
const emailCharactersMax = 320;

export interface IdTokenVerifierOptions {
  /** `https:`, or `http:` on loopback; compared exactly with tokens and metadata. */
  readonly issuer: string;
  /** The client id of this service at the issuer. */
  readonly audience: string;
  /** The claim that holds the tenant, or a dotted path into nested claims. */
  readonly tenantClaim?: string;
  /** The claim with the name of the sign-in provider, in the same notation. */
  readonly providerClaim?: string;
  /** Whether an email address counts as verified if the issuer does not say. Default: no. */
  readonly isEmailAssumedVerified?: boolean;
  readonly now: () => number;
  /** Finds the keys of our own issuer. If left out, keys are found by discovery. */
  readonly findKey?: FindKey;
  readonly fetch?: Fetch;
  /** Called with the reason if the issuer's keys are not available. */
  readonly onUnavailable?: (cause: unknown) => void;
}

export interface IdTokenVerifier {
  readonly issuer: string;
  /** Returns the proven claims, or the reason for rejecting the token. Throws like `findKey` if the store cannot serve. */
  verify(idToken: string): Promise<IdTokenVerification>;
}

/**
 * Returns a verifier for one issuer. Throws `TypeError` if keys are to be found by discovery and the issuer's address cannot be trusted.
 */
export function createIdTokenVerifier(options: IdTokenVerifierOptions): IdTokenVerifier {
  const { issuer, audience, now, fetch = globalThis.fetch, onUnavailable } = options;
  const { tenantClaim = 'firebase.tenant', providerClaim = 'firebase.sign_in_provider' } = options;
  const findKey = options.findKey ?? discoveredKeys(issuer, now, fetch);
  const checks = { algorithms, issuer, audience, clockTolerance: leewaySeconds, requiredClaims: ['iat', 'exp', 'sub'] };

  async function check(idToken: string): Promise<IdTokenVerification> {
    const currentDate = new Date(now());
    const { payload, protectedHeader } = await jwtVerify(idToken, findKey, { ...checks, currentDate });
    const fault = typeFault(payload, protectedHeader) ?? claimsFault(payload, audience, now());
    if (fault !== undefined) return rejected(fault);
    const tenant = claimAt(payload, tenantClaim);
    const provider = claimAt(payload, providerClaim);
    if (!isTextOrNull(tenant)) return rejected('the tenant in the ID token is not a string');
    if (!isTextOrNull(provider)) return rejected('the provider in the ID token is not a string');
    return {
      kind: 'verified',
      subject: payload.sub as string,
      tenant,
      provider,
      email: emailOf(payload, options),
      name: nameOf(payload),
    };
  }

  return {
    issuer,
    async verify(idToken) {
      if (idToken.length > tokenCharactersMax) return rejected('the ID token is too long');
      try {
        return await check(idToken);
      } catch (fault) {
        if (fault instanceof StoreError) throw fault;
        if (fault instanceof ProviderUnavailable) {
          onUnavailable?.(fault.cause);
          return rejected('the identity provider is unavailable');
        }
        return rejected(reasonOf(fault));
      }
    },
  };
}

function discoveredKeys(issuer: string, now: () => number, fetch: Fetch): FindKey {
  if (!isTrustedAddress(issuer) || /[?#]/.test(issuer)) {
    throw new TypeError(
      `the issuer ${JSON.stringify(issuer)} must be https, or http on loopback, without query or fragment`,
    );
  }
  return createProviderKeys({ issuer, now, fetchKeys: () => fetchProviderKeys(issuer, fetch) });
}

const rejected = (reason: string): IdTokenVerification => ({ kind: 'rejected', reason });

/** Errors of `jose`, and issuer keys that cannot be imported. */
function reasonOf(fault: unknown): string {
  if (fault instanceof errors.JWTExpired) return 'the ID token expired';
  if (fault instanceof errors.JOSEAlgNotAllowed) return 'the algorithm of the ID token is not accepted';
  if (fault instanceof errors.JWKSNoMatchingKey)
    return 'the ID token is signed with a key that its issuer does not publish';
  if (fault instanceof errors.JWSSignatureVerificationFailed) return 'the signature of the ID token is wrong';
  if (fault instanceof errors.JWTClaimValidationFailed)
    return claimReasons[fault.claim] ?? 'a claim of the ID token is malformed';
  return 'the ID token is malformed';
}

const claimReasons: Readonly<Record<string, string>> = {
  iss: 'the ID token is of another issuer',
  aud: 'the ID token is for another client',
  nbf: 'the ID token is not valid yet',
};

/**
 * Other tokens of the same issuer must not pass for ID tokens: those whose header says so, such as `at+jwt` and `logout+jwt`, and
 * Keycloak's access tokens, which say so in a claim.
 *
 * @see RFC 8725 §3.11
 */
function typeFault(claims: JWTPayload, header: JWTVerifyResult['protectedHeader']): string | undefined {
  const isJwt = header.typ === undefined || /^(?:application\/)?jwt$/i.test(header.typ);
  return isJwt && claims.typ !== 'Bearer' ? undefined : 'the token is not an ID token';
}

function claimsFault(claims: JWTPayload, audience: string, nowMs: number): string | undefined {
  const { sub, iat = 0, aud, azp } = claims;
  if (typeof sub !== 'string' || sub === '') return 'the ID token has no subject';
  if (iat * 1000 > nowMs + leewaySeconds * 1000) return 'the ID token was issued in the future';
  if (Array.isArray(aud) && aud.length > 1 && azp !== audience) return claimReasons.aud;
  return undefined;
}

/**
 * Returns the claim with exactly this name, which may contain dots (`https://example.com/tenant`), or else the value at the dotted path;
 * null if neither exists.
 */
function claimAt(claims: JWTPayload, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path] ?? null;
  let value: unknown = claims;
  for (const member of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return null;
    value = (value as Readonly<Record<string, unknown>>)[member];
  }
  return value ?? null;
}

const isTextOrNull = (value: unknown): value is string | null =>
  value === null || (typeof value === 'string' && value !== '');

/**
 * Returns the email address if the issuer says that it was verified. Applications may rely on it, so an address that a user only typed does
 * not count. Company directories without such a claim assign addresses themselves: `isEmailAssumedVerified` is for them. An address that
 * could be mistaken for another counts only if our own issuer names it, for a user of an older release.
 */
function emailOf({ email, email_verified: stated }: JWTPayload, options: IdTokenVerifierOptions): string | null {
  const verified = stated ?? options.isEmailAssumedVerified ?? false;
  if (verified !== true && verified !== 'true') return null;
  if (!isShortText(email, emailCharactersMax)) return null;
  return options.findKey === undefined ? readIssuedEmail(email) : email;
}

function nameOf({ name }: JWTPayload): string | null {
  return isShortText(name, nameCharactersMax) ? name : null;
}

function isShortText(value: unknown, charactersMax: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= charactersMax && value.isWellFormed();
}
