/** The part of the storage contract for the page *Your sign-in*: sessions, and what people change about their own identity. */
import type { Environment } from '@holdfast/contract';
import type { Awaitable } from '../../common/awaitable.ts';
import type { ChangedBy } from './audit-store.ts';
import type { ConfirmSignUpOutcome } from './identity-store.ts';

/** A list contains only the newest sessions. */
export const sessionsMax = 100;

/** A live refresh-token family, as its owner sees it. */
export interface Session {
  readonly familyId: string;
  readonly accountId: string;
  /** Null for a developer's session. */
  readonly projectName: string | null;
  readonly environment: Environment | null;
  readonly createdAt: number;
  /** When one of its tokens was last exchanged. */
  readonly usedAt: number;
  readonly label: string | null;
  readonly amr: string | null;
}

/** A link to an identity provider, as its owner sees it. */
export interface ProviderLink {
  readonly providerId: string;
  readonly issuer: string;
  readonly subject: string;
}

export type AddedLink = 'added' | 'known' | 'taken' | 'too_many' | 'no_user';

/** `last_method`, with nothing changed, if the user could not sign in afterwards. */
export type RemovedMethod = 'removed' | 'absent' | 'last_method';

export interface SessionStore {
  /** The sessions of a user of a directory, most recently used first. */
  listSessions(accountId: string | null, userId: string, now: number): Awaitable<readonly Session[]>;
  /**
   * Ends all sign-ins of a user, in every project of the account: proofs of identity from before `now` no longer count (`resetAt`), and
   * pending mailed links are deleted.
   */
  endSessions(accountId: string | null, userId: string, now: number): Promise<'ended' | 'no_user'>;
  /** Sets the password of a user with a proven address, and does what `endSessions` does. Passkeys stay. */
  changePassword(
    accountId: string | null,
    userId: string,
    passwordHash: string,
    now: number,
  ): Promise<'changed' | 'no_user'>;
  /**
   * Removes the second factor and all passkeys of a user who has lost them, and does what `endSessions` does: only the password is left.
   */
  forgetFactors(accountId: string | null, userId: string, now: number): Promise<'forgotten' | 'no_user'>;
  /**
   * Gives a user the password and the address of a sign-up, as `confirmSignUp` does for a new user. Also returns `unknown` if the user
   * already has a proven address, or another user has this address.
   */
  confirmPassword(
    accountId: string | null,
    userId: string,
    signUpHash: Uint8Array,
    codeHash: Uint8Array,
    now: number,
  ): Promise<ConfirmSignUpOutcome>;
  /**
   * Removes the password of a user, and does what `endSessions` does. The address stays proven, so a mailed link can set a password again.
   * `last_method` if the user could not sign in afterwards.
   */
  removePassword(accountId: string | null, userId: string, now: number): Promise<RemovedMethod>;
  /** Also returns `absent` for another user's passkey. */
  removePasskey(accountId: string | null, userId: string, credentialId: string): Promise<RemovedMethod>;
  listProviderLinks(accountId: string | null, userId: string): Awaitable<readonly ProviderLink[]>;
  /**
   * Lets a user sign in through an unused identity. `taken` if another user has it, `known` if this user already has it, `no_user` if the
   * user is deleted.
   */
  addProviderLink(accountId: string | null, userId: string, link: ProviderLink, linksMax: number): Promise<AddedLink>;
  removeProviderLink(accountId: string | null, userId: string, link: ProviderLink): Promise<RemovedMethod>;
  /**
   * Deletes a developer of the built-in identity provider with all sign-in methods. `last_owner`, with nothing changed, names an account
   * that would have no owner left.
   */
  deleteDeveloper(by: ChangedBy, userId: string): Promise<{ readonly kind: 'deleted' | 'absent' } | LastOwner>;
}

export interface LastOwner {
  readonly kind: 'last_owner';
  readonly accountName: string;
}
