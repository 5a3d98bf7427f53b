/**
 * The part of the storage contract that passkeys and tickets need. A directory is an account id, or null for that of the
 * developers.
 */
import type { Awaitable } from './awaitable.ts';

/** Where a passkey is found: a credential of one directory is unknown in every other. */
export interface PasskeyKey {
  readonly accountId: string | null;
  /** Base64url, as the authenticator made it up. */
  readonly credentialId: string;
}

export interface Passkey extends PasskeyKey {
  readonly userId: string;
  /** COSE key. */
  readonly publicKey: Uint8Array;
  /** Signatures that the authenticator says it has made; 0 for ever when it does not count. */
  readonly counter: number;
  /** How the browser may reach the authenticator, such as `internal` and `usb`. */
  readonly transports: readonly string[];
  /** When its making began, which is when its user had shown who he is. */
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

export interface PasskeyStore {
  /**
   * Adds a passkey to a user. `already_exists` when the directory holds the credential already, whosever it is; `no_user`
   * when the user is gone, signs in through a provider, or has reset the password at `createdAt` or since; `too_many` when
   * the user has `passkeysMax` of them.
   */
  addPasskey(passkey: Passkey, passkeysMax: number): Promise<'added' | 'already_exists' | 'no_user' | 'too_many'>;
  findPasskey(key: PasskeyKey): Awaitable<Passkey | undefined>;
  /** Passkeys of a user, oldest first. */
  listPasskeys(accountId: string | null, userId: string): Awaitable<readonly Passkey[]>;
  /**
   * Moves the counter of a passkey forward in one step. `stale` when it would stand still or go back, which tells of a
   * cloned authenticator; one that has never counted may stay at 0.
   */
  usePasskey(key: PasskeyKey, counter: number, usedAt: number): Promise<'used' | 'stale' | 'absent'>;
}

/** Remembers which tickets were used. A ticket itself is sealed, and whoever it was given to keeps it. */
export interface TicketStore {
  /**
   * Spends a ticket: of any number of parallel uses exactly one gets `spent`. A ticket is remembered until it expires, and
   * need not be longer, since its expiry is checked before. Each call clears away a few that have expired.
   */
  spendTicket(ticketHash: Uint8Array, expiresAt: number, now: number): Promise<'spent' | 'replayed'>;
}
