/**
 * Records of outgoing mails. A mail is stored before the first attempt and until a mail server accepts it, so it
 * survives a restart. Only one node at a time tries to send it.
 */

export interface NewMail {
  /** SHA-256 of the secret that the mail is about: the secret of the sign-up that its code confirms, or of its link. */
  readonly mailHash: Uint8Array;
  /** The account that the mail is for; null for the developers' directory. */
  readonly accountId: string | null;
  /** The key of the user's or applicant's address in that directory; null for mail to other addresses. */
  readonly emailKey: string | null;
  /** What to send, encrypted; opaque to the store. */
  readonly sealedMail: Uint8Array;
  /** When its content expires and the mail is no longer needed. */
  readonly expiresAt: number;
}

/** A mail that is not sent before `dueAt`. */
export interface WaitingMail {
  readonly mailHash: Uint8Array;
  readonly dueAt: number;
  readonly sealedMail: Uint8Array;
}

/** A mail claimed by the caller. Its hash and `dueAt` identify it. */
export interface ClaimedMail {
  readonly mailHash: Uint8Array;
  /** When the claim expires and other nodes may try the mail. */
  readonly dueAt: number;
  readonly sealedMail: Uint8Array;
  /** How often it was refused before. */
  readonly failures: number;
  readonly expiresAt: number;
}

export type AddMailOutcome =
  /** `replaced`: the mail that waited under the same hash, if no node was sending it. A node that was sending it finds out at the end. */
  | { readonly kind: 'added'; readonly dueAt: number; readonly replaced: Uint8Array | undefined }
  /** Too many mails are waiting, in total or in the directory. */
  | { readonly kind: 'full' }
  | { readonly kind: 'no_account' };

export interface MailBounds {
  readonly waitingMax: number;
  readonly waitingInDirectoryMax: number;
}

/** The result of an attempt. */
export type MailResult =
  | { readonly kind: 'sent' }
  /** It is never tried again. The failure is remembered until the mail expires, without its content. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'postponed'; readonly dueAt: number };

export type MailState =
  /** Not sent yet. `failures` is 0 during the first attempt. */
  { readonly kind: 'waiting'; readonly failures: number; readonly expiresAt: number } | { readonly kind: 'failed' };

export interface DueMails {
  /** The due mails: accounts in turn, the oldest first within each account. */
  readonly due: readonly { readonly mailHash: Uint8Array; readonly accountId: string | null }[];
  /** When the next mail is due, including the listed mails; undefined if none is waiting. */
  readonly nextAt: number | undefined;
  /** How many mails are waiting, including the listed mails. */
  readonly waiting: number;
}
