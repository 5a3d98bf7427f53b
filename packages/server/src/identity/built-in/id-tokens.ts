/**
 * ID tokens of the built-in identity provider. They are signed with their own keys, and the callback verifies them like those of any other
 * issuer.
 *
 * @see docs/contract.md §7.11, OpenID Connect Core 1.0 §2, OpenID Connect Discovery 1.0 §3
 */
import type { JwksBody } from '@holdfast/contract';
import type { CryptoKey, JWSHeaderParameters } from 'jose';
import * as errors from 'jose/errors';
import { decodeJwt } from 'jose/jwt/decode';
import type { Static } from 'typebox';
import { isStrong } from '../../access/rules/account-status.ts';
import type { Awaitable } from '../../common/async/awaitable.ts';
import { type JwtKey, jwtSigner } from '../../common/secrets/jwt.ts';
import type { Store } from '../../storage/store.ts';
import type { IdTokenVerifier } from '../id-token.ts';
import { type Directory, directoryKey, type Person, type Proof } from './directory.ts';

/** Long enough for a form that submits itself. */
const tokenSeconds = 5 * 60;

/** The user's key, and the start of validity in milliseconds. Both are for this service only. */
const accountClaim = 'svc_account_id';
const signedInClaim = 'svc_signed_in_at';

/** Ending all sessions before some time ends a sign-in whose first proof is older. */
interface SignIn extends Proof {
  readonly directory: Directory;
  readonly person: Person;
  /** How the user signed in: `password`, or the id of a federated provider. */
  readonly provider: string;
}

export interface IdTokenIssuer {
  /** Returns a signed ID token, valid for five minutes. */
  issue(signIn: SignIn): Promise<string>;
  /** Returns the keys that verify ID tokens, newest first. */
  jwks(): Promise<Static<typeof JwksBody>>;
  /** Returns the discovery document. */
  metadata(): BuiltInMetadata;
}

interface BuiltInMetadata {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly jwks_uri: string;
  readonly response_types_supported: readonly string[];
  readonly subject_types_supported: readonly string[];
  readonly id_token_signing_alg_values_supported: readonly string[];
  readonly claims_supported: readonly string[];
}

/** The signing keys of ID tokens, as used here. */
export interface IdTokenKeys {
  current(): Awaitable<JwtKey>;
  find(keyId: string): Promise<CryptoKey | undefined>;
  jwks(): Promise<Static<typeof JwksBody>>;
}

export interface IdTokenIssuerOptions {
  readonly keys: IdTokenKeys;
  readonly baseUrl: () => string;
  /** The address of the login page, without `/authorize`. */
  readonly authFrontUrl: () => string;
  readonly now: () => number;
}

/** Returns the issuer named in its tokens. */
export function builtInIssuer(baseUrl: string): string {
  return `${baseUrl}/identity`;
}

/** Returns the issuer of the built-in identity provider. */
export function createIdTokenIssuer({ keys, baseUrl, authFrontUrl, now }: IdTokenIssuerOptions): IdTokenIssuer {
  return {
    async issue({ directory, person, provider, amr, provenAt }) {
      const sign = jwtSigner(await keys.current(), 'JWT');
      const iat = Math.floor(now() / 1000);
      const tenant = directory.kind === 'account' ? { tenant: directory.tenantId } : {};
      return sign({
        ...(person.email !== null && { email: person.email, email_verified: person.emailVerified }),
        ...(person.name !== null && { name: person.name }),
        firebase: { ...tenant, sign_in_provider: provider },
        auth_time: Math.floor(provenAt / 1000),
        ...(amr.length > 0 && { amr }),
        [accountClaim]: directoryKey(directory),
        [signedInClaim]: provenAt,
        iss: builtInIssuer(baseUrl()),
        aud: baseUrl(),
        sub: person.userId,
        iat,
        exp: iat + tokenSeconds,
      });
    },

    jwks: () => keys.jwks(),

    metadata() {
      const issuer = builtInIssuer(baseUrl());
      return {
        issuer,
        authorization_endpoint: `${authFrontUrl()}/authorize`,
        jwks_uri: `${issuer}/jwks.json`,
        response_types_supported: ['id_token'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['ES256'],
        claims_supported: [
          'sub',
          'iss',
          'aud',
          'iat',
          'exp',
          'auth_time',
          'amr',
          'email',
          'email_verified',
          'name',
          'firebase',
        ],
      };
    },
  };
}

/**
 * Returns a verifier that also checks the user: the user exists, has not ended all sessions since the sign-in (by a reset or otherwise),
 * and has used the second factor if there is one. Otherwise an attacker with the old password could keep a token for use after the reset.
 */
export function heldToUsers(
  verifier: IdTokenVerifier,
  store: Pick<Store, 'findUser' | 'findSecondFactor'>,
): IdTokenVerifier {
  return {
    issuer: verifier.issuer,
    async verify(idToken) {
      const verification = await verifier.verify(idToken);
      if (verification.kind === 'rejected') return verification;
      const claims = decodeJwt<Record<string, unknown>>(idToken);
      const accountId = typeof claims[accountClaim] === 'string' ? claims[accountClaim] : null;
      const user = await store.findUser(accountId, verification.subject);
      if (user === undefined) return { kind: 'rejected', reason: 'the user of the ID token is gone' };
      const isGood = user.resetAt === null || Number(claims[signedInClaim]) > user.resetAt;
      if (!isGood) return { kind: 'rejected', reason: 'the password was reset after this sign-in' };
      const amr = Array.isArray(claims.amr) ? claims.amr.join(' ') : undefined;
      const factor = isStrong(amr) ? undefined : await store.findSecondFactor(accountId, user.userId);
      if (factor !== undefined) return { kind: 'rejected', reason: 'a second factor was set up after this sign-in' };
      return amr === undefined ? verification : { ...verification, amr };
    },
  };
}

/** Returns a function that finds the key of a token's header among `keys`, or throws an error of `jose`. */
export function findKeyAmong(keys: Pick<IdTokenKeys, 'find'>): (header: JWSHeaderParameters) => Promise<CryptoKey> {
  return async ({ kid }) => {
    const key = kid === undefined ? undefined : await keys.find(kid);
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    return key;
  };
}
