/**
 * The part of the storage contract for outgoing mails. A mail is stored before the first attempt and until a mail server accepts it, so it
 * survives a restart. Of any number of nodes, one at a time tries to send it.
 */
import type { Awaitable } from '../../common/awaitable.ts';

export interface NewMail {
  /** SHA-256 of the secret that the mail is about: of the sign-up that its code confirms, or of its link. */
  readonly mailHash: Uint8Array;
  /** The account that the mail is for; null for the developers' directory. */
  readonly accountId: string | null;
  /** The key of the user's or applicant's address in that directory; null for mail to anybody else. */
  readonly emailKey: string | null;
  /** What to send, encrypted; opaque to the store. */
  readonly sealedMail: Uint8Array;
  /** When its content expires, so that nobody needs the mail any more. */
  readonly expiresAt: number;
}

/** A mail that nobody sends before `dueAt`. */
export interface WaitingMail {
  readonly mailHash: Uint8Array;
  readonly dueAt: number;
  readonly sealedMail: Uint8Array;
}

/** A mail claimed by the caller. Its hash and `dueAt` identify it. */
export interface ClaimedMail {
  readonly mailHash: Uint8Array;
  /** When the claim expires and others may try the mail. */
  readonly dueAt: number;
  readonly sealedMail: Uint8Array;
  /** How often it was refused before. */
  readonly failures: number;
  readonly expiresAt: number;
}

export type AddMailOutcome =
  /** `replaced`: the mail waiting under the same hash, if nobody was sending it. A node that was sending it finds out at the end. */
  | { readonly kind: 'added'; readonly dueAt: number; readonly replaced: Uint8Array | undefined }
  /** Too many are waiting, in all or in the directory. */
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
  /** Those due, accounts in turn, and the oldest first in each account. */
  readonly due: readonly { readonly mailHash: Uint8Array; readonly accountId: string | null }[];
  /** When the next one is due, including those listed; undefined if none waits. */
  readonly nextAt: number | undefined;
  /** How many wait, including those listed. */
  readonly waiting: number;
}

export interface MailStore {
  /** Adds a mail that the caller tries first: others wait until the returned `dueAt`, which is `claimedUntil` or a little later. */
  addMail(mail: NewMail, claimedUntil: number, bounds: MailBounds): Promise<AddMailOutcome>;
  /** The unclaimed mails that are due at `now`, at most `limit`. */
  listDueMails(now: number, limit: number): Awaitable<DueMails>;
  /** The waiting, unclaimed mails about an address, the first to expire first; a bounded number. */
  listMailsTo(accountId: string | null, emailKey: string): Awaitable<readonly WaitingMail[]>;
  /** Claims a mail that is due at `now`. Of any number of parallel calls, one gets it, the others undefined. */
  claimMail(mailHash: Uint8Array, now: number, claimedUntil: number): Promise<ClaimedMail | undefined>;
  /** Stores the result for a claimed mail. `lost`: it was replaced, removed or claimed by somebody else meanwhile. */
  settleMail(claimed: Pick<ClaimedMail, 'mailHash' | 'dueAt'>, result: MailResult): Promise<'settled' | 'lost'>;
  /** The state of an unexpired mail; undefined once it is sent. */
  findMail(mailHash: Uint8Array, now: number): Awaitable<MailState | undefined>;
}
