/**
 * The part of the storage contract that passkeys and tickets need. A directory is an account id, or null for that of the
 * developers.
 */
import type { Awaitable } from '../common/awaitable.ts';

/** The key of a passkey. A credential of one directory is unknown in every other. */
export interface PasskeyKey {
  readonly accountId: string | null;
  /** Base64url, chosen by the authenticator. */
  readonly credentialId: string;
}

export interface Passkey extends PasskeyKey {
  readonly userId: string;
  /** COSE key. */
  readonly publicKey: Uint8Array;
  /** The number of signatures that the authenticator claims to have made; always 0 when it does not count. */
  readonly counter: number;
  /** Ways for the browser to reach the authenticator, such as `internal` and `usb`. */
  readonly transports: readonly string[];
  /** When the user began to create it, having just proven who they are. */
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

export interface PasskeyStore {
  /**
   * Adds a passkey to a user. `already_exists` when the directory already holds the credential, for any user; `no_user` when
   * the user does not exist, signs in through a provider, or has reset the password at `createdAt` or later; `too_many` when
   * the user has `passkeysMax` of them.
   */
  addPasskey(passkey: Passkey, passkeysMax: number): Promise<'added' | 'already_exists' | 'no_user' | 'too_many'>;
  findPasskey(key: PasskeyKey): Awaitable<Passkey | undefined>;
  /** Passkeys of a user, oldest first. */
  listPasskeys(accountId: string | null, userId: string): Awaitable<readonly Passkey[]>;
  /**
   * Moves the counter of a passkey forward in one step. `stale` when it would stay the same or go back, which is a sign of a
   * cloned authenticator. An authenticator that never counts may stay at 0.
   */
  usePasskey(key: PasskeyKey, counter: number, usedAt: number): Promise<'used' | 'stale' | 'absent'>;
}

/** Remembers which tickets were used. A ticket itself is sealed and kept by the client that it was given to. */
export interface TicketStore {
  /**
   * Spends a ticket: of any number of parallel uses exactly one gets `spent`. A ticket is remembered until it expires;
   * callers check its expiry first. Each call deletes a few expired ones.
   */
  spendTicket(ticketHash: Uint8Array, expiresAt: number): Promise<'spent' | 'replayed'>;
}
