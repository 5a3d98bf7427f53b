/**
 * The part of the storage contract for sign-in: signing keys, client settings, developers, authorization codes and refresh-token families.
 */
import type { Environment } from '@holdfast/contract';
import type { Awaitable } from '../../common/awaitable.ts';
import type { ChangedBy } from './audit-store.ts';
import type { Account, NewAccount, ProjectKey } from './management-store.ts';

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

/** Replaces the RFC 8176 values if an outside issuer or the operator, not the built-in provider, decides what must be proven. */
export const outsideAmr = 'outside';

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
  /** The epoch of the player when the family began (player-store.ts); left out for 0, and for developers. */
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

export interface SignInStore {
  /** All signing keys of a purpose, newest first. */
  listSigningKeys(purpose: SigningPurpose): Awaitable<readonly SigningKeyRecord[]>;
  /**
   * Adds a signing key if the newest one of its purpose is still `expectedNewest` (null: none yet), so of several processes that rotate at
   * the same time, only one adds a key.
   */
  addSigningKey(key: SigningKeyRecord, expectedNewest: string | null): Promise<'added' | 'superseded'>;
  /** Deletes keys of a purpose created before `createdBefore`, but never the newest. */
  deleteSigningKeys(purpose: SigningPurpose, createdBefore: number): Promise<number>;

  /** The sign-in settings of a project as JSON text; null before they are first written, undefined if there is no such project. */
  readPlayerAuth(key: ProjectKey): Awaitable<string | null | undefined>;
  /** An access change, because the settings define the clients. */
  writePlayerAuth(by: ChangedBy, key: ProjectKey, settingsText: string): Promise<'written' | 'no_project'>;
  /** Does the same if the settings are still `expectedText` (null: never written), compared in the same step. */
  changePlayerAuth(
    by: ChangedBy,
    key: ProjectKey,
    expectedText: string | null,
    settingsText: string,
  ): Promise<'written' | 'superseded' | 'no_project'>;

  /** The first account of a developer, identified by issuer and subject. */
  findDeveloper(issuer: string, subject: string): Awaitable<Account | undefined>;
  /**
   * Makes the developer the owner of a new account, unless the developer already has one: parallel first sign-ins create one account.
   * `claims` come from the sign-in.
   */
  createDeveloper(issuer: string, subject: string, account: NewAccount, claims?: SignInClaims): Promise<Account>;
  /** Moves the times at which account members of one issuer were last seen forward, never back. Unknown members are skipped. */
  recordDevelopersSeen(issuer: string, seen: readonly DeveloperSeen[]): Promise<void>;

  /** `codeHash` is the SHA-256 of the code. `no_project` if the account or project of the grant does not exist. */
  addAuthorizationCode(codeHash: Uint8Array, code: AuthorizationCode): Promise<'added' | 'no_project'>;
  /**
   * A code, with the family that it was spent for, if any. Changes nothing. An unspent code is found until it expires. A spent code is
   * found as long as its family lives, so a late use is recognised, but without email and name.
   */
  findAuthorizationCode(
    codeHash: Uint8Array,
    now: number,
  ): Awaitable<{ readonly code: AuthorizationCode; readonly spentForFamilyId: string | null } | undefined>;
  /**
   * Spends a code and adds the family with its first token in one step: of parallel uses, exactly one gets `redeemed`. `replayed` if the
   * code was spent before, even if it has expired since; its family is revoked in the same step. `unknown` if the code expired unspent, or
   * its account or project no longer exists. The family gets the grant of the code. `ended`, with nothing changed, if the player's epoch is
   * no longer the family's, or the player is blocked.
   */
  redeemAuthorizationCode(
    codeHash: Uint8Array,
    family: RefreshFamily,
    secretHash: Uint8Array,
    now: number,
  ): Promise<'redeemed' | 'replayed' | 'unknown' | 'ended'>;

  /** The live family of a token, current or not; undefined if unknown, expired or revoked. Changes nothing. */
  findRefreshFamily(familyId: string, now: number): Awaitable<RefreshFamily | undefined>;
  /**
   * Whether a family belongs to a suspended account: until the suspension ends, the family cannot be found or used, and no code can be
   * redeemed.
   */
  isSuspendedFamily(familyId: string): Awaitable<boolean>;
  /**
   * Replaces the family's current token with the next one in one step: of parallel uses, exactly one gets `consumed`. Using a token that is
   * not current revokes the family, unless it is the previous token and was replaced at most `graceMilliseconds` ago, or its exchange had
   * the same mark. Expired and revoked families are unknown. `idleExpiresAt` is never later than the end of the family.
   */
  consumeRefreshToken(
    token: RefreshTokenKey,
    next: NextRefreshToken,
    now: number,
    graceMilliseconds: number,
    terms?: RefreshTerms,
  ): Promise<RefreshOutcome>;
  /** Ends a family with its access tokens. Returns whether it was alive. A parallel refresh leaves no usable token. */
  revokeRefreshFamily(familyId: string, now: number): Promise<boolean>;
  /** Deletes unusable codes and families, a bounded number at a time. Returns the number deleted. */
  sweepExpiredSignIns(now: number): Promise<number>;
}
