/** The part of the storage contract for passkeys and tickets. A directory is an account id, or null for the developers' directory. */
import type { Awaitable } from '../../common/awaitable.ts';

/** The key of a passkey. A credential is known only in its own directory. */
export interface PasskeyKey {
  readonly accountId: string | null;
  /** Base64url, chosen by the authenticator. */
  readonly credentialId: string;
}

export interface Passkey extends PasskeyKey {
  readonly userId: string;
  /** COSE key. */
  readonly publicKey: Uint8Array;
  /** The number of signatures that the authenticator claims; always 0 if it does not count. */
  readonly counter: number;
  /** How the browser can reach the authenticator, for example `internal` and `usb`. */
  readonly transports: readonly string[];
  /** When the user began to create it, immediately after proving their identity. */
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

export interface PasskeyStore {
  /**
   * Adds a passkey to a user. `already_exists` if the directory already has the credential, for any user; `no_user` if the user does not
   * exist, signs in through a provider, or has reset the password at `createdAt` or later; `too_many` if the user has `passkeysMax`.
   */
  addPasskey(passkey: Passkey, passkeysMax: number): Promise<'added' | 'already_exists' | 'no_user' | 'too_many'>;
  findPasskey(key: PasskeyKey): Awaitable<Passkey | undefined>;
  /** Passkeys of a user, oldest first. */
  listPasskeys(accountId: string | null, userId: string): Awaitable<readonly Passkey[]>;
  /**
   * Moves the counter of a passkey forward in one step. `stale` if it would stay the same or go back, a sign of a cloned authenticator. An
   * authenticator that never counts may stay at 0.
   */
  usePasskey(key: PasskeyKey, counter: number, usedAt: number): Promise<'used' | 'stale' | 'absent'>;
}

/** The part of the storage contract for used tickets. The ticket itself is sealed and held by the client. */
export interface TicketStore {
  /**
   * Spends a ticket: of parallel uses, exactly one gets `spent`. A ticket is remembered until it expires; callers check the expiry first.
   * Each call deletes a few expired tickets.
   */
  spendTicket(ticketHash: Uint8Array, expiresAt: number): Promise<'spent' | 'replayed'>;
}
