/**
 * The part of the storage contract about mails that are being sent. A mail is stored before it is first tried, and until a mail server has
 * taken it, so that it survives a restart. Of any number of nodes one tries it at a time.
 */
import type { Awaitable } from '../common/awaitable.ts';

export interface NewMail {
  /** SHA-256 of the secret that the mail is about: of the sign-up that its code confirms, or of the link in it. */
  readonly mailHash: Uint8Array;
  /** The account whose mail it is; null for the developers' directory. */
  readonly accountId: string | null;
  /** The key of the user's or applicant's address in that directory; null for a mail to anybody else. */
  readonly emailKey: string | null;
  /** What to send, encrypted; opaque to the store. */
  readonly sealedMail: Uint8Array;
  /** When what it carries ends, so that nobody needs the mail any more. */
  readonly expiresAt: number;
}

/** A mail that nobody tries before `dueAt`. */
export interface WaitingMail {
  readonly mailHash: Uint8Array;
  readonly dueAt: number;
  readonly sealedMail: Uint8Array;
}

/** A mail that the caller alone tries. It is named by its hash together with `dueAt`. */
export interface ClaimedMail {
  readonly mailHash: Uint8Array;
  /** When the claim ends and others try the mail. */
  readonly dueAt: number;
  readonly sealedMail: Uint8Array;
  /** How often it was refused before. */
  readonly failures: number;
  readonly expiresAt: number;
}

export type AddMailOutcome =
  /** `replaced`: what was to be sent under the hash before, if nobody was sending it. Somebody who was finds out when it is done. */
  | { readonly kind: 'added'; readonly dueAt: number; readonly replaced: Uint8Array | undefined }
  /** So many are waiting, in all or in the directory. */
  | { readonly kind: 'full' }
  | { readonly kind: 'no_account' };

export interface MailBounds {
  readonly waitingMax: number;
  readonly waitingInDirectoryMax: number;
}

/** What became of a try. */
export type MailResult =
  | { readonly kind: 'sent' }
  /** It is never tried again. That it failed is remembered until it expires, without what was to be sent. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'postponed'; readonly dueAt: number };

export type MailState =
  /** Not sent yet. `failures` is 0 while it is tried for the first time. */
  { readonly kind: 'waiting'; readonly failures: number; readonly expiresAt: number } | { readonly kind: 'failed' };

export interface DueMails {
  /** Those that are due, accounts in turn, and in each account the oldest first. */
  readonly due: readonly { readonly mailHash: Uint8Array; readonly accountId: string | null }[];
  /** When the next one is due, those included; undefined when none waits. */
  readonly nextAt: number | undefined;
  /** How many wait, those included. */
  readonly waiting: number;
}

export interface MailStore {
  /** Adds a mail that the caller tries first: others do not before the `dueAt` that is given back, which is `claimedUntil` or a little later. */
  addMail(mail: NewMail, claimedUntil: number, bounds: MailBounds): Promise<AddMailOutcome>;
  /** The mails that nobody has claimed and that are due at `now`, at most `limit`. */
  listDueMails(now: number, limit: number): Awaitable<DueMails>;
  /** The mails about an address that wait and that nobody has claimed, the one that expires first before the others; a bounded number. */
  listMailsTo(accountId: string | null, emailKey: string): Awaitable<readonly WaitingMail[]>;
  /** Claims a mail that is due at `now`. Of any number of parallel calls one gets it, the others undefined. */
  claimMail(mailHash: Uint8Array, now: number, claimedUntil: number): Promise<ClaimedMail | undefined>;
  /** Says what became of a claimed mail. `lost`: it was replaced or removed meanwhile, or somebody else has claimed it. */
  settleMail(claimed: Pick<ClaimedMail, 'mailHash' | 'dueAt'>, result: MailResult): Promise<'settled' | 'lost'>;
  /** How it stands with a mail that has not expired; undefined when it was sent. */
  findMail(mailHash: Uint8Array, now: number): Awaitable<MailState | undefined>;
}
