/**
 * The part of the storage contract for the users of the built-in identity provider: the users themselves, sign-ups that wait for their
 * code, and password resets.
 *
 * The users of a directory are found by its key: the account id, or null for the developers. Deleting an account deletes its directory.
 */
import type { Awaitable } from '../../common/awaitable.ts';

/**
 * The issuer of developers who signed in at the built-in identity provider. Unlike any other issuer it is not an address, so developers
 * keep their accounts when the service moves to another address.
 */
export const builtInIssuerName = 'built-in';

export interface User {
  /** The directory. */
  readonly accountId: string | null;
  readonly userId: string;
  /** The address as shown and mailed to. With a key, it is the user's proven address; otherwise it is unproven. */
  readonly email: string | null;
  /** The key by which a user with a proven address is found, unique in the directory; null for other users. */
  readonly emailKey: string | null;
  readonly name: string | null;
  /** In PHC string format; null for a user without a password. */
  readonly passwordHash: string | null;
  /** When the password was last reset, or null. Earlier proofs of identity no longer count. */
  readonly resetAt: number | null;
  readonly createdAt: number;
}

/** An applicant for an account who has not yet proven the email address. */
export interface PendingSignUp {
  readonly accountId: string | null;
  readonly email: string;
  readonly emailKey: string;
  readonly name: string | null;
  readonly passwordHash: string;
  /** Keyed hash of the mailed code. */
  readonly codeHash: Uint8Array;
  /** How many attempts are left. */
  readonly attemptsLeft: number;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface PasswordReset {
  readonly accountId: string | null;
  readonly userId: string;
  /** The query of the page where sign-in continues afterwards. */
  readonly returnQuery: string;
  readonly expiresAt: number;
}

export type ConfirmSignUpOutcome =
  | { readonly kind: 'confirmed'; readonly user: User }
  | { readonly kind: 'wrong_code'; readonly attemptsLeft: number }
  /** The sign-up has expired, has no attempts left or is already confirmed, or another user has the address by now. */
  | { readonly kind: 'unknown' };

export interface IdentityStore {
  findUser(accountId: string | null, userId: string): Awaitable<User | undefined>;
  /** The user with this key, or otherwise the only user with the same address; undefined if two users have it. */
  findUserByEmail(accountId: string | null, emailKey: string): Awaitable<User | undefined>;
  /** Returns the result of `findUserByEmail`, or otherwise any user with the address, which then cannot be registered again. */
  findHolderOfEmail(accountId: string | null, emailKey: string): Awaitable<User | undefined>;
  /** Replaces a password hash if it is still `expected`, so an old password never undoes a reset. */
  replacePasswordHash(
    user: Pick<User, 'accountId' | 'userId'>,
    expected: string,
    next: string,
  ): Promise<'replaced' | 'superseded'>;

  /** `signUpHash` is the SHA-256 of the secret that the applicant holds. */
  addSignUp(signUpHash: Uint8Array, signUp: PendingSignUp): Promise<'added' | 'no_account'>;
  /** An unexpired sign-up, even if no attempts are left. */
  findSignUp(signUpHash: Uint8Array, now: number): Awaitable<PendingSignUp | undefined>;
  /** The newest unexpired sign-up of an address. */
  findSignUpByEmail(accountId: string | null, emailKey: string, now: number): Awaitable<PendingSignUp | undefined>;
  /** Replaces the code, attempts and time of an unexpired sign-up. */
  renewSignUp(
    signUpHash: Uint8Array,
    next: Pick<PendingSignUp, 'codeHash' | 'attemptsLeft' | 'expiresAt'>,
    now: number,
  ): Promise<'renewed' | 'unknown'>;
  /**
   * Uses up an attempt. The right code creates the user and deletes every sign-up of the address in the same step: of parallel uses,
   * exactly one gets `confirmed`.
   */
  confirmSignUp(
    signUpHash: Uint8Array,
    codeHash: Uint8Array,
    newUser: Pick<User, 'userId' | 'createdAt'>,
    now: number,
  ): Promise<ConfirmSignUpOutcome>;

  /** `tokenHash` is the SHA-256 of the token. `no_user` if there is no such user with a proven address. */
  addPasswordReset(tokenHash: Uint8Array, reset: PasswordReset): Promise<'added' | 'no_user'>;
  /** An unexpired reset, with its user. The reset is not used up. */
  findPasswordReset(
    tokenHash: Uint8Array,
    now: number,
  ): Awaitable<{ readonly reset: PasswordReset; readonly user: User } | undefined>;
  /**
   * Sets the password. In the same step it deletes every reset of the user, every passkey unless a second factor protects them (a second
   * factor itself stays), and every sign-up of the address, and ends earlier sign-ins: the refresh-token families and unspent codes of the
   * user in every project of the account, or those of the developer. Of parallel uses, exactly one gets the user; the rest get undefined.
   */
  redeemPasswordReset(tokenHash: Uint8Array, passwordHash: string, now: number): Promise<User | undefined>;

  /** Deletes expired sign-ups, resets and invitations, a bounded number at a time. Returns the number deleted. */
  sweepExpiredIdentities(now: number): Promise<number>;
}
