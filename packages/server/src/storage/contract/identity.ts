/**
 * Records of the users of the built-in identity provider: the users themselves, sign-ups that wait for their code, and password resets.
 *
 * The users of a directory are found by its key: the account id, or null for the developers. Deleting an account deletes its directory.
 */

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
