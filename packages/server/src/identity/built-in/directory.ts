/** Directories of users. A user exists in one directory only. */

/** The developers of this installation, or the players of one account. */
export type Directory =
  | { readonly kind: 'developers' }
  | { readonly kind: 'account'; readonly accountId: string; readonly tenantId: string };

/** The user who signed in. */
export interface Person {
  readonly userId: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly name: string | null;
}

/** Proof of a user's identity. */
export interface Proof {
  /** Methods, as named in RFC 8176. */
  readonly amr: readonly string[];
  /** When the first proof was given. */
  readonly provenAt: number;
}

/** The requester, as throttles and mails need it. */
export interface Requester {
  readonly directory: Directory;
  /** The name under which the client address is counted. */
  readonly address: string;
  readonly language: Language;
  /** Name of the project to sign in to; null for developers. */
  readonly brandName: string | null;
  /** That project. */
  readonly project?: { readonly accountId: string; readonly slug: string } | undefined;
  readonly deviceToken: string | undefined;
}

export type Language = 'en' | 'de';

export type Throttled = { readonly kind: 'throttled'; readonly retryAfterSeconds: number };

/** Returns the key of a directory in storage: an account id, or null for developers. */
export function directoryKey(directory: Directory): string | null {
  return directory.kind === 'account' ? directory.accountId : null;
}
