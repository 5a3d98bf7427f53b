/** Records of sign-in: ended tokens, signing keys, client settings, developers, authorization codes and refresh-token families. */
import type { Environment } from '@holdfast/contract';

/** Identifies a session whose access tokens have ended, or a single ended access token. */
export interface RevokedTokenKey {
  readonly accountId: string;
  /** The id of the session (common/ids/session-id.ts), or of the token. */
  readonly tokenId: string;
}

export interface RevokedToken extends RevokedTokenKey {
  readonly endedAt: number;
  /** When the token expires; null for a session, which ends all tokens issued until `endedAt`. */
  readonly expiresAt: number | null;
}

/** The purposes of signing keys. Keys of different purposes are independent. */
export const signingPurposes = ['access_token', 'id_token'] as const;
export type SigningPurpose = (typeof signingPurposes)[number];

/** A key pair that signs tokens. The caller encrypts the private half before it passes it to the store. */
export interface SigningKeyRecord {
  readonly purpose: SigningPurpose;
  readonly keyId: string;
  /** Public JWK as JSON text. */
  readonly publicJwk: string;
  /** Private JWK, encrypted; opaque to the store. */
  readonly sealedPrivateJwk: Uint8Array;
  readonly createdAt: number;
}

/** The grant of a code or family. `slug` and `environment` are null for developers. */
export interface Grant {
  readonly accountId: string;
  readonly slug: string | null;
  readonly environment: Environment | null;
  readonly clientId: string;
  /** Subject at the identity provider. */
  readonly subject: string;
  readonly scope: string;
  /** The authentication methods of the sign-in, as RFC 8176 values separated by spaces; omitted if unknown. */
  readonly amr?: string | undefined;
}

/** Claims of the sign-in, for the first access token only. */
export interface SignInClaims {
  readonly email: string | null;
  readonly name: string | null;
}

export interface AuthorizationCode extends Grant, SignInClaims {
  readonly redirectUri: string;
  /** The S256 code challenge. */
  readonly codeChallenge: string;
  readonly expiresAt: number;
}

export interface RefreshFamily extends Grant {
  readonly familyId: string;
  readonly createdAt: number;
  /** When the current token expires if unused, and when the family expires in any case. */
  readonly idleExpiresAt: number;
  readonly absoluteExpiresAt: number;
  /** Where it was last used, in words; left out if unknown. */
  readonly sessionLabel?: string | undefined;
  /** The epoch of the player when the family began (players.ts); left out for 0, and for developers. */
  readonly epoch?: number | undefined;
}

/** A presented refresh token: its family, and the SHA-256 of its secret. */
export interface RefreshTokenKey {
  readonly familyId: string;
  readonly secretHash: Uint8Array;
}

/** The token that replaces the presented one. */
export interface NextRefreshToken {
  readonly secretHash: Uint8Array;
  readonly idleExpiresAt: number;
  /**
   * The family counts as unknown if its current token was issued at this time or earlier; no limit if omitted. A lifetime that was
   * shortened since then thus also applies to older families.
   */
  readonly issuedAfter?: number | undefined;
  /** Where the token is used; the family remembers the latest value. */
  readonly sessionLabel?: string | undefined;
  /** Set if the exchange may be repeated. `secretHash` is then the same for each repeat. */
  readonly repeat?: RepeatableExchange | undefined;
}

/** An exchange that the client may repeat if it did not receive the response. */
export interface RepeatableExchange {
  /** Stands for the presented secret and the client's key together: `exchangeMarkBytes` of a hash of both. */
  readonly mark: Uint8Array;
  /** An exchange before this time cannot be repeated. */
  readonly notBefore: number;
}

export const exchangeMarkBytes = 8;
/** The number of recent exchanges with a key that a family remembers. A repeat of an older exchange looks like a replay. */
export const exchangeMarksMax = 16;

/** The required grant of the family. Undefined members are not checked. */
export type RefreshTerms = {
  readonly [Name in keyof Grant]?: NonNullable<Grant[Name]> | undefined;
};

/** Whether a family meets the terms. */
export function meetsTerms(family: RefreshFamily, terms: RefreshTerms): boolean {
  const names = ['accountId', 'slug', 'environment', 'clientId', 'subject', 'scope'] as const satisfies (keyof Grant)[];
  return names.every((name) => terms[name] === undefined || terms[name] === family[name]);
}

export type RefreshOutcome =
  | { readonly kind: 'consumed'; readonly family: RefreshFamily }
  /** A repeat of the exchange that returned the current token. Nothing has changed. */
  | { readonly kind: 'repeated'; readonly family: RefreshFamily }
  /** The family does not meet the terms. Nothing has changed, regardless of the presented token. */
  | { readonly kind: 'mismatched'; readonly family: RefreshFamily }
  /**
   * The presented token is not the family's current token. The family was revoked in the same step, except within the grace period or after
   * a repeat.
   */
  | { readonly kind: 'replayed' }
  | { readonly kind: 'unknown' };

/** When a developer signed in or refreshed tokens. */
export interface DeveloperSeen {
  readonly accountId: string;
  readonly subject: string;
  readonly seenAt: number;
}
