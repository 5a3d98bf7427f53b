/**
 * The part of the storage contract that sign-in needs: signing keys, settings of clients, developers, authorization codes and
 * refresh-token families.
 */
import type { Environment } from '@holdfast/contract';
import type { Awaitable } from '../common/awaitable.ts';
import type { ChangedBy } from './audit-store.ts';
import type { Account, NewAccount, ProjectKey } from './management-store.ts';

/** What a signing key signs. Keys of different purposes have nothing to do with each other. */
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

/** What a code or family was granted for. `slug` and `environment` are null for developers. */
export interface Grant {
  readonly accountId: string;
  readonly slug: string | null;
  readonly environment: Environment | null;
  readonly clientId: string;
  /** Subject at the identity provider. */
  readonly subject: string;
  readonly scope: string;
  /** How somebody signed in, as words of RFC 8176 with blanks between them; left out when that is not known. */
  readonly amr?: string | undefined;
}

/** Stands in place of words of RFC 8176 where not the built-in provider decides what has to be proven: an outside issuer, or the operator. */
export const outsideAmr = 'outside';

/** Whether a sign-in had a second factor, or not the built-in provider decided what it needs. */
export const isStrong = (amr: string | undefined): boolean =>
  amr !== undefined && (amr === outsideAmr || amr.split(' ').includes('mfa'));

/** SQL: the same for a column, null where that is. `mfa` is part of no other word that is used. */
export const isStrongSql = (amr: string): string => `(${amr} LIKE '%mfa%' OR ${amr} = '${outsideAmr}')`;

/** Claims of the sign-in that go into the first access token only. */
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
  /** When the current token expires unless it is used, and when the family ends in any case. */
  readonly idleExpiresAt: number;
  readonly absoluteExpiresAt: number;
  /** From where it was last used, in words; left out when that is not known. */
  readonly sessionLabel?: string | undefined;
  /** The epoch of the player when the family began (player-store.ts); left out for 0, and for developers. */
  readonly epoch?: number | undefined;
}

/** A refresh token as it was presented: its family, and the SHA-256 of its secret. */
export interface RefreshTokenKey {
  readonly familyId: string;
  readonly secretHash: Uint8Array;
}

/** The token that is to take the place of the one that was presented. */
export interface NextRefreshToken {
  readonly secretHash: Uint8Array;
  readonly idleExpiresAt: number;
  /**
   * The family is unknown if its current token was issued at this time or before; left out: whenever that was. A length that was shortened
   * since holds for families that began before.
   */
  readonly issuedAfter?: number | undefined;
  /** From where the token is used; the family remembers the last one. */
  readonly sessionLabel?: string | undefined;
  /** Given when the exchange may be repeated. `secretHash` is then the same for each repeat. */
  readonly repeat?: RepeatableExchange | undefined;
}

/** An exchange that the client may repeat, because it may not have got the answer. */
export interface RepeatableExchange {
  /** Stands for the presented secret and the key of the client together: `exchangeMarkBytes` of a hash of both. */
  readonly mark: Uint8Array;
  /** An exchange before this time is repeated in vain. */
  readonly notBefore: number;
}

export const exchangeMarkBytes = 8;
/** A family remembers its latest exchanges with a key. A repeat of an older one looks like a replay. */
export const exchangeMarksMax = 16;

/** What the family must have been granted for. What is undefined is not checked. */
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
  /** A repeat of the exchange that gave the current token. Nothing has changed. */
  | { readonly kind: 'repeated'; readonly family: RefreshFamily }
  /** The family does not meet the terms. Nothing has changed, whichever token it was. */
  | { readonly kind: 'mismatched'; readonly family: RefreshFamily }
  /** Another token of the family is the current one. The family was revoked in the same step, except within grace or after a repeat. */
  | { readonly kind: 'replayed' }
  | { readonly kind: 'unknown' };

/** When somebody signed in, or refreshed tokens. */
export interface DeveloperSeen {
  readonly accountId: string;
  readonly subject: string;
  readonly seenAt: number;
}

export interface SignInStore {
  /** All signing keys of a purpose, newest first. */
  listSigningKeys(purpose: SigningPurpose): Awaitable<readonly SigningKeyRecord[]>;
  /**
   * Adds a signing key if the newest one of its purpose is still `expectedNewest` (null: none yet), so when several
   * processes rotate at once only one of them adds a key.
   */
  addSigningKey(key: SigningKeyRecord, expectedNewest: string | null): Promise<'added' | 'superseded'>;
  /** Deletes keys of a purpose created before `createdBefore`, but never the newest. */
  deleteSigningKeys(purpose: SigningPurpose, createdBefore: number): Promise<number>;

  /**
   * The sign-in settings of a project as JSON text; null before they were first written, undefined when there is no
   * such project.
   */
  readPlayerAuth(key: ProjectKey): Awaitable<string | null | undefined>;
  /** An access change, because the settings say which clients there are. */
  writePlayerAuth(by: ChangedBy, key: ProjectKey, settingsText: string): Promise<'written' | 'no_project'>;
  /** The same, if the settings are still `expectedText` (null: none written yet), compared in the same step. */
  changePlayerAuth(
    by: ChangedBy,
    key: ProjectKey,
    expectedText: string | null,
    settingsText: string,
  ): Promise<'written' | 'superseded' | 'no_project'>;

  /** The first account of a developer, who is identified by issuer and subject. */
  findDeveloper(issuer: string, subject: string): Awaitable<Account | undefined>;
  /**
   * Makes the developer the owner of a new account, unless the developer has one already: parallel first sign-ins create one account.
   * `claims` are those of the sign-in.
   */
  createDeveloper(issuer: string, subject: string, account: NewAccount, claims?: SignInClaims): Promise<Account>;
  /** Moves the times at which members of accounts, of one issuer, were last seen forward, never back. Unknown ones are skipped. */
  recordDevelopersSeen(issuer: string, seen: readonly DeveloperSeen[]): Promise<void>;

  /** `codeHash` is the SHA-256 of the code. `no_project` when the account or project of the grant is gone. */
  addAuthorizationCode(codeHash: Uint8Array, code: AuthorizationCode): Promise<'added' | 'no_project'>;
  /**
   * A code, with the family that it was spent for, if any. Spends nothing. An unspent code is found until it expires. A
   * spent code is found as long as its family lives, so a late use is recognised too, but without email and name.
   */
  findAuthorizationCode(
    codeHash: Uint8Array,
    now: number,
  ): Awaitable<{ readonly code: AuthorizationCode; readonly spentForFamilyId: string | null } | undefined>;
  /**
   * Spends a code and adds the family with its first token in one step: of any number of parallel uses exactly one gets
   * `redeemed`. `replayed` when the code was spent before, even if it has expired since; its family is revoked in the same
   * step. `unknown` when the code expired unspent, or its account or project no longer exists. The family gets the grant of
   * the code. `ended`, and nothing has changed: the epoch of the family is not that of the player any more, or the player is blocked.
   */
  redeemAuthorizationCode(
    codeHash: Uint8Array,
    family: RefreshFamily,
    secretHash: Uint8Array,
    now: number,
  ): Promise<'redeemed' | 'replayed' | 'unknown' | 'ended'>;

  /** The live family of a token, current or not; undefined when unknown, expired or revoked. Spends nothing. */
  findRefreshFamily(familyId: string, now: number): Awaitable<RefreshFamily | undefined>;
  /** Whether a family is of an account that is suspended: nobody finds or uses it, or redeems a code, until that ends. */
  isSuspendedFamily(familyId: string): Awaitable<boolean>;
  /**
   * Replaces the current token of the family by the next one in one step: of any number of parallel uses exactly one gets
   * `consumed`. Using a token that is not current revokes the family, unless it is the one before the current and was
   * replaced at most `graceMilliseconds` ago, or its exchange had the same mark. Expired and revoked families are unknown.
   * `idleExpiresAt` never lies after the end of the family.
   */
  consumeRefreshToken(
    token: RefreshTokenKey,
    next: NextRefreshToken,
    now: number,
    graceMilliseconds: number,
    terms?: RefreshTerms,
  ): Promise<RefreshOutcome>;
  /** Ends a family with its access tokens. Returns whether it was alive. A refresh at the same time leaves no usable token. */
  revokeRefreshFamily(familyId: string, now: number): Promise<boolean>;
  /** Deletes codes and families that can no longer be used, a bounded number at a time. Returns how many were deleted. */
  sweepExpiredSignIns(now: number): Promise<number>;
}
