/** The part of the storage contract that the page *Your sign-in* needs: sessions, and what people change of their identity themselves. */
import type { Environment } from '@holdfast/contract';
import type { Awaitable } from '../common/awaitable.ts';
import type { ChangedBy } from './audit-store.ts';
import type { ConfirmSignUpOutcome } from './identity-store.ts';

/** The newest that a list has. */
export const sessionsMax = 100;

/** A live refresh-token family, as its owner sees it. */
export interface Session {
  readonly familyId: string;
  readonly accountId: string;
  /** Null for developers. */
  readonly projectName: string | null;
  readonly environment: Environment | null;
  readonly createdAt: number;
  /** When a token of it was last exchanged. */
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

/** `last_method` when the user could not sign in afterwards; nothing has changed then. */
export type RemovedMethod = 'removed' | 'absent' | 'last_method';

export interface SessionStore {
  /** Those of a user of a directory, the one that was used last first. */
  listSessions(accountId: string | null, userId: string, now: number): Awaitable<readonly Session[]>;
  /**
   * Ends all sign-ins of a user, in every project of the account: what was proven before `now` no longer counts (`resetAt`), and pending
   * links by mail are gone.
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
   * Takes the second factor and all passkeys of a user away, and does what `endSessions` does: the password alone is left. For somebody who
   * has lost them.
   */
  forgetFactors(accountId: string | null, userId: string, now: number): Promise<'forgotten' | 'no_user'>;
  /**
   * Gives a user the password and the address of a sign-up, as `confirmSignUp` gives them to a new user. `unknown` also when the user has a
   * proven address, or when somebody else has this one.
   */
  confirmPassword(
    accountId: string | null,
    userId: string,
    signUpHash: Uint8Array,
    codeHash: Uint8Array,
    now: number,
  ): Promise<ConfirmSignUpOutcome>;
  /**
   * Takes the password of a user away, and does what `endSessions` does. The address stays proven, so that a link by mail can set a
   * password again. `last_method` when the user could not sign in afterwards.
   */
  removePassword(accountId: string | null, userId: string, now: number): Promise<RemovedMethod>;
  /** `absent` also for a passkey of somebody else. */
  removePasskey(accountId: string | null, userId: string, credentialId: string): Promise<RemovedMethod>;
  listProviderLinks(accountId: string | null, userId: string): Awaitable<readonly ProviderLink[]>;
  /**
   * Lets a user sign in through an identity that nobody has. `taken` when somebody else has it, `known` when the user has it, `no_user` when
   * the user is gone.
   */
  addProviderLink(accountId: string | null, userId: string, link: ProviderLink, linksMax: number): Promise<AddedLink>;
  removeProviderLink(accountId: string | null, userId: string, link: ProviderLink): Promise<RemovedMethod>;
  /**
   * Deletes a developer of the built-in identity provider with everything that signs them in. `last_owner` names an account that would have
   * no owner left; nothing has changed then.
   */
  deleteDeveloper(by: ChangedBy, userId: string): Promise<{ readonly kind: 'deleted' | 'absent' } | LastOwner>;
}

export interface LastOwner {
  readonly kind: 'last_owner';
  readonly accountName: string;
}
