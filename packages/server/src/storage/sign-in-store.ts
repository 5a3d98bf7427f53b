/**
 * The part of the storage contract that sign-in needs: signing keys, settings of clients, developers, authorization codes and
 * refresh-token families.
 */
import type { Environment } from '@holdfast/contract';
import type { Awaitable } from './awaitable.ts';
import type { Account, ProjectKey } from './management-store.ts';

/** What a signing key signs. Keys of one purpose know nothing of those of another. */
export type SigningPurpose = 'access_token' | 'id_token';

/** A key pair that signs tokens. The private half is encrypted by the caller before it comes here. */
export interface SigningKeyRecord {
  readonly purpose: SigningPurpose;
  readonly keyId: string;
  /** Public JWK as JSON text. */
  readonly publicJwk: string;
  /** Private JWK, encrypted; opaque to the store. */
  readonly sealedPrivateJwk: Uint8Array;
  readonly createdAt: number;
}

/** Whom a code or family speaks for. `slug` and `environment` are null for developers. */
export interface Grant {
  readonly accountId: string;
  readonly slug: string | null;
  readonly environment: Environment | null;
  readonly clientId: string;
  /** Subject at the identity provider. */
  readonly subject: string;
  readonly scope: string;
}

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
  /** When the current token expires unless it is used, and when the family ends whatever happens. */
  readonly idleExpiresAt: number;
  readonly absoluteExpiresAt: number;
}

/** A refresh token as presented: which family, and the SHA-256 of its secret. */
export interface RefreshTokenKey {
  readonly familyId: string;
  readonly secretHash: Uint8Array;
}

/** What the family must speak for; what is undefined may be anything. */
export type RefreshTerms = {
  readonly [Name in keyof Grant]?: NonNullable<Grant[Name]> | undefined;
};

/** Whether a family speaks for what the terms say. */
export function meetsTerms(family: RefreshFamily, terms: RefreshTerms): boolean {
  const names = ['accountId', 'slug', 'environment', 'clientId', 'subject', 'scope'] as const satisfies (keyof Grant)[];
  return names.every((name) => terms[name] === undefined || terms[name] === family[name]);
}

export type RefreshOutcome =
  | { readonly kind: 'consumed'; readonly family: RefreshFamily }
  /** The family speaks for something else than the terms say. Nothing has changed, whichever token it was. */
  | { readonly kind: 'mismatched'; readonly family: RefreshFamily }
  /** Another token of the family is the current one. The family has been revoked in the same step, unless within grace. */
  | { readonly kind: 'replayed' }
  | { readonly kind: 'unknown' };

export interface SignInStore {
  /** All signing keys of a purpose, newest first. */
  listSigningKeys(purpose: SigningPurpose): Awaitable<readonly SigningKeyRecord[]>;
  /**
   * Adds a signing key if the newest one of its purpose is still `expectedNewest` (null: none yet), so that of several
   * processes that rotate at once only one adds.
   */
  addSigningKey(key: SigningKeyRecord, expectedNewest: string | null): Promise<'added' | 'superseded'>;
  /** Deletes keys of a purpose created before `createdBefore`, but never the newest. */
  deleteSigningKeys(purpose: SigningPurpose, createdBefore: number): Promise<number>;

  /** The end-user sign-in settings of a project as JSON text, null before they were first written; undefined: no project. */
  readEndUserAuth(key: ProjectKey): Awaitable<string | null | undefined>;
  /** An access change: `onAccessChange` tells of it, since settings say which clients there are. */
  writeEndUserAuth(key: ProjectKey, settingsText: string): Promise<'written' | 'no_project'>;

  /** The account of a developer, known by issuer and subject. */
  findDeveloper(issuer: string, subject: string): Awaitable<Account | undefined>;
  /** Links the developer to a new account, unless it has one already: of parallel first sign-ins one account results. */
  createDeveloper(issuer: string, subject: string, account: Account): Promise<Account>;

  /** `codeHash` is the SHA-256 of the code. `no_project` when the account or project of the grant is gone. */
  addAuthorizationCode(codeHash: Uint8Array, code: AuthorizationCode): Promise<'added' | 'no_project'>;
  /**
   * A code with the family that it was spent for, if it was. Spends nothing. An unspent code is found until it expires; a
   * spent one as long as its family lives, so that whoever presents it late is recognised too, but without email and name.
   */
  findAuthorizationCode(
    codeHash: Uint8Array,
    now: number,
  ): Awaitable<{ readonly code: AuthorizationCode; readonly spentForFamilyId: string | null } | undefined>;
  /**
   * Spends a code and adds the family that it pays for with its first token, in one step: of any number of parallel uses
   * exactly one gets `redeemed`. `replayed` when it was spent before; the family that it paid for has then been revoked in
   * the same step, also when the code has expired since. `unknown` when it expired unspent, or account or project are gone.
   * The family speaks for whom the code spoke.
   */
  redeemAuthorizationCode(
    codeHash: Uint8Array,
    family: RefreshFamily,
    secretHash: Uint8Array,
    now: number,
  ): Promise<'redeemed' | 'replayed' | 'unknown'>;

  /** The live family of a token, current or not, without spending anything: undefined when unknown, expired or revoked. */
  findRefreshFamily(familyId: string, now: number): Awaitable<RefreshFamily | undefined>;
  /**
   * Replaces the current token of the family by the next one in one step: of any number of parallel uses exactly one gets
   * `consumed`. A use of a token that is not current revokes the family, unless it is the one before the current and was
   * replaced at most `graceMilliseconds` ago. Expired and revoked families are unknown. `idleExpiresAt` never comes to lie
   * behind the end of the family.
   */
  consumeRefreshToken(
    token: RefreshTokenKey,
    next: { readonly secretHash: Uint8Array; readonly idleExpiresAt: number },
    now: number,
    graceMilliseconds: number,
    terms?: RefreshTerms,
  ): Promise<RefreshOutcome>;
  /** Ends a family; an unknown one is passed over. A refresh that races this leaves no token that can be used. */
  revokeRefreshFamily(familyId: string): Promise<void>;
  /** Deletes codes and families that can no longer be used, a bounded number at a time; returns how many went. */
  sweepExpiredSignIns(now: number): Promise<number>;
}
